// SPDX-License-Identifier: MIT
// Where parts are at a time, in frames from 1: between two frames a part makes one turn, as the tool decided it. The
// quaternion runs along a line and is not of length 1: p is at R(t) (p - centre) + start + way t.

/** What a part does from one frame to the next; null where it rests. 13 numbers are a turn by nothing, 17 one by something. */
export function readTrack(raw, frames) {
    if (!raw) return null;
    if (raw.length !== Math.max(frames - 1, 0) || !raw.every((step) => step === null || ((step.length === 13 || step.length === 17) && step.every(Number.isFinite))))
        return null;
    return raw.map((step) => step && {
        from: step.slice(0, 4),
        to: step.length === 17 ? step.slice(4, 8) : step.slice(0, 4),
        centre: step.slice(-9, -6),
        start: step.slice(-6, -3),
        way: step.slice(-3),
    });
}

/** The matrix of a step at t from 0 to 1: three rows of four numbers. */
function matrixOf({ from, to, centre, start, way }, t) {
    const [w, x, y, z] = from.map((q, k) => (1 - t) * q + t * to[k]);
    const s = 2 / (w * w + x * x + y * y + z * z);
    const rows = [
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ];
    return rows.flatMap((row, k) => [...row, start[k] + way[k] * t - row[0] * centre[0] - row[1] * centre[1] - row[2] * centre[2]]);
}

/** The transform of a part at a time. */
export function transformAt(part, time) {
    const { track, transform } = part;
    if (!track || time <= 1) return transform;
    let at = Math.min(Math.floor(time) - 1, track.length - 1);
    let t = Math.min(time - 1 - at, 1);
    while (at >= 0 && !track[at]) { // it rests since
        at--;
        t = 1;
    }
    return at < 0 ? transform : matrixOf(track[at], t);
}

/** The time of the first of all findings, or of one. */
export function impactOf(findings) {
    return findings.reduce((first, { time }) => (time && !(time[0] >= first) ? time[0] : first), Infinity);
}
