// SPDX-License-Identifier: MIT
// Distances and angles between what was picked: points, edges (segments) and faces (planes), in doubles. Points are arrays.

const sub = (p, q) => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const dot = (p, q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const along = (p, d, t) => [p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]];
const length = (v) => Math.hypot(...v);
const clamp = (t) => Math.min(Math.max(t, 0), 1);

export function cross(p, q) {
    return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}

export function unit(v) {
    const size = length(v);
    return size > 0 ? v.map((x) => x / size) : [0, 0, 0];
}

/** Two directions within so many radians of each other are taken as parallel: what floats of a mesh tell apart. */
const parallelAngle = 1e-4;

/** Angle between two lines, 0 to 90 degrees. */
function angleBetween(d, e) {
    return (Math.atan2(length(cross(d, e)), Math.abs(dot(d, e))) * 180) / Math.PI;
}

const isParallel = (d, e) => angleBetween(d, e) < (parallelAngle * 180) / Math.PI;

function nearestOnSegment(p, [a, b]) {
    const d = sub(b, a);
    const size = dot(d, d);
    return size > 0 ? along(a, d, clamp(dot(sub(p, a), d) / size)) : a;
}

/** Nearest points of two segments (Ericson, Real-Time Collision Detection, 5.1.9). */
function nearestOfSegments([p1, q1], [p2, q2]) {
    const d1 = sub(q1, p1), d2 = sub(q2, p2), r = sub(p1, p2);
    const a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r);
    if (a === 0) return [p1, nearestOnSegment(p1, [p2, q2])];
    if (e === 0) return [nearestOnSegment(p2, [p1, q1]), p2];
    const c = dot(d1, r), b = dot(d1, d2), denominator = a * e - b * b;
    let s = denominator > 1e-14 * a * e ? clamp((b * f - c * e) / denominator) : 0;
    let t = (b * s + f) / e;
    if (t < 0) [s, t] = [clamp(-c / a), 0];
    else if (t > 1) [s, t] = [clamp((b - c) / a), 1];
    return [along(p1, d1, s), along(p2, d2, t)];
}

const onPlane = (p, { point, normal }) => along(p, normal, -dot(sub(p, point), normal));

/**
 * Measures between two picks {kind: 'point' | 'edge' | 'face', point, ends, normal}. A face is the plane it lies in.
 * @return {ends: two points, distance, angle: degrees or null, what: words}
 */
export function measureBetween(p, q) {
    const order = ['point', 'edge', 'face'];
    if (order.indexOf(p.kind) > order.indexOf(q.kind)) {
        const { ends, ...rest } = measureBetween(q, p);
        return { ends: ends.reverse(), ...rest };
    }
    const result = (ends, what, angle = null) => ({ ends, distance: length(sub(ends[0], ends[1])), angle, what });
    const kinds = `${p.kind}-${q.kind}`;
    if (kinds === 'point-point') return result([p.point, q.point], 'between points');
    if (kinds === 'point-edge') return result([p.point, nearestOnSegment(p.point, q.ends)], 'from point to edge');
    if (kinds === 'point-face') return result([p.point, onPlane(p.point, q)], 'from point to plane');
    if (kinds === 'edge-edge')
        return result(nearestOfSegments(p.ends, q.ends), 'between edges', angleBetween(sub(...p.ends), sub(...q.ends)));
    if (kinds === 'edge-face') {
        const nearer = [...p.ends].sort((a, b) => Math.abs(dot(sub(a, q.point), q.normal)) - Math.abs(dot(sub(b, q.point), q.normal)))[0];
        return result([nearer, onPlane(nearer, q)], 'from edge to plane', 90 - angleBetween(sub(...p.ends), q.normal));
    }
    const angle = angleBetween(p.normal, q.normal);
    if (isParallel(p.normal, q.normal)) return result([p.point, onPlane(p.point, q)], 'between parallel planes', angle);
    return result([p.point, q.point], 'between points on faces', angle);
}

/** Length of an edge, or null for other picks. */
export function lengthOf(pick) {
    return pick.kind === 'edge' ? length(sub(...pick.ends)) : null;
}
