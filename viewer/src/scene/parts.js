// SPDX-License-Identifier: MIT
// The parts in the scene: which shape each is drawn with, in which style, where. World coordinates become floats only
// after an origin was subtracted in doubles, so a model a thousand kilometres out looks like one at home. The origin is
// that of the report until something far away from it is looked at.
import { Box3, Color, Matrix4, Vector3 } from 'three';
import { BlockQueue } from '../report/geometry.js';
import { transformAt } from '../report/motion.js';
import { Buckets } from './buckets.js';
import { PartMaterials } from './materials.js';
import { boxShape, shapeOfMesh } from './shapes.js';

/** Triangles drawn at most before simpler shapes stand in; whoever wants more asks for "full". */
const mostTriangles = 8_000_000;

/** A mesh of so few triangles is simple as it is. */
const simpleTriangles = 1000;

/** Nothing is drawn that far from the scene's zero: squares of such coordinates would not be floats any more. */
const mostDistant = 1e18;

/** Frames of a moving part that its extent takes in, about. */
const mostPlaces = 64;

/** How the parts around a selection are drawn. */
export const surroundings = ['ghost', 'hide', 'show'];

/** Pieces of a decomposition lie on one another: neighbours in number are far apart in hue (by the golden angle). */
function pieceColor(piece) {
    return new Color().setHSL(((piece - 1) * 0.381966) % 1, 0.5, 0.62);
}

export class Parts {
    constructor(report, group, onChange) {
        this.report = report;
        this.onChange = onChange;
        this.materials = new PartMaterials();
        this.buckets = new Buckets(group, this.materials);
        this.box = boxShape();
        this.hidden = Uint8Array.from(report.parts, ({ hidden }) => (hidden ? 1 : 0));
        this.time = 1; // in frames
        this.transforms = report.parts.map(({ transform }) => transform); // at that time
        this.detail = 'auto'; // auto | full | simplified | boxes
        this.budget = mostTriangles;
        this.around = 'ghost';
        this.explode = 0;
        this.focus = null; // {a, b, set, point, through} while a finding is looked at
        this.chosen = -1;
        const reduced = new Set(report.parts.map((part) => part.reduced));
        this.queue = new BlockQueue(document, report.geometries, (number, mesh) =>
            shapeOfMesh(number, mesh, report.geometries[number], reduced.has(number)));
        this.queue.onProgress = (left) => {
            this.refresh();
            this.onLoad?.(left);
        };
        this.users = new Map(); // shape -> how many parts may use it
        for (const part of report.parts)
            for (const number of [part.geometry, part.reduced])
                if (number != null) this.users.set(number, (this.users.get(number) ?? 0) + 1);
        this.setOrigin(report.origin);
        this.planned = new Array(report.parts.length).fill(null);
        this.plan();
    }

    /** Moves the zero of the scene: boxes are made anew from the doubles of the report. */
    setOrigin(origin) {
        this.origin = [...origin];
        this.boxes = this.report.parts.map((part) => this.boxAt(part));
        this.bounds = new Box3(); // of the model, without what lies far away from it
        this.all = new Box3();
        this.drawable = this.boxes.map(({ min, max }) => [min, max].every((p) => Math.hypot(p.x, p.y, p.z) < mostDistant));
        this.boxes.forEach((box, index) => {
            if (this.drawable[index]) this.all.union(box);
            if (!this.report.far.has(index) && !this.isPlane(index)) this.bounds.union(box);
        });
        for (const part of this.report.parts) if (part.track && !this.report.far.has(part.index)) this.bounds.union(this.way(part));
        if (this.bounds.isEmpty()) this.bounds.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
        if (this.all.isEmpty()) this.all.copy(this.bounds);
        this.center = this.bounds.getCenter(new Vector3());
    }

    /** The box of a part at the time that is shown: a box around that of frame 1, which moves along with it. */
    boxAt(part) {
        const to = this.transforms[part.index], from = part.transform;
        if (to === from) return this.localBox(part.box);
        const m = (rows) => new Matrix4().set(...rows, 0, 0, 0, 1);
        const moved = new Box3(new Vector3(...part.box.slice(0, 3)), new Vector3(...part.box.slice(3)));
        moved.applyMatrix4(m(to).multiply(m(from).invert()));
        return this.localBox([...moved.min.toArray(), ...moved.max.toArray()]);
    }

