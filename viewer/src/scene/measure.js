// SPDX-License-Identifier: MIT
// The measuring tool: picks a point, an edge or a face under the pointer and measures between two picks. Coordinates are
// those of the report in doubles: corners of a mesh come from its block, and marks of a finding are what the engine wrote.
// A pick is a point where a corner is near, an edge where a crease is near, and a face otherwise, unless one kind is asked for.
import { Vector3 } from 'three';
import { number } from '../report/numbers.js';
import { cross, measureBetween, unit } from './distances.js';
import { Overlay } from './overlay.js';

const cornerReach = 11; // pixels
const edgeReach = 8;
const markReach = 10;

/** What can be asked for. */
export const pickKinds = { auto: 'Any', point: 'Point', edge: 'Edge', face: 'Face' };

export class Measure {
    constructor(stage, parts, pick, marks, labels, units) {
        Object.assign(this, { stage, parts, pick, marks, labels, units });
        this.overlay = new Overlay(stage);
        this.on = false;
        this.kind = 'auto';
        this.picks = [];
        this.onChange = () => {};
    }

    setPalette(palette) {
        this.overlay.palette = palette;
        this.draw();
    }

    set(on) {
        this.on = on;
        this.clear();
    }

    clear() {
        this.picks = [];
        this.draw();
        this.onChange();
    }

    /** Takes what is at a position in the view; a third pick begins anew. False where there is nothing. */
    takeAt(x, y) {
        const pick = this.pickAt(x, y);
        if (!pick) return false;
        this.picks = this.picks.length === 2 ? [pick] : [...this.picks, pick];
        this.draw();
        this.onChange();
        return true;
    }

    get result() {
        return this.picks.length === 2 ? measureBetween(...this.picks) : null;
    }

    pickAt(x, y) {
        const mark = this.kind === 'auto' || this.kind === 'point' ? this.markAt(x, y) : null;
        if (mark) return mark;
        const hit = this.pick.hitAt(x, y);
        if (!hit) return null;
        const base = { part: hit.part, of: this.sourceOf(hit) };
        const corner = this.kind === 'auto' || this.kind === 'point' ? this.cornerNear(hit) : null;
        if (corner) return { kind: 'point', point: corner, ...base };
        if (this.kind === 'point') return { kind: 'point', point: this.faceOf(hit).point, ...base };
        const edge = this.kind === 'auto' || this.kind === 'edge' ? this.edgeNear(hit) : null;
        if (edge) return { kind: 'edge', ends: edge, point: edge[0].map((p, k) => (p + edge[1][k]) / 2), ...base };
        return this.kind === 'edge' ? null : { ...this.faceOf(hit), ...base };
    }

    /** What the numbers of a pick rest on. */
    sourceOf({ part, shape }) {
        if (shape.isBox) return 'box';
        return shape.key === this.parts.report.parts[part].geometry ? 'mesh' : 'simplified mesh';
    }

    /** A point that the engine wrote, where the marks of a finding show one. */
    markAt(x, y) {
        const { finding, visible } = this.marks;
        if (!finding || !visible) return null;
        const { camera, width, height } = this.stage;
        const points = [...(finding.gapPoints ?? []), ...(finding.depthLine ?? []), ...finding.places.map(({ point }) => point), finding.point];
        for (const point of points.filter(Boolean)) {
            const p = this.parts.local(point).project(camera);
            if (Math.hypot(((p.x + 1) * width) / 2 - x, ((1 - p.y) * height) / 2 - y) <= markReach)
                return { kind: 'point', point, part: -1, of: 'report' };
        }
        return null;
    }

    /** Length in the scene of a pixel at a point. */
    pixelAt(point) {
        const { camera, height } = this.stage;
        return (2 * camera.position.distanceTo(point) * Math.tan((camera.fov * Math.PI) / 360)) / height;
    }

