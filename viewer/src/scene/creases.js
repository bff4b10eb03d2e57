// SPDX-License-Identifier: MIT
// Makes a mesh look like the body it is: round where it is round, sharp where it is sharp. Vertices are split where
// faces meet at more than the crease angle, normals are the area-weighted means of what stays together, and creases and
// open borders become lines. Everything in flat arrays, because a report may bring millions of triangles.

/** Degrees between faces above which there is an edge. */
const creaseAngle = 32;

/** Above this many triangles a facet is a pixel or two: flat shading is as good and costs nothing. */
export const creaseLimit = 600_000;

/** Merges vertices with equal coordinates, as in meshes that come as a soup of triangles. */
function welded(positions, indices) {
    const count = positions.length / 3;
    if (indices.length < 2 * count && count < indices.length) return indices; // shared already, as meshes usually are
    const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
    let size = 1;
    while (size < 2 * count) size *= 2;
    const table = new Int32Array(size).fill(-1);
    const first = new Uint32Array(count);
    for (let v = 0; v < count; v++) {
        const x = bits[3 * v], y = bits[3 * v + 1], z = bits[3 * v + 2];
        let slot = (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) >>> 0;
        slot = Math.imul(slot ^ (slot >>> 15), 0x2c1b3c6d) & (size - 1);
        for (; ; slot = (slot + 1) & (size - 1)) {
            const other = table[slot];
            if (other < 0) {
                table[slot] = first[v] = v;
                break;
            }
            if (bits[3 * other] === x && bits[3 * other + 1] === y && bits[3 * other + 2] === z) {
                first[v] = other;
                break;
            }
        }
    }
    return Uint32Array.from(indices, (v) => first[v]);
}

/** Cross products (twice the area) and unit normals of all faces. */
function faceNormals(positions, indices) {
    const faces = indices.length / 3;
    const area = new Float32Array(3 * faces);
    const unit = new Float32Array(3 * faces);
    for (let f = 0; f < faces; f++) {
        const a = 3 * indices[3 * f], b = 3 * indices[3 * f + 1], c = 3 * indices[3 * f + 2];
        const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
        const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
        const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
        const scale = 1 / (Math.hypot(x, y, z) || 1);
        area[3 * f] = x, area[3 * f + 1] = y, area[3 * f + 2] = z;
        unit[3 * f] = x * scale, unit[3 * f + 1] = y * scale, unit[3 * f + 2] = z * scale;
    }
    return { area, unit };
}

/** For each vertex the corners (3 * face + k) that use it: corner list and where each vertex's share begins. */
function cornersOf(indices, vertexCount) {
    const start = new Uint32Array(vertexCount + 1);
    for (let c = 0; c < indices.length; c++) start[indices[c] + 1]++;
    for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];
    const fill = start.slice(0, vertexCount);
    const corners = new Uint32Array(indices.length);
    for (let c = 0; c < indices.length; c++) corners[fill[indices[c]]++] = c;
    return { start, corners };
}

function cosine(unit, f, g) {
    return unit[3 * f] * unit[3 * g] + unit[3 * f + 1] * unit[3 * g + 1] + unit[3 * f + 2] * unit[3 * g + 2];
}

/** Splits vertices at creases: the vertex each corner uses now, and which old vertex each new one came from. */
function split(indices, vertexCount, { start, corners }, unit, limit) {
    const index = new Uint32Array(indices.length);
    const source = [];
    const groups = []; // [face that speaks for the group, vertex of the group] of the vertex at hand
    let next = vertexCount;
    for (let v = 0; v < vertexCount; v++) {
        groups.length = 0;
        for (let k = start[v]; k < start[v + 1]; k++) {
            const face = (corners[k] / 3) | 0;
            let vertex = -1;
            for (let g = 0; g < groups.length && vertex < 0; g += 2)
                if (cosine(unit, face, groups[g]) > limit) vertex = groups[g + 1];
            if (vertex < 0) {
                if (groups.length === 0) vertex = v;
                else {
                    vertex = next++;
                    source.push(v);
                }
                groups.push(face, vertex);
            }
            index[corners[k]] = vertex;
        }
    }
    return { index, source };
}

/** Pairs of vertices along which the body has a crease or ends. */
function creaseEdges(indices, { start, corners }, unit, limit) {
    const edges = [];
    const faces = indices.length / 3;
    for (let f = 0; f < faces; f++)
        for (let k = 0; k < 3; k++) {
            const u = indices[3 * f + k], v = indices[3 * f + ((k + 1) % 3)];
            let other = -1;
            for (let c = start[u]; c < start[u + 1] && other < 0; c++) {
                const g = (corners[c] / 3) | 0;
                if (g !== f && (indices[3 * g] === v || indices[3 * g + 1] === v || indices[3 * g + 2] === v)) other = g;
            }
            if (other < 0 || (f < other && cosine(unit, f, other) < limit)) edges.push(u, v);
        }
    return edges;
}

function meanNormals(index, vertexCount, area) {
    const sum = new Float32Array(3 * vertexCount);
    for (let c = 0; c < index.length; c++) {
        const f = 3 * ((c / 3) | 0), v = 3 * index[c];
        sum[v] += area[f], sum[v + 1] += area[f + 1], sum[v + 2] += area[f + 2];
    }
    const normals = new Int16Array(4 * vertexCount); // four, not three: attributes are aligned to four bytes
    for (let v = 0; v < vertexCount; v++) {
        const scale = 32767 / (Math.hypot(sum[3 * v], sum[3 * v + 1], sum[3 * v + 2]) || 1);
        for (let k = 0; k < 3; k++) normals[4 * v + k] = sum[3 * v + k] * scale;
    }
    return normals;
}

/** Positions, indices, normals and edges to draw a mesh with. */
export function crease(positions, rawIndices, angle = creaseAngle) {
    const limit = Math.cos((angle * Math.PI) / 180);
    const indices = welded(positions, rawIndices);
    const vertexCount = positions.length / 3;
    const { area, unit } = faceNormals(positions, indices);
    const uses = cornersOf(indices, vertexCount);
    const { index, source } = split(indices, vertexCount, uses, unit, limit);
    const all = new Float32Array(positions.length + 3 * source.length);
    all.set(positions);
    for (let i = 0; i < source.length; i++)
        for (let k = 0; k < 3; k++) all[positions.length + 3 * i + k] = positions[3 * source[i] + k];
    const total = all.length / 3;
    return {
        positions: all,
        indices: total < 65536 ? Uint16Array.from(index) : index,
        normals: meanNormals(index, total, area),
        edges: Uint32Array.from(creaseEdges(indices, uses, unit, limit)),
    };
}
