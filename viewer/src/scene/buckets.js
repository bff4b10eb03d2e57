// SPDX-License-Identifier: MIT
// Draws parts in buckets: one instanced mesh for all parts with the same shape in the same style, so that five thousand
// equal bolts are one call. Buckets are filled anew whenever a part changes; that is linear in the parts and nothing else.
import { Color, DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, Matrix4 } from 'three';

/** Line segments drawn once for each instance; the renderer asks for these flags, not for the class. */
class InstancedEdges extends InstancedMesh {
    constructor(geometry, material, matrices) {
        super(geometry, material, 0);
        this.isMesh = false;
        this.isLine = true;
        this.isLineSegments = true;
        this.instanceMatrix = matrices;
        this.frustumCulled = false;
    }

    raycast() {}
}

const mirror = new Matrix4().makeScale(-1, 1, 1);
const scratch = new Matrix4();

/** One bucket: faces and edges over the same matrices. Mirrored instances are told to the renderer by the mesh's own scale. */
class Bucket {
    constructor(shape, style, mirrored, capacity, materials) {
        this.shape = shape;
        this.style = style;
        this.mirrored = mirrored;
        this.capacity = capacity;
        this.parts = [];
        const faces = materials.faces[shape.isPlane ? 'plane' : shape.flat ? 'flat' : 'smooth'][style];
        this.mesh = new InstancedMesh(shape.faces, faces, capacity);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        if (style !== 'ghost') this.mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
        this.mesh.userData.bucket = this;
        this.edges = shape.edges ? new InstancedEdges(shape.edges, materials.edges[style], this.mesh.instanceMatrix) : null;
        this.mesh.renderOrder = style === 'ghost' ? 20 : shape.isPlane ? 14 : style.endsWith('Through') ? 12 : 0;
        if (this.edges) this.edges.renderOrder = this.mesh.renderOrder + 1;
        for (const object of this.objects) {
            if (mirrored) object.scale.x = -1;
            object.updateMatrix();
            object.matrixAutoUpdate = false;
        }
    }

    get objects() {
        return this.edges ? [this.mesh, this.edges] : [this.mesh];
    }

    clear() {
        this.parts.length = 0;
    }

    add(part, matrix, color) {
        const at = this.parts.push(part) - 1;
        this.mesh.setMatrixAt(at, this.mirrored ? scratch.multiplyMatrices(mirror, matrix) : matrix);
        if (this.mesh.instanceColor) this.mesh.setColorAt(at, color);
    }

    finish(showEdges) {
        const { mesh, edges } = this;
        mesh.count = this.parts.length;
        mesh.visible = mesh.count > 0;
        mesh.instanceMatrix.needsUpdate = true;
        if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        mesh.boundingSphere = null; // of the instances as they lie now; made again when asked for
        mesh.boundingBox = null;
        if (!edges) return;
        edges.count = mesh.count;
        edges.visible = mesh.visible && showEdges;
    }

    dispose() {
        this.mesh.dispose();
    }
}

export class Buckets {
    constructor(group, materials) {
        this.group = group;
        this.materials = materials;
        this.byKey = new Map();
        this.showEdges = true;
        this.color = new Color();
    }

    get list() {
        return [...this.byKey.values()];
    }

    begin() {
        for (const bucket of this.byKey.values()) bucket.clear();
    }

    /** @param expected  how many parts share the shape, the room to make at once */
    add(part, shape, style, matrix, color, expected) {
        const mirrored = matrix.determinant() < 0;
        const key = `${shape.key}/${style}/${mirrored}`;
        let bucket = this.byKey.get(key);
        if (!bucket || bucket.parts.length === bucket.capacity) bucket = this.room(key, bucket, shape, style, mirrored, expected);
        bucket.add(part, matrix, this.color.set(color));
    }

    /** A bucket with more room, holding what the old one held. */
    room(key, old, shape, style, mirrored, expected) {
        const bucket = new Bucket(shape, style, mirrored, Math.max(expected, old ? 2 * old.capacity : 1), this.materials);
        if (old) {
            bucket.mesh.instanceMatrix.array.set(old.mesh.instanceMatrix.array);
            if (old.mesh.instanceColor) bucket.mesh.instanceColor.array.set(old.mesh.instanceColor.array);
            bucket.parts = old.parts;
            this.group.remove(...old.objects);
            old.dispose();
        }
        this.byKey.set(key, bucket);
        this.group.add(...bucket.objects);
        return bucket;
    }

    end() {
        for (const bucket of this.byKey.values()) bucket.finish(this.showEdges);
    }
}
