// SPDX-License-Identifier: MIT
// Lines and dots over the parts, of a fixed width on the screen. Each line has a halo in the colour of the background, so
// that it reads on any part.
import { BufferAttribute, BufferGeometry, Color, Group, Points, ShaderMaterial } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

const order = 40; // after everything else

function lineMaterial(color, width, opacity, depthTest = false) {
    return new LineMaterial({ color, linewidth: width, opacity, transparent: true, depthTest, depthWrite: false });
}

/** Round dots of a fixed size on the screen, with a ring around. */
function dotMaterial(color, ring, size) {
    return new ShaderMaterial({
        uniforms: { color: { value: new Color(color) }, ring: { value: new Color(ring) }, size: { value: size } },
        vertexShader: `
            uniform float size;
            void main() {
                gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
                gl_PointSize = size;
            }`,
        fragmentShader: `
            uniform vec3 color;
            uniform vec3 ring;
            void main() {
                float r = length(gl_PointCoord - 0.5) * 2.0;
                float edge = fwidth(r);
                gl_FragColor = vec4(mix(color, ring, smoothstep(0.6 - edge, 0.6 + edge, r)),
                                    1.0 - smoothstep(1.0 - 2.0 * edge, 1.0, r));
                #include <colorspace_fragment>
            }`,
        transparent: true,
        depthTest: false,
        depthWrite: false,
    });
}

export class Overlay {
    constructor(stage) {
        this.stage = stage;
        this.palette = null;
        this.group = new Group();
        stage.scene.add(this.group);
    }

    clear() {
        for (const object of this.group.children) {
            object.geometry.dispose();
            object.material.dispose();
        }
        this.group.clear();
    }

    /** A line over everything, pale where something lies before it and strong where nothing does. */
    addLine(segments, color, width) {
        const geometry = new LineSegmentsGeometry().setPositions(segments);
        const materials = [
            lineMaterial(this.palette.halo, width + 2.5, 0.5),
            lineMaterial(color, width, 0.5),
            lineMaterial(this.palette.halo, width + 2.5, 0.8, true),
            lineMaterial(color, width, 1, true),
        ];
        materials.forEach((material, k) => {
            const line = new LineSegments2(geometry, material);
            line.renderOrder = order + k;
            line.frustumCulled = false;
            line.raycast = () => {};
            this.group.add(line);
        });
    }

    addDots(points, color, size) {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(new Float32Array(points.flatMap((p) => p.toArray())), 3));
        const dots = new Points(geometry, dotMaterial(color, this.palette.halo, size * this.stage.pixelRatio));
        dots.renderOrder = order + 5;
        dots.frustumCulled = false;
        dots.raycast = () => {};
        this.group.add(dots);
    }
}
