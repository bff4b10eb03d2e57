// SPDX-License-Identifier: MIT
// What a finding consists of, drawn over everything: curves where surfaces cross, the point that proves it, the gap and
// the depth as measured lines; or, while no finding is looked at, a pin where each of them is. Each line has a halo in the colour of the background, so that it reads on any part.
import { BufferAttribute, BufferGeometry, Color, Group, Points, ShaderMaterial, Vector3 } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { interval } from '../report/numbers.js';

const order = 40; // after everything else
const pinReach = 12; // pixels around a pin that count as the pin

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

export class Marks {
    constructor(stage, local, labels, units) {
        this.stage = stage;
        this.local = local;
        this.labels = labels;
        this.units = units;
        this.group = new Group();
        this.visible = true;
        this.pinned = []; // findings that have a pin
        this.exploded = false; // then parts are not where their findings are
        stage.scene.add(this.group);
    }

    clear() {
        for (const object of this.group.children) {
            object.geometry.dispose();
            object.material.dispose();
        }
        this.group.clear();
        this.labels.clear();
    }

    setVisible(visible) {
        this.visible = this.group.visible = visible;
        this.labels.setVisible(visible);
        this.stage.invalidate();
    }

    setPalette(palette) {
        this.palette = palette;
        this.show(this.finding ?? null);
    }

    /** Says which findings there are to be seen, as the list shows them. */
    setPins(findings) {
        this.pinned = findings.filter((finding) => finding.point);
        if (!this.finding) this.show(null);
    }

    setExploded(exploded) {
        if (exploded === this.exploded) return;
        this.exploded = exploded;
        if (!this.finding) this.show(null);
    }

    get showsPins() {
        return !this.finding && this.visible && !this.exploded;
    }

    /** The finding whose pin is at a position in the view, the nearest to the eye of several; null for none. */
    pinAt(x, y) {
        if (!this.showsPins) return null;
        const { camera, width, height } = this.stage;
        let best = null;
        let depth = 1; // what is behind the camera or too far away is beyond that
        for (const finding of this.pinned) {
            const p = this.local(finding.point).project(camera);
            const away = Math.hypot(((p.x + 1) * width) / 2 - x, ((1 - p.y) * height) / 2 - y);
            if (away > pinReach || p.z >= depth) continue;
            best = finding;
            depth = p.z;
        }
        return best;
    }

    /** Draws the marks of a finding, or the pins of all. */
    show(finding) {
        this.finding = finding;
        this.clear();
        if (finding) {
            this.addCurves(finding.curves);
            const measured = [
                this.addMeasure(finding.depthLine, finding.depth, 'depth'),
                this.addMeasure(finding.gapPoints, finding.gap, 'gap'),
            ].some(Boolean);
            if (finding.point && !measured) this.addDots([this.local(finding.point)], this.palette.curve, 13);
        } else if (this.pinned.length > 0 && !this.exploded && this.palette)
            this.addDots(this.pinned.map(({ point }) => this.local(point)), this.palette.curve, 11);
        this.stage.invalidate();
    }

    addCurves(curves) {
        const segments = [];
        for (const curve of curves)
            for (let i = 0; i + 5 < curve.length; i += 3)
                for (const at of [i, i + 3]) {
                    const { x, y, z } = this.local([curve[at], curve[at + 1], curve[at + 2]]);
                    segments.push(x, y, z);
                }
        if (segments.length > 0) this.addLine(segments, this.palette.curve, 3);
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

    /** A line between two points with its length beside it. */
    addMeasure(ends, value, kind) {
        if (!ends || !value) return false;
        const points = ends.map((end) => this.local(end));
        const color = this.palette[kind];
        if (points[0].distanceTo(points[1]) > 0) this.addLine(points.flatMap((p) => p.toArray()), color, 2.5);
        this.addDots(points, color, 11);
        const middle = new Vector3().addVectors(points[0], points[1]).multiplyScalar(0.5);
        this.labels.add(middle, `${kind} ${interval(value, this.units)}`, kind);
        return true;
    }
}
