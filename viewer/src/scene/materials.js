// SPDX-License-Identifier: MIT
// Materials of parts. A part is drawn in one of a few styles; all parts of a style share one material, and their own
// colour comes with the instance. Ghosts show their outline rather than their faces, so that twenty of them one behind
// another still let one see what they surround.
import {
    Color, DoubleSide, LineBasicMaterial, MeshPhongMaterial, ShaderMaterial, UniformsLib, UniformsUtils,
} from 'three';

/** Styles a part can be drawn in. `through`: the outer body of a containment, seen through. */
export const styles = { solid: 0, a: 1, b: 2, ghost: 3, chosen: 4, aThrough: 5, bThrough: 6 };
export const styleNames = Object.keys(styles);

const ghostVertex = `
    #include <common>
    #include <clipping_planes_pars_vertex>
    varying vec3 seenNormal;
    varying vec3 seenFrom;
    void main() {
        vec4 mvPosition = vec4(position, 1.0);
        vec3 turned = normal;
        #ifdef USE_INSTANCING
            mvPosition = instanceMatrix * mvPosition;
            turned = mat3(instanceMatrix) * turned;
        #endif
        mvPosition = modelViewMatrix * mvPosition;
        seenNormal = normalMatrix * turned;
        seenFrom = -mvPosition.xyz;
        gl_Position = projectionMatrix * mvPosition;
        #include <clipping_planes_vertex>
    }`;

const ghostFragment = `
    #include <common>
    #include <clipping_planes_pars_fragment>
    uniform vec3 color;
    uniform float strength;
    varying vec3 seenNormal;
    varying vec3 seenFrom;
    void main() {
        #include <clipping_planes_fragment>
        #ifdef FLAT_SHADED
            vec3 n = normalize(cross(dFdx(seenFrom), dFdy(seenFrom)));
        #else
            vec3 n = normalize(seenNormal);
        #endif
        float facing = abs(dot(n, normalize(seenFrom)));
        float alpha = strength * (0.012 + 0.17 * pow(1.0 - facing, 2.5));
        gl_FragColor = vec4(color, alpha);
        #include <colorspace_fragment>
    }`;

function ghostMaterial(flat) {
    return new ShaderMaterial({
        uniforms: UniformsUtils.merge([UniformsLib.common, { color: { value: new Color() }, strength: { value: 1 } }]),
        vertexShader: ghostVertex,
        fragmentShader: ghostFragment,
        defines: flat ? { FLAT_SHADED: 1 } : {},
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        clipping: true,
    });
}

function bodyMaterial(flat) {
    return new MeshPhongMaterial({
        side: DoubleSide, flatShading: flat, shininess: 28, specular: 0x1c1f24,
        polygonOffset: true, polygonOffsetFactor: 1.5, polygonOffsetUnits: 4,
    });
}

/** All materials of parts, by style; `flat` ones serve meshes without normals. */
export class PartMaterials {
    constructor() {
        this.faces = { smooth: {}, flat: {} };
        this.edges = {};
        for (const style of styleNames) {
            const ghost = style === 'ghost';
            this.faces.smooth[style] = ghost ? ghostMaterial(false) : bodyMaterial(false);
            this.faces.flat[style] = ghost ? ghostMaterial(true) : bodyMaterial(true);
            const depthTest = style !== 'chosen'; // what is chosen shows its edges through everything
            this.edges[style] = new LineBasicMaterial({ transparent: true, depthWrite: false, depthTest });
        }
        this.opacity = 1;
    }

    get all() {
        return [this.faces.smooth, this.faces.flat, this.edges].flatMap((set) => Object.values(set));
    }

    setPalette(palette) {
        this.palette = palette;
        for (const style of styleNames) {
            const ghost = style === 'ghost';
            this.edges[style].color.set(ghost ? palette.ghostEdge : palette.edge);
            this.edges[style].opacity = ghost ? palette.ghostEdgeOpacity : palette.edgeOpacity;
        }
        this.edges.chosen.color.set(palette.chosen);
        this.edges.chosen.opacity = 0.9;
        for (const set of [this.faces.smooth, this.faces.flat]) {
            set.ghost.uniforms.color.value.set(palette.ghost);
            set.ghost.uniforms.strength.value = palette.ghostStrength;
        }
    }

    /** Opacity of all that is not ghost, 1 solid. What is seen through anyway stays at most a third. */
    setOpacity(opacity) {
        for (const set of [this.faces.smooth, this.faces.flat])
            for (const style of styleNames) {
                if (style === 'ghost') continue;
                const value = style.endsWith('Through') ? Math.min(opacity, 0.3) : opacity;
                const material = set[style];
                material.opacity = value;
                material.depthWrite = value >= 1;
                if (material.transparent !== value < 1) {
                    material.transparent = value < 1;
                    material.needsUpdate = true;
                }
            }
    }

    setWireframe(on) {
        for (const set of [this.faces.smooth, this.faces.flat])
            for (const style of styleNames) set[style].wireframe = on;
    }

    setClipping(planes) {
        for (const material of this.all) {
            material.clippingPlanes = planes;
            material.needsUpdate = true;
        }
    }
}
