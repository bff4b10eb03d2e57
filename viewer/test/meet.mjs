// SPDX-License-Identifier: MIT
// Where two sample meshes meet, in plain floating point: good enough to have something to look at, and nothing more.
// (The library does this exactly.)

const sub = (p, q) => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const dot = (p, q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p, q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];

function triangles({ positions, indices }) {
    const list = [];
    for (let i = 0; i < indices.length; i += 3) {
        const corners = [0, 1, 2].map((k) => positions.slice(3 * indices[i + k], 3 * indices[i + k] + 3));
        const lower = [0, 1, 2].map((k) => Math.min(corners[0][k], corners[1][k], corners[2][k]));
        const upper = [0, 1, 2].map((k) => Math.max(corners[0][k], corners[1][k], corners[2][k]));
        const normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
        list.push({ corners, lower, upper, normal, level: dot(normal, corners[0]) });
    }
    return list;
}

const apart = (p, q) => [0, 1, 2].some((k) => p.lower[k] > q.upper[k] || q.lower[k] > p.upper[k]);

/** The points where the border of p goes through the plane of q. */
function through(p, q) {
    const sides = p.corners.map((corner) => dot(q.normal, corner) - q.level);
    const points = [];
    for (let k = 0; k < 3; k++) {
        const s = sides[k], t = sides[(k + 1) % 3];
        if (s < 0 === t < 0) continue;
        const share = s / (s - t);
        points.push(p.corners[k].map((x, i) => x + share * (p.corners[(k + 1) % 3][i] - x)));
    }
    return points;
}

/** The segment two triangles share, or null. */
function shared(p, q) {
    const along = cross(p.normal, q.normal);
    const mine = through(p, q), theirs = through(q, p);
    if (mine.length < 2 || theirs.length < 2) return null;
    const order = (points) => points.sort((x, y) => dot(along, x) - dot(along, y));
    const [m, t] = [order(mine), order(theirs)];
    const low = dot(along, m[0]) > dot(along, t[0]) ? m[0] : t[0];
    const high = dot(along, m[1]) < dot(along, t[1]) ? m[1] : t[1];
    return dot(along, low) < dot(along, high) ? [low, high] : null;
}

/** Curves along which two meshes cross, as polylines, and how many pairs of triangles make them. */
export function crossing(meshA, meshB) {
    const as = triangles(meshA), bs = triangles(meshB);
    const segments = [];
    for (const a of as)
        for (const b of bs) {
            if (apart(a, b)) continue;
            const segment = shared(a, b);
            if (segment) segments.push(segment);
        }
    return { pairs: segments.length, curves: chained(segments) };
}

/** Joins segments that share an end. */
function chained(segments) {
    const name = (p) => p.map((x) => Math.round(x * 1e5)).join(',');
    const at = new Map();
    const open = new Set(segments);
    for (const segment of segments)
        for (const end of segment) at.set(name(end), [...(at.get(name(end)) ?? []), segment]);
    const follow = (chain) => {
        for (;;) {
            const here = name(chain[chain.length - 1]);
            const next = (at.get(here) ?? []).find((segment) => open.has(segment));
            if (!next) return;
            open.delete(next);
            chain.push(name(next[0]) === here ? next[1] : next[0]);
        }
    };
    const curves = [];
    for (const segment of segments) {
        if (!open.delete(segment)) continue;
        const chain = [...segment];
        follow(chain);
        chain.reverse();
        follow(chain);
        if (chain.length > 3 && name(chain[0]) === name(chain[chain.length - 1])) chain[chain.length - 1] = chain[0];
        curves.push(chain.flat());
    }
    return curves;
}

export function boundsOfCurves(curves) {
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (const curve of curves)
        for (let i = 0; i < curve.length; i++) {
            box[i % 3] = Math.min(box[i % 3], curve[i]);
            box[(i % 3) + 3] = Math.max(box[(i % 3) + 3], curve[i]);
        }
    return box;
}
