// SPDX-License-Identifier: MIT
// Simple closed bodies for sample reports: boxes, turned parts, rings with teeth. Meshes are {positions, indices}, flat.

export function box(lower, upper) {
    const positions = [];
    for (let k = 0; k < 8; k++) positions.push((k & 1 ? upper : lower)[0], (k & 2 ? upper : lower)[1], (k & 4 ? upper : lower)[2]);
    const indices = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
    return { positions, indices };
}

/** Turns a closed profile of [along, radius] about the x axis; radii are above zero, so the body is a ring. */
export function ring(profile, steps = 48) {
    const positions = [];
    const indices = [];
    for (let s = 0; s < steps; s++) {
        const angle = (2 * Math.PI * s) / steps;
        for (const [x, r] of profile) positions.push(x, r * Math.cos(angle), r * Math.sin(angle));
    }
    const n = profile.length;
    for (let s = 0; s < steps; s++)
        for (let k = 0; k < n; k++) {
            const a = s * n + k, b = s * n + ((k + 1) % n);
            const c = ((s + 1) % steps) * n + k, d = ((s + 1) % steps) * n + ((k + 1) % n);
            indices.push(a, b, c, b, d, c);
        }
    return { positions, indices };
}

/** Turns an open profile of [along, radius] about the x axis and closes its ends on the axis. */
export function turned(profile, steps = 48) {
    const positions = [];
    const indices = [];
    const n = profile.length;
    for (let s = 0; s < steps; s++) {
        const angle = (2 * Math.PI * s) / steps;
        for (const [x, r] of profile) positions.push(x, r * Math.cos(angle), r * Math.sin(angle));
    }
    const first = positions.length / 3;
    positions.push(profile[0][0], 0, 0, profile[n - 1][0], 0, 0);
    for (let s = 0; s < steps; s++) {
        const here = s * n, there = ((s + 1) % steps) * n;
        for (let k = 0; k + 1 < n; k++) indices.push(here + k, here + k + 1, there + k, here + k + 1, there + k + 1, there + k);
        indices.push(first, here, there, first + 1, there + n - 1, here + n - 1);
    }
    return { positions, indices };
}

/** A spur gear about the x axis: `teeth` teeth of the given module, with a bore. */
export function gear(teeth, module, bore, width, turn = 0) {
    const pitch = (teeth * module) / 2;
    const root = pitch - 1.25 * module, tip = pitch + module;
    const outline = [];
    for (let t = 0; t < teeth; t++)
        for (const [share, r] of [[-0.38, root], [-0.27, root + 0.3 * module], [-0.2, pitch], [-0.1, tip], [0.1, tip], [0.2, pitch], [0.27, root + 0.3 * module], [0.38, root]])
            outline.push([turn + (2 * Math.PI * (t + share)) / teeth, r]);
    const positions = [];
    const indices = [];
    for (const [angle, r] of outline)
        for (const [x, radius] of [[-width / 2, bore], [-width / 2, r], [width / 2, r], [width / 2, bore]])
            positions.push(x, radius * Math.cos(angle), radius * Math.sin(angle));
    const n = outline.length;
    for (let s = 0; s < n; s++)
        for (let k = 0; k < 4; k++) {
            const a = 4 * s + k, b = 4 * s + ((k + 1) % 4), c = 4 * ((s + 1) % n) + k, d = 4 * ((s + 1) % n) + ((k + 1) % 4);
            indices.push(a, c, b, b, c, d);
        }
    return { positions, indices };
}

/** A bolt along minus z, head above zero. */
export function bolt(diameter, length) {
    const head = { across: 0.95 * diameter, height: 0.65 * diameter };
    const positions = [];
    const indices = [];
    const steps = 24;
    const hexagon = (angle) => head.across / Math.cos(((angle + Math.PI / 6) % (Math.PI / 3)) - Math.PI / 6);
    const levels = [[-length, 0.42], [-length + 0.1 * diameter, 0.5], [0, 0.5], [0, null], [head.height, null]];
    for (let s = 0; s < steps; s++) {
        const angle = (2 * Math.PI * s) / steps;
        for (const [z, share] of levels) {
            const r = share == null ? hexagon(angle) : share * diameter;
            positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
        }
    }
    positions.push(0, 0, -length, 0, 0, head.height);
    const n = levels.length, low = steps * n, high = low + 1;
    for (let s = 0; s < steps; s++) {
        const a = s * n, b = ((s + 1) % steps) * n;
        for (let k = 0; k + 1 < n; k++) indices.push(a + k, b + k, a + k + 1, b + k, b + k + 1, a + k + 1);
        indices.push(low, b, a, high, a + n - 1, b + n - 1);
    }
    return { positions, indices };
}

