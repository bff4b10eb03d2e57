// SPDX-License-Identifier: MIT
// Primitives as what they are: fine facets with the true normals of the surface, so that a sphere is round however near
// one comes, and lines only where there is an edge, as around the lids of a cylinder. In the frame of the shape.
import { BufferAttribute, BufferGeometry } from 'three';

const around = 128; // facets of a full circle
const halfway = around / 2;

class Surface {
    constructor() {
        this.positions = [];
        this.normals = [];
        this.indices = [];
        this.edges = [];
    }

    vertex(position, normal) {
        const length = Math.hypot(...normal) || 1;
        this.positions.push(...position);
        this.normals.push(...normal.map((x) => x / length));
        return this.positions.length / 3 - 1;
    }

    /** A grid of rows of vertices; each cell is two triangles. `point(row, column)` gives position and normal. */
    grid(rows, columns, point) {
        const first = this.positions.length / 3;
        for (let row = 0; row <= rows; row++)
            for (let column = 0; column <= columns; column++) this.vertex(...point(row, column));
        for (let row = 0; row < rows; row++)
            for (let column = 0; column < columns; column++) {
                const a = first + row * (columns + 1) + column, b = a + columns + 1;
                this.indices.push(a, b, a + 1, a + 1, b, b + 1);
            }
    }

    /** A disk across z, seen from the side of `up`, with its rim as an edge. */
    disk(radius, z, up) {
        const centre = this.vertex([0, 0, z], [0, 0, up]);
        for (let k = 0; k < around; k++) {
            const angle = (2 * Math.PI * k) / around;
            const at = this.vertex([radius * Math.cos(angle), radius * Math.sin(angle), z], [0, 0, up]);
            const next = k + 1 < around ? at + 1 : centre + 1;
            this.indices.push(centre, ...(up > 0 ? [at, next] : [next, at]));
            this.edges.push(at, next);
        }
    }
}

/** A ball whose radii along the axes may differ; the upper half moved by `lift` along z, which makes a capsule of it. */
function ball(surface, radii, lift = 0) {
    surface.grid(halfway + (lift > 0 ? 1 : 0), around, (row, column) => {
        const lower = lift > 0 ? row > halfway / 2 : false;
        const polar = (Math.PI * (lower ? row - 1 : row)) / halfway;
        const angle = (2 * Math.PI * column) / around;
        const unit = [Math.sin(polar) * Math.cos(angle), Math.sin(polar) * Math.sin(angle), Math.cos(polar)];
        const position = unit.map((x, k) => x * radii[k]);
        position[2] += lift > 0 && !lower ? lift : 0;
        return [position, unit.map((x, k) => x * ((radii[(k + 1) % 3] * radii[(k + 2) % 3]) || 1e-300))];
    });
}

/** The side of a cone: from the radius below to that above. */
function side(surface, height, below, above) {
    surface.grid(1, around, (row, column) => {
        const angle = (2 * Math.PI * column) / around;
        const radius = row === 0 ? above : below;
        const out = [Math.cos(angle), Math.sin(angle)];
        return [[radius * out[0], radius * out[1], row === 0 ? height / 2 : -height / 2],
            [height * out[0], height * out[1], below - above]];
    });
}

/** Turns z into a direction, and moves. */
function place(surface, axis, origin) {
    const length = Math.hypot(...axis);
    if (length > 0) {
        const w = axis.map((x) => x / length);
        const least = w.map(Math.abs).indexOf(Math.min(...w.map(Math.abs)));
        const e = [0, 1, 2].map((k) => (k === least ? 1 : 0));
        const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        const across = cross(e, w), size = Math.hypot(...across);
        const u = across.map((x) => x / size), v = cross(w, u);
        for (const list of [surface.positions, surface.normals])
            for (let i = 0; i < list.length; i += 3) {
                const [x, y, z] = list.slice(i, i + 3);
                for (let k = 0; k < 3; k++) list[i + k] = u[k] * x + v[k] * y + w[k] * z;
            }
    }
    for (let i = 0; i < surface.positions.length; i++) surface.positions[i] += origin[i % 3];
}

const kinds = {
    sphere(surface, { centre, radius }) {
        ball(surface, [radius, radius, radius]);
        place(surface, [0, 0, 0], centre);
    },
    ellipsoid(surface, { radii }) {
        ball(surface, radii);
    },
    capsule(surface, { ends: [from, to], radius }) {
        const axis = to.map((x, k) => x - from[k]);
        ball(surface, [radius, radius, radius], Math.hypot(...axis));
        place(surface, axis, from);
    },
    cylinder(surface, { height, radius }) {
        side(surface, height, radius, radius);
        surface.disk(radius, height / 2, 1);
        surface.disk(radius, -height / 2, -1);
    },
    cone(surface, { height, radius }) {
        side(surface, height, radius, 0);
        surface.disk(radius, -height / 2, -1);
    },
};

/** Whether a geometry of the report is drawn as what it is rather than as its mesh. */
export function isPrimitive(shape) {
    return shape != null && shape.kind in kinds;
}

/** Faces with normals, and edges or null, of a primitive; positions are relative to `offset`. */
export function primitiveGeometry(shape, offset) {
    const surface = new Surface();
    kinds[shape.kind](surface, shape);
    const position = new BufferAttribute(Float32Array.from(surface.positions, (x, i) => x - offset[i % 3]), 3);
    const faces = new BufferGeometry();
    faces.setAttribute('position', position);
    faces.setAttribute('normal', new BufferAttribute(new Float32Array(surface.normals), 3));
    faces.setIndex(surface.indices);
    let edges = null;
    if (surface.edges.length > 0) {
        edges = new BufferGeometry();
        edges.setAttribute('position', position);
        edges.setIndex(surface.edges);
    }
    return { faces, edges, triangles: surface.indices.length / 3 };
}
