// SPDX-License-Identifier: MIT
// Materials of parts. A part is drawn in one of a few styles; all parts of a style share one material, and their own
// colour comes with the instance. Ghosts show their outline rather than their faces, so that twenty of them one behind
// another still let one see what they surround; and they fade with their distance from what is looked at, most of all
// towards the eye, so that a thousand of them are no fog.
import {
    Color, DoubleSide, LineBasicMaterial, MeshPhongMaterial, ShaderMaterial, UniformsLib, UniformsUtils, Vector3,
} from 'three';

/** Styles a part can be drawn in. `through`: the outer body of a containment, seen through. */
export const styles = { solid: 0, a: 1, b: 2, ghost: 3, chosen: 4, aThrough: 5, bThrough: 6 };
export const styleNames = Object.keys(styles);

/** Strength of a ghost at a point in camera coordinates: 1 around the focus, little before it, less and less behind and beside. */
const fadeAway = `
    uniform vec3 focusAt;
    uniform float focusSize;
    uniform float focusStrength;
    float fadeAway(vec3 at) {
        vec3 sight = normalize(focusAt);
        float along = dot(at, sight);
        float behind = (along - length(focusAt)) / focusSize;
        float beside = max(length(at - along * sight) / focusSize - 1.0, 0.0);
        float before = mix(0.06, 1.0, smoothstep(-1.4, -0.4, behind));
        behind = max(behind - 0.4, 0.0);
        return focusStrength * max(before / ((1.0 + 0.8 * behind * behind) * (1.0 + 0.4 * beside * beside)), 0.015);
    }`;

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
    ${fadeAway}
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
        float alpha = strength * fadeAway(-seenFrom) * (0.012 + 0.17 * pow(1.0 - facing, 2.5));
        gl_FragColor = vec4(color, alpha);
        #include <colorspace_fragment>
    }`;

const ghostEdgeVertex = `
    #include <common>
    #include <clipping_planes_pars_vertex>
    varying vec3 seenFrom;
    void main() {
        vec4 mvPosition = vec4(position, 1.0);
        #ifdef USE_INSTANCING
            mvPosition = instanceMatrix * mvPosition;
        #endif
        mvPosition = modelViewMatrix * mvPosition;
        seenFrom = -mvPosition.xyz;
        gl_Position = projectionMatrix * mvPosition;
        #include <clipping_planes_vertex>
    }`;

const ghostEdgeFragment = `
    #include <common>
    #include <clipping_planes_pars_fragment>
    ${fadeAway}
    uniform vec3 color;
    uniform float strength;
    varying vec3 seenFrom;
    void main() {
        #include <clipping_planes_fragment>
        gl_FragColor = vec4(color, strength * fadeAway(-seenFrom));
        #include <colorspace_fragment>
    }`;

/** @param focus  uniforms that all ghosts share: where the focus is, seen from the camera */
function ghostMaterial(focus, vertexShader, fragmentShader, flat = false) {
    return new ShaderMaterial({
        uniforms: { ...UniformsUtils.clone(UniformsLib.common), ...focus, color: { value: new Color() }, strength: { value: 1 } },
        vertexShader,
        fragmentShader,
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

/** How much of a half-space's plane one sees: what lies below it is looked at, too. */
const planeOpacity = 0.28;

/** All materials of parts, by style; `flat` ones serve meshes without normals, `plane` those of half-spaces. */
export class PartMaterials {
    constructor() {
        this.focus = { focusAt: { value: new Vector3(0, 0, -1) }, focusSize: { value: 1 }, focusStrength: { value: 1 } };
        this.faces = { smooth: {}, flat: {}, plane: {} };
        this.edges = {};
        for (const style of styleNames) {
            const ghost = style === 'ghost';
            this.faces.smooth[style] = ghost ? ghostMaterial(this.focus, ghostVertex, ghostFragment) : bodyMaterial(false);
            this.faces.flat[style] = ghost ? ghostMaterial(this.focus, ghostVertex, ghostFragment, true) : bodyMaterial(true);
            this.faces.plane[style] = ghost ? ghostMaterial(this.focus, ghostVertex, ghostFragment) : bodyMaterial(false);
            const depthTest = style !== 'chosen'; // what is chosen shows its edges through everything
            this.edges[style] = ghost ? ghostMaterial(this.focus, ghostEdgeVertex, ghostEdgeFragment)
                : new LineBasicMaterial({ transparent: true, depthWrite: false, depthTest });
        }
        this.opacity = 1;
        this.setOpacity(1);
    }

    /** Says where the focus is, in camera coordinates, how far around it ghosts keep their strength, and how strong they are there. */
    setFocus(at, size, strength) {
        this.focus.focusAt.value.copy(at);
        this.focus.focusSize.value = size;
        this.focus.focusStrength.value = strength;
    }

    get all() {
        return [...Object.values(this.faces), this.edges].flatMap((set) => Object.values(set));
    }

    setPalette(palette) {
        this.palette = palette;
        for (const style of styleNames) {
            if (style === 'ghost') continue;
            this.edges[style].color.set(palette.edge);
            this.edges[style].opacity = palette.edgeOpacity;
        }
        const { uniforms } = this.edges.ghost;
        uniforms.color.value.set(palette.ghostEdge);
        uniforms.strength.value = palette.ghostEdgeOpacity;
        this.edges.chosen.color.set(palette.chosen);
        this.edges.chosen.opacity = 0.9;
        for (const set of Object.values(this.faces)) {
            set.ghost.uniforms.color.value.set(palette.ghost);
            set.ghost.uniforms.strength.value = palette.ghostStrength;
        }
    }

    /** Opacity of all that is not ghost, 1 solid. What is seen through anyway stays at most a third. */
    setOpacity(opacity) {
        for (const set of Object.values(this.faces))
            for (const style of styleNames) {
                if (style === 'ghost') continue;
                const most = set === this.faces.plane ? planeOpacity : style.endsWith('Through') ? 0.3 : 1;
                const value = Math.min(opacity, most);
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
        for (const set of Object.values(this.faces))
            for (const style of styleNames) set[style].wireframe = on;
    }

    setClipping(planes) {
        for (const material of this.all) {
            material.clippingPlanes = planes;
            material.needsUpdate = true;
        }
    }
}
