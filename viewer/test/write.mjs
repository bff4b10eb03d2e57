// SPDX-License-Identifier: MIT
// Writes a report the way the tool does: the built page, the JSON, the geometry blocks, appended one after another.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

export const template = new URL('../dist/report.html', import.meta.url);

/** A geometry block and what the report says of it. The offset is the middle of the mesh, so floats are small. */
export function blockOf({ positions, indices }, { gzip = true, closed = true } = {}) {
    const vertices = positions.length / 3;
    const offset = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
        let low = Infinity, high = -Infinity;
        for (let i = k; i < positions.length; i += 3) {
            low = Math.min(low, positions[i]);
            high = Math.max(high, positions[i]);
        }
        offset[k] = (low + high) / 2;
    }
    const floats = Float32Array.from(positions, (x, i) => x - offset[i % 3]);
    const index = vertices <= 65536 ? 'u16' : 'u32';
    const numbers = index === 'u16' ? Uint16Array.from(indices) : Uint32Array.from(indices);
    const raw = Buffer.concat([Buffer.from(floats.buffer), Buffer.from(numbers.buffer)]);
    return {
        about: { vertices, triangles: indices.length / 3, offset, index, encoding: gzip ? 'gzip' : 'raw', closed },
        bytes: gzip ? gzipSync(raw, { level: 6 }) : raw,
    };
}

export const hashOf = (text) => createHash('sha256').update(text).digest('hex');

/** The whole page. `blocks` in the order of report.geometries. */
export function pageOf(report, blocks, page = readFileSync(template, 'utf8')) {
    const json = JSON.stringify(report).replace(/</g, '\\u003c');
    const pieces = [page, `<script type="application/json" id="graze-report">${json}</script>\n`];
    blocks.forEach((bytes, number) =>
        pieces.push(`<script type="text/plain" id="graze-geometry-${number}">${bytes.toString('base64')}</script>\n`));
    return pieces.join('');
}
