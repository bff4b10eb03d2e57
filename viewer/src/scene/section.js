// SPDX-License-Identifier: MIT
// The section plane, with caps: where the plane goes through a closed body, the body looks solid. The faces that are
// left are counted in the stencil buffer, back faces up and front faces down; what is not zero lies inside. With two
// parts in focus their caps are hatched against each other, and where both are, the overlap shows in red.
//
// Stencil use, in order of drawing: (1) count surrounding bodies of one colour in bits 0-6; (2) their cap, which sets what
// it covers back to 0; the same for each other colour; (3) count A in bits 0-6; (4) turn "not zero" into bit 7; (5) count B in bits 0-6; (6) cap of B where
// bits 0-6 are not zero; (7) cap of A where the value is bit 7 alone; (8) the overlap where it is more than bit 7.
import {
    AlwaysStencilFunc, BackSide, Color, DecrementWrapStencilOp, DoubleSide, EqualStencilFunc, FrontSide, Group,
    IncrementWrapStencilOp, InstancedMesh, KeepStencilOp, LessStencilFunc, Mesh, MeshBasicMaterial, NotEqualStencilFunc, Plane,
    PlaneGeometry, ReplaceStencilOp, ShaderMaterial, Vector3,
} from 'three';
import { partColors } from './palette.js';

const inside = 0x7f; // bits that count
const inA = 0x80;

/** When the surrounding bodies of a colour have their turn. */
const restTurn = (color) => 1 + 0.1 * color;

function countMaterial(side, planes) {
    const op = side === BackSide ? IncrementWrapStencilOp : DecrementWrapStencilOp;
    return new MeshBasicMaterial({
        side, clippingPlanes: planes, colorWrite: false, depthWrite: false, depthTest: false,
        stencilWrite: true, stencilWriteMask: inside, stencilFunc: AlwaysStencilFunc,
        stencilFail: op, stencilZFail: op, stencilZPass: op,
    });
}

/** Lines across the cap, as on a drawing; `slope` 0 fills it. */
function capMaterial(slope, stencil) {
    return new ShaderMaterial({
        uniforms: { color: { value: new Color() }, slope: { value: slope }, pitch: { value: 9 } },
        vertexShader: 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
        fragmentShader: `
            uniform vec3 color;
            uniform float slope;
            uniform float pitch;
            void main() {
                float along = fract((gl_FragCoord.x + slope * gl_FragCoord.y) / pitch);
                float line = slope == 0.0 ? 0.0 : smoothstep(0.10, 0.18, along) - smoothstep(0.32, 0.40, along);
                gl_FragColor = vec4(mix(color, color * 0.42, line), 1.0);
                #include <colorspace_fragment>
            }`,
        side: DoubleSide,
        stencilWrite: true,
        ...stencil,
    });
}

const keep = { stencilFail: KeepStencilOp, stencilZFail: KeepStencilOp, stencilZPass: KeepStencilOp, stencilWriteMask: 0 };

export class Section {
    constructor(stage, parts) {
        this.stage = stage;
        this.parts = parts;
        this.plane = new Plane(new Vector3(0, 0, -1), 0);
        this.on = false;
        this.normal = new Vector3(1, 0, 0); // along which the position is measured
        this.flipped = false;
        this.position = 0;
        this.group = new Group();
        this.counters = new Group();
        this.planes = [this.plane];
        this.back = countMaterial(BackSide, this.planes);
        this.front = countMaterial(FrontSide, this.planes);
        this.makeCaps();
        stage.scene.add(this.group, this.counters);
        this.group.visible = false;
    }