    /** A box around the places of a part at some of its frames. */
    way(part) {
        const box = new Box3();
        const now = this.transforms[part.index];
        const step = Math.max(1, Math.floor(part.track.length / mostPlaces));
        for (let frame = 1; frame <= part.track.length + 1; frame += step) {
            this.transforms[part.index] = transformAt(part, frame);
            box.union(this.boxAt(part));
        }
        this.transforms[part.index] = now;
        return box;
    }

    /** Shows the parts where they are at a time, in frames. */
    setTime(time) {
        this.time = time;
        for (const part of this.report.parts) {
            if (!part.track) continue;
            this.transforms[part.index] = transformAt(part, time);
            this.boxes[part.index] = this.boxAt(part);
        }
        this.refresh();
    }

    /** Whether a part is a half-space, which has no end: what is drawn of it says nothing about the model's extent. */
    isPlane(index) {
        return this.report.geometries[this.report.parts[index].geometry]?.shape?.kind === 'half_space';
    }

    /** Moves the zero of the scene by `offset`. */
    rebase(offset) {
        this.setOrigin(this.origin.map((x, k) => x + offset.getComponent(k)));
        this.focus?.point.sub(offset);
        this.refresh();
    }

    /** A point of the scene in the world. */
    world(point) {
        return this.origin.map((x, k) => x + point.getComponent(k));
    }