/** Points along the border of a rectangle, equally many on each side, starting at the lower corner. */
function border(y0, z0, y1, z1, each) {
    const corners = [[y0, z0], [y1, z0], [y1, z1], [y0, z1]];
    const points = [];
    for (let side = 0; side < 4; side++)
        for (let k = 0; k < each; k++) {
            const [p, q] = [corners[side], corners[(side + 1) % 4]];
            points.push({ side, y: p[0] + ((q[0] - p[0]) * k) / each, z: p[1] + ((q[1] - p[1]) * k) / each });
        }
    return points;
}

/** A wall across the x axis with round bores: one field for each, side by side along y. `bores` are [y, radius] at z = 0. */
export function wall([lowX, highX], fields, [lowZ, highZ], bores, each = 14) {
    const positions = [];
    const indices = [];
    const known = new Map();
    const vertex = (...p) => {
        const key = p.map((x) => x.toFixed(6)).join();
        if (!known.has(key)) known.set(key, positions.push(...p) / 3 - 1);
        return known.get(key);
    };
    const quad = (a, b, c, d) => indices.push(a, b, c, a, c, d);
    bores.forEach(([y, r], field) => {
        const outline = border(fields[field], lowZ, fields[field + 1], highZ, each);
        const round = outline.map((p) => {
            const scale = r / Math.hypot(p.y - y, p.z);
            return [y + (p.y - y) * scale, p.z * scale];
        });
        outline.forEach((p, k) => {
            const next = (k + 1) % outline.length, q = outline[next];
            const ring = (x) => [vertex(x, p.y, p.z), vertex(x, q.y, q.z), vertex(x, ...round[next]), vertex(x, ...round[k])];
            const [low, high] = [ring(lowX), ring(highX)];
            quad(low[0], low[3], low[2], low[1]);
            quad(...high);
            quad(low[3], high[3], high[2], low[2]);
            const inner = (p.side === 1 && field < bores.length - 1) || (p.side === 3 && field > 0);
            if (!inner) quad(low[0], low[1], high[1], high[0]);
        });
    });
    return { positions, indices };
}

/** A ball whose surface has waves. */
export function wavyBall(radius, waves, rows, columns) {
    const positions = [0, 0, radius, 0, 0, -radius];
    const indices = [];
    for (let i = 1; i < rows; i++)
        for (let j = 0; j < columns; j++) {
            const u = (Math.PI * i) / rows, v = (2 * Math.PI * j) / columns;
            const r = radius * (1 + 0.08 * Math.sin(waves * u) * Math.cos(waves * v));
            positions.push(r * Math.sin(u) * Math.cos(v), r * Math.sin(u) * Math.sin(v), r * Math.cos(u));
        }
    const at = (i, j) => 2 + (i - 1) * columns + (j % columns);
    for (let j = 0; j < columns; j++) {
        indices.push(0, at(1, j), at(1, j + 1), 1, at(rows - 1, j + 1), at(rows - 1, j));
        for (let i = 1; i + 1 < rows; i++)
            indices.push(at(i, j), at(i + 1, j), at(i, j + 1), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1));
    }
    return { positions, indices };
}

/** The mesh moved, after a turn of the x axis into `axis`. */
export function moved(mesh, [dx, dy, dz], axis = 'x') {
    const positions = [];
    for (let i = 0; i < mesh.positions.length; i += 3) {
        const [x, y, z] = mesh.positions.slice(i, i + 3);
        const [u, v, w] = axis === 'z' ? [y, z, x] : axis === 'y' ? [z, x, y] : [x, y, z];
        positions.push(u + dx, v + dy, w + dz);
    }
    return { positions, indices: mesh.indices };
}

export function boundsOf({ positions }) {
    const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i++) {
        const k = i % 3;
        bounds[k] = Math.min(bounds[k], positions[i]);
        bounds[k + 3] = Math.max(bounds[k + 3], positions[i]);
    }
    return bounds;
}