    makeCaps() {
        const square = new PlaneGeometry(2, 2);
        const cap = (order, material) => {
            const mesh = new Mesh(square, material);
            mesh.renderOrder = order;
            mesh.frustumCulled = false;
            mesh.raycast = () => {};
            this.group.add(mesh);
            return mesh;
        };
        const reset = { stencilFail: KeepStencilOp, stencilZFail: ReplaceStencilOp, stencilZPass: ReplaceStencilOp };
        this.restCaps = Array.from({ length: partColors }, (_, color) => cap(restTurn(color) + 0.05,
            capMaterial(color % 2 ? -1 : 1, { stencilFunc: NotEqualStencilFunc, stencilRef: 0, ...reset })));
        this.toBit = cap(4, new MeshBasicMaterial({
            colorWrite: false, depthWrite: false, depthTest: false, side: DoubleSide, stencilWrite: true,
            stencilFunc: NotEqualStencilFunc, stencilRef: inA, stencilFuncMask: inside, ...reset,
        }));
        this.bCap = cap(6, capMaterial(-1, { stencilFunc: NotEqualStencilFunc, stencilRef: 0, stencilFuncMask: inside, ...keep }));
        this.aCap = cap(7, capMaterial(1, { stencilFunc: EqualStencilFunc, stencilRef: inA, ...keep }));
        this.overlapCap = cap(8, capMaterial(0, { stencilFunc: LessStencilFunc, stencilRef: inA, ...keep }));
    }

    setPalette(palette) {
        this.restCaps.forEach((cap, color) => cap.material.uniforms.color.value.set(palette.parts[color]));
        this.aCap.material.uniforms.color.value.set(palette.a);
        this.bCap.material.uniforms.color.value.set(palette.b);
        this.overlapCap.material.uniforms.color.value.set(palette.overlap);
    }

    /** Where along the normal the given box begins and ends. */
    rangeOf(box) {
        const ends = [Infinity, -Infinity];
        for (let corner = 0; corner < 8; corner++) {
            const at = this.normal.dot(new Vector3(
                corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z));
            ends[0] = Math.min(ends[0], at);
            ends[1] = Math.max(ends[1], at);
        }
        return ends;
    }

    /** Cuts away what lies on the side of the camera, so that one looks at the cut. */
    faceTo(direction) {
        this.flipped = this.normal.dot(direction) < 0;
    }

    /** Takes any of {on, normal, position, flipped}. */
    set(change) {
        const was = this.on;
        Object.assign(this, change);
        const sign = this.flipped ? 1 : -1;
        this.plane.normal.copy(this.normal).multiplyScalar(sign);
        this.plane.constant = -sign * this.position;
        if (was !== this.on) this.parts.materials.setClipping(this.on ? this.planes : null);
        this.group.visible = this.on;
        this.update();
    }

    /** Follows the parts: which are counted, and in which turn. */
    update() {
        this.counters.clear(); // not disposed of: their matrices belong to the buckets
        if (!this.on) return this.stage.invalidate();
        const turns = { a: 3, aThrough: 3, b: 5, bThrough: 5 };
        const used = new Set();
        for (const bucket of this.parts.buckets.list) {
            const solid = bucket.style === 'solid' || bucket.style === 'chosen';
            const turn = solid ? restTurn(bucket.shape.isBox ? 0 : bucket.shape.key % partColors) : turns[bucket.style];
            if (!turn || !bucket.mesh.visible || !bucket.shape.closed) continue;
            used.add(turn);
            this.count(bucket, turn);
        }
        this.restCaps.forEach((cap, color) => (cap.visible = used.has(restTurn(color))));
        this.toBit.visible = this.aCap.visible = used.has(3);
        this.bCap.visible = used.has(5);
        this.overlapCap.visible = used.has(3) && used.has(5);
        this.placeCaps();
        this.stage.invalidate();
    }

    count(bucket, turn) {
        for (const material of [this.back, this.front]) {
            const mesh = new InstancedMesh(bucket.shape.faces, material, 0);
            mesh.instanceMatrix = bucket.mesh.instanceMatrix;
            mesh.count = bucket.mesh.count;
            mesh.matrix.copy(bucket.mesh.matrix);
            mesh.matrixAutoUpdate = false;
            mesh.frustumCulled = false;
            mesh.renderOrder = turn;
            mesh.raycast = () => {};
            this.counters.add(mesh);
        }
    }

    placeCaps() {
        const { bounds } = this.stage;
        const center = this.plane.projectPoint(bounds.center, new Vector3());
        for (const cap of this.group.children) {
            cap.position.copy(center);
            cap.lookAt(center.clone().add(this.plane.normal));
            cap.scale.setScalar(1.5 * bounds.radius);
        }
    }

    /** Whether a point of the scene is cut away. */
    hides(point) {
        return this.on && this.plane.distanceToPoint(point) < 0;
    }
}
