// SPDX-License-Identifier: MIT
// Where the model is: the box that an overview shows, and the parts too far away to be in it. One part at 1e9 must not
// make all others smaller than a pixel, nor cost their coordinates the digits that floats have.
//
// Parts are sorted by the distance of their box from the median of all centres. Among the far half, the first gap wider
// than `jump` times the extent so far ends the model; what lies beyond is far. A terrain that holds the others is at
// distance 0 and never far.

/** How many times the extent of the model a part must be away to count as far. */
const jump = 30;

function medianOf(values) {
    return Float64Array.from(values).sort()[(values.length - 1) >> 1];
}

const middleOf = (box) => [0, 1, 2].map((k) => box[k] / 2 + box[k + 3] / 2);

/** Distances from a point to the nearest and to the farthest point of a box. */
function distances(box, from) {
    const near = [0, 1, 2].map((k) => Math.max(box[k] - from[k], 0, from[k] - box[k + 3]));
    const far = [0, 1, 2].map((k) => Math.max(Math.abs(box[k] - from[k]), Math.abs(box[k + 3] - from[k])));
    return { near: Math.hypot(...near), far: Math.hypot(...far) };
}

export function unionOf(boxes) {
    const lower = [Infinity, Infinity, Infinity];
    const upper = [-Infinity, -Infinity, -Infinity];
    for (const box of boxes)
        for (let k = 0; k < 3; k++) {
            lower[k] = Math.min(lower[k], box[k]);
            upper[k] = Math.max(upper[k], box[k + 3]);
        }
    return [...lower, ...upper];
}

/**
 * The middle of the model, which is subtracted in doubles before anything becomes a float, and which parts are far from it.
 * @param boxes  of all parts, six numbers each
 */
export function extentOf(boxes) {
    if (boxes.length === 0) return { origin: [0, 0, 0], far: new Set() };
    const middles = boxes.map(middleOf);
    const median = [0, 1, 2].map((k) => medianOf(middles.map((middle) => middle[k])));
    const order = boxes.map((box, index) => ({ index, ...distances(box, median) })).sort((p, q) => p.near - q.near || p.index - q.index);
    const typical = medianOf(boxes.map((box) => Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]))) / 2;
    let extent = typical;
    let inside = 0;
    for (; inside < order.length; inside++) {
        const { near, far } = order[inside];
        if (near > jump * extent && 2 * inside >= order.length) break;
        extent = Math.max(extent, far);
    }
    const far = new Set(order.slice(Math.max(1, inside)).map(({ index }) => index));
    const kept = unionOf(boxes.filter((_, index) => !far.has(index)));
    return { origin: middleOf(kept), far };
}