    /** A point of the world as the scene knows it. */
    local(point) {
        const { origin } = this;
        return new Vector3(point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]);
    }

    localBox(box) {
        return new Box3(this.local(box), this.local(box.slice(3)));
    }

    /** Decides which block each part shall be drawn with, and asks for those that are missing. */
    plan() {
        const { parts, geometries } = this.report;
        let left = this.budget;
        const fits = (number, most) => number != null && geometries[number].triangles <= most;
        const take = (part) => {
            let number = null;
            if (this.detail === 'full') number = this.bestBlock(part);
            else if (this.detail === 'simplified' && part.findings.length === 0)
                number = fits(part.geometry, simpleTriangles) ? part.geometry : part.reduced;
            else if (this.detail !== 'boxes')
                number = fits(part.geometry, left) ? part.geometry : fits(part.reduced, left) ? part.reduced : null;
            if (number != null) left -= geometries[number].triangles;
            this.planned[part.index] = number;
        };
        for (const part of parts) if (part.findings.length > 0) take(part);
        for (const part of parts) if (part.findings.length === 0) take(part);
        this.queue.waiting.clear();
        return this.queue.want(this.planned.filter((number) => number != null));
    }

    /** Triangles there will be when all that is planned is here. */
    get plannedTriangles() {
        return this.planned.reduce((sum, number) => sum + (number == null ? 12 : this.report.geometries[number].triangles), 0);
    }

    setBudget(triangles) {
        this.budget = triangles;
        this.plan();
        this.refresh();
    }

    setDetail(detail) {
        this.detail = detail;
        this.plan();
        this.refresh();
    }

    /** Looks at the parts of a finding, or at nothing in particular. */
    setFocus(focus) {
        this.focus = focus;
        if (focus) this.queue.want(focus.set.map((part) => this.bestBlock(this.report.parts[part])), true);
        this.refresh();
    }

    setChosen(part) {
        this.chosen = part;
        if (part >= 0) this.queue.want([this.bestBlock(this.report.parts[part])], true);
        this.refresh();
    }

    bestBlock(part) {
        return part.geometry ?? part.reduced;
    }

    inFocus(index) {
        return this.focus?.set.includes(index) || index === this.chosen;
    }

    shapeOf(part) {
        const wanted = this.inFocus(part.index) ? this.bestBlock(part) : this.planned[part.index];
        return (wanted != null && this.queue.ready.get(wanted)) || this.box;
    }

    /** The style of a part, or null when it is not drawn. */
    styleOf(index) {
        const { focus } = this;
        if (focus?.set.includes(index)) {
            const name = index === focus.b && focus.b !== focus.a ? 'b' : 'a';
            return focus.through.includes(index) ? `${name}Through` : name;
        }
        if (this.hidden[index]) return null;
        if (index === this.chosen) return 'chosen';
        if (!focus || this.around === 'show') return 'solid';
        return this.around === 'hide' ? null : 'ghost';
    }

    colorOf(index, style) {
        const { palette } = this.materials;
        if (style === 'a' || style === 'aThrough') return palette.a;
        if (style === 'b' || style === 'bThrough') return palette.b;
        if (style === 'chosen') return palette.chosen;
        const { piece, geometry } = this.report.parts[index];
        if (piece > 0) return pieceColor(piece);
        const shape = geometry ?? index; // instances of one thing look alike
        return palette.parts[shape % palette.parts.length];
    }

    /** Where a part is moved by exploding; what is looked at stays, and the rest goes away from it. */
    shift(index, target) {
        if (this.explode === 0 || this.focus?.set.includes(index)) return target.set(0, 0, 0);
        this.boxes[index].getCenter(target);
        return target.sub(this.focus?.point ?? this.center).multiplyScalar(this.explode);
    }

    /** Matrix from a shape's floats to the scene; the sums of large numbers are made in doubles. */
    matrixOf(part, shape, shift, target) {
        if (shape.isBox) {
            const size = this.boxes[part.index].getSize(new Vector3());
            const center = this.boxes[part.index].getCenter(new Vector3()).add(shift);
            const least = 1e-9 * Math.max(size.x, size.y, size.z, 1e-30); // a flat box still has a shape
            return target.makeScale(Math.max(size.x, least), Math.max(size.y, least), Math.max(size.z, least))
                .setPosition(center);
        }
        const m = this.transforms[part.index], o = shape.offset, w = this.origin;
        const row = (k) => m[4 * k] * o[0] + m[4 * k + 1] * o[1] + m[4 * k + 2] * o[2] + (m[4 * k + 3] - w[k]);
        return target.set(
            m[0], m[1], m[2], row(0) + shift.x,
            m[4], m[5], m[6], row(1) + shift.y,
            m[8], m[9], m[10], row(2) + shift.z,
            0, 0, 0, 1);
    }

    /** Fills all buckets anew. */
    refresh() {
        const matrix = new Matrix4();
        const shift = new Vector3();
        this.buckets.begin();
        for (const part of this.report.parts) {
            const style = this.styleOf(part.index);
            if (style == null || !this.drawable[part.index]) continue;
            const shape = this.shapeOf(part);
            this.matrixOf(part, shape, this.shift(part.index, shift), matrix);
            const room = shape.isBox ? this.report.parts.length : this.users.get(shape.key);
            this.buckets.add(part.index, shape, style, matrix, this.colorOf(part.index, style), room);
        }
        this.buckets.end();
        this.onChange();
    }

    setPalette(palette) {
        this.materials.setPalette(palette);
        this.refresh();
    }

    setHidden(indices, hidden) {
        for (const index of indices) this.hidden[index] = hidden ? 1 : 0;
        this.refresh();
    }

    setAround(around) {
        this.around = around;
        this.refresh();
    }

    setExplode(factor) {
        this.explode = factor;
        this.refresh();
    }

    setEdges(on) {
        this.buckets.showEdges = on;
        this.refresh();
    }

    /** Box around the given parts, or around all that is drawn and not far away. */
    boundsOf(indices = null) {
        const box = new Box3();
        const shift = new Vector3();
        for (const index of indices ?? this.boxes.keys()) {
            if (!indices && (this.styleOf(index) == null || this.report.far.has(index) || this.isPlane(index))) continue;
            this.shift(index, shift);
            box.union(this.boxes[index].clone().translate(shift));
        }
        return box.isEmpty() ? this.bounds.clone() : box;
    }

    /** Triangles drawn now. */
    get drawn() {
        return this.buckets.list.reduce((sum, bucket) => sum + bucket.parts.length * bucket.shape.triangles, 0);
    }
}

