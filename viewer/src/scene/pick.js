// SPDX-License-Identifier: MIT
// Which part lies under a point of the screen, and from where a finding can be seen.
import { Raycaster, Vector2, Vector3 } from 'three';

/** Triangles times rays that may be spent on finding a good direction: some tenths of a second. */
const rayBudget = 12_000_000;

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

    /** What is at a position in the view: part, shape, corners of the triangle, point; null for nothing. Ghosts only where nothing solid is. */
    hitAt(x, y) {
        const { camera, width, height } = this.stage;
        this.raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), camera);
        const hit = this.firstOf(this.buckets((bucket) => bucket.style !== 'ghost'))
            ?? this.firstOf(this.buckets((bucket) => bucket.style === 'ghost'));
        if (!hit) return null;
        const { bucket } = hit.object.userData;
        return { part: bucket.parts[hit.instanceId], shape: bucket.shape, corners: [hit.face.a, hit.face.b, hit.face.c], point: hit.point };
    }

    /** The part at a position in the view, -1 for none. */
    partAt(x, y) {
        return this.hitAt(x, y)?.part ?? -1;
    }

    /**
     * The direction from which most of the given points can be seen past the parts in focus, near to `wish` where that is
     * as good. `seen` is the share of points seen from there. A measured line is looked at from its side, in its true
     * length, or from `tilt` beside that: curves that lie across the line would be mere strokes.
     */
    bestDirection(points, line, radius, wish, tilt = 0) {
        const meshes = this.buckets(({ style }) => style !== 'ghost' && style !== 'solid');
        const triangles = meshes.reduce((sum, mesh) => sum + mesh.userData.bucket.shape.triangles * mesh.count, 0);
        const used = evenly(points, Math.min(24, Math.floor(rayBudget / (26 * Math.max(1, triangles)))));
        const directions = directionsNear(wish).map((direction) => (line ? beside(line, direction, tilt) : direction)).filter(Boolean);
        if (used.length === 0) return { direction: directions[0], seen: 1 };
        let best = { worth: -Infinity };
        for (const direction of directions) {
            const seen = used.filter((point) => this.isFree(meshes, point, direction, radius)).length / used.length;
            const worth = seen + 0.25 * direction.dot(wish) - this.disorients(direction);
            if (worth > best.worth) best = { worth, direction, seen };
        }
        return best;
    }

    /** What it costs to look from below, or so steeply from above that up is hard to tell. */
    disorients(direction) {
        const height = direction.dot(this.stage.camera.up);
        return height < -0.15 ? 0.45 : height > 0.93 ? 0.15 : 0;
    }

    isFree(meshes, point, direction, radius) {
        this.raycaster.set(point.clone().addScaledVector(direction, 0.03 * radius), direction);
        return this.raycaster.intersectObjects(meshes, false).length === 0;
    }
}

/** The direction turned until it is at a right angle to the line, but for `tilt`; null where it lies along it. */
function beside(line, direction, tilt) {
    const turned = direction.clone().addScaledVector(line, -direction.dot(line));
    if (turned.length() <= 0.1) return null;
    return turned.normalize().addScaledVector(line, direction.dot(line) < 0 ? -tilt : tilt).normalize();
}

/** At most `count` of the values, spread evenly. */
function evenly(values, count) {
    if (values.length <= count) return values;
    return Array.from({ length: count }, (_, k) => values[Math.floor((k * values.length) / count)]);
}

/** The wish itself and 26 directions all around, a little off the axes, where drawings look like drawings. */
function directionsNear(wish) {
    const all = [wish];
    for (let x = -1; x <= 1; x++)
        for (let y = -1; y <= 1; y++)
            for (let z = -1; z <= 1; z++)
                if (x || y || z) all.push(new Vector3(x + 0.16 * y, y - 0.16 * x, z + 0.22).normalize());
    return all;
}
