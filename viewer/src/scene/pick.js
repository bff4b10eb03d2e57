// SPDX-License-Identifier: MIT
// Which part lies under a point of the screen, and from where a finding can be seen.
import { Raycaster, Vector2, Vector3 } from 'three';

/** Rays against more triangles than this take too long to try many of them. */
const manyTriangles = 400_000;

export class Pick {
    constructor(stage, parts, section) {
        this.stage = stage;
        this.parts = parts;
        this.section = section;
        this.raycaster = new Raycaster();
    }

    buckets(accept) {
        return this.parts.buckets.list.filter((bucket) => bucket.mesh.visible && accept(bucket)).map(({ mesh }) => mesh);
    }

    firstOf(meshes) {
        const hits = this.raycaster.intersectObjects(meshes, false);
        return hits.find((hit) => !this.section.hides(hit.point)) ?? null;
    }

    /** The part at a position in the view, -1 for none; ghosts only where nothing solid is. */
    partAt(x, y) {
        const { camera, width, height } = this.stage;
        this.raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), camera);
        const hit = this.firstOf(this.buckets((bucket) => bucket.style !== 'ghost'))
            ?? this.firstOf(this.buckets((bucket) => bucket.style === 'ghost'));
        return hit ? hit.object.userData.bucket.parts[hit.instanceId] : -1;
    }

    /**
     * A direction from which `point` is not hidden by the parts in focus, near to `wish`.
     * `free` is false where there is none, as inside a body.
     */
    freeDirection(point, radius, wish) {
        const meshes = this.buckets(({ style }) => style !== 'ghost' && style !== 'solid');
        const triangles = meshes.reduce((sum, mesh) => sum + mesh.userData.bucket.shape.triangles * mesh.count, 0);
        if (triangles > manyTriangles) return { direction: wish, free: true };
        const choices = directionsNear(wish);
        for (const direction of choices) {
            this.raycaster.set(point.clone().addScaledVector(direction, 0.06 * radius), direction);
            if (this.raycaster.intersectObjects(meshes, false).length === 0) return { direction, free: true };
        }
        return { direction: wish, free: false };
    }
}

/** The wish itself and 25 directions all around, the nearest to the wish first, those from below last. */
function directionsNear(wish) {
    const all = [];
    for (let x = -1; x <= 1; x++)
        for (let y = -1; y <= 1; y++)
            for (let z = -1; z <= 1; z++)
                if (x || y || z) all.push(new Vector3(x + 0.11 * y, y + 0.07 * z, z + 0.13 * x + 0.1).normalize());
    const worth = (d) => d.dot(wish) - (d.z < -0.2 ? 1 : 0);
    return [wish, ...all.sort((a, b) => worth(b) - worth(a))];
}