    /** World coordinates of a vertex of a drawn part, in doubles. */
    vertex({ part, shape }, index) {
        const { array } = shape.faces.attributes.position;
        const p = [0, 1, 2].map((k) => array[3 * index + k]);
        const { box, transform: m } = this.parts.report.parts[part];
        if (shape.isBox) return p.map((x, k) => (box[k] + box[k + 3]) / 2 + x * (box[k + 3] - box[k]));
        const q = p.map((x, k) => x + shape.offset[k]);
        return [0, 1, 2].map((k) => m[4 * k] * q[0] + m[4 * k + 1] * q[1] + m[4 * k + 2] * q[2] + m[4 * k + 3]);
    }

    /** Crease edges of the shape, or the sides of the triangle where there are none, as pairs of vertex numbers. */
    *edgesOf({ shape, corners }) {
        const source = shape.isBox ? null : shape.edges?.index?.array;
        if (source) for (let i = 0; i < source.length; i += 2) yield [source[i], source[i + 1]];
        else for (let k = 0; k < 3; k++) yield [corners[k], corners[(k + 1) % 3]];
    }

    /** Where a vertex is in the scene now; exploded parts are moved. */
    seen(hit, index, shift) {
        return this.parts.local(this.vertex(hit, index)).add(shift);
    }

    cornerNear(hit) {
        const shift = this.parts.shift(hit.part, new Vector3());
        const reach = cornerReach * this.pixelAt(hit.point);
        let best = null;
        let least = reach;
        const consider = (index) => {
            const away = this.seen(hit, index, shift).distanceTo(hit.point);
            if (away <= least) [best, least] = [index, away];
        };
        hit.corners.forEach(consider);
        for (const ends of this.edgesOf(hit)) ends.forEach(consider);
        return best == null ? null : this.vertex(hit, best);
    }

    edgeNear(hit) {
        const shift = this.parts.shift(hit.part, new Vector3());
        let best = null;
        let least = edgeReach * this.pixelAt(hit.point);
        const nearest = new Vector3();
        for (const [u, v] of this.edgesOf(hit)) {
            const p = this.seen(hit, u, shift), d = this.seen(hit, v, shift).sub(p);
            const t = Math.min(Math.max(nearest.subVectors(hit.point, p).dot(d) / (d.lengthSq() || 1), 0), 1);
            const away = nearest.copy(p).addScaledVector(d, t).distanceTo(hit.point);
            if (away <= least) [best, least] = [[u, v], away];
        }
        return best?.map((index) => this.vertex(hit, index)) ?? null;
    }

    faceOf(hit) {
        const [a, b, c] = hit.corners.map((index) => this.vertex(hit, index));
        const side = (p) => p.map((x, k) => x - a[k]);
        const normal = unit(cross(side(b), side(c)));
        const shift = this.parts.shift(hit.part, new Vector3());
        const at = this.parts.world(hit.point.clone().sub(shift));
        const off = at.reduce((sum, x, k) => sum + (x - a[k]) * normal[k], 0);
        return { kind: 'face', point: at.map((x, k) => x - off * normal[k]), normal, triangle: [a, b, c] };
    }

    draw() {
        this.overlay.clear();
        this.labels.clear();
        const { palette } = this.overlay;
        if (!palette) return;
        for (const pick of this.picks) this.drawPick(pick, palette);
        const { result } = this;
        if (result) {
            const ends = result.ends.map((end) => this.parts.local(end));
            if (result.distance > 0) this.overlay.addLine(ends.flatMap((p) => p.toArray()), palette.measure, 2.5);
            this.overlay.addDots(ends, palette.measure, 9);
            const text = `${number(result.distance, 6)}${this.units ? `\u202f${this.units}` : ''}`;
            this.labels.add(new Vector3().addVectors(ends[0], ends[1]).multiplyScalar(0.5), text, 'measure');
        }
        this.stage.invalidate();
    }

    drawPick(pick, palette) {
        const { triangle } = pick;
        const sides = triangle ? [0, 1, 2].map((k) => [triangle[k], triangle[(k + 1) % 3]]) : [];
        const lines = pick.kind === 'edge' ? [pick.ends] : sides;
        const segments = lines.flat().flatMap((point) => this.parts.local(point).toArray());
        if (segments.length > 0) this.overlay.addLine(segments, palette.measure, pick.kind === 'edge' ? 4 : 1.5);
        this.overlay.addDots([this.parts.local(pick.point)], palette.measure, 10);
    }
}
