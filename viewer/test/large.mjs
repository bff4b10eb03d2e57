// SPDX-License-Identifier: MIT
// A block of wavy balls in a grid, each touching into its neighbour: as many parts and triangles as one wants.
import { boundsOf, moved, wavyBall } from './shapes.mjs';
import { blockOf, hashOf } from './write.mjs';

const spacing = 22;

/** @param eachOwn  every ball is a mesh of its own; otherwise they are instances of eight */
export function large(count, triangles, { eachOwn = true } = {}) {
    const columns = Math.max(8, Math.round(Math.sqrt(triangles)));
    const rows = Math.max(3, Math.round(triangles / (2 * columns)) + 1);
    const side = Math.ceil(Math.cbrt(count));
    const parts = [], geometries = [], blocks = [];
    for (let i = 0; i < count; i++) {
        const cell = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
        const where = cell.map((x) => x * spacing);
        const shape = eachOwn ? i : i % 8;
        const mesh = wavyBall(10 + (shape % 8) * 0.3, 3 + (shape % 8), rows, columns);
        if (shape === blocks.length) {
            const { about, bytes } = blockOf(mesh);
            geometries.push(about);
            blocks.push(bytes);
        }
        parts.push({
            name: `ball ${i}`, path: ['field', `layer ${cell[2]}`, `row ${cell[1]}`, `ball ${i}`], triangles: mesh.indices.length / 3,
            box: boundsOf(moved(mesh, where)), closed: true, file: 0,
            transform: [1, 0, 0, where[0], 0, 1, 0, where[1], 0, 0, 1, where[2]], geometry: shape,
        });
    }
    const findings = [];
    for (let i = 0; i + 1 < count; i += 3) {
        if (i % side === side - 1) continue;
        const box = [0, 1, 2].map((k) => Math.max(parts[i].box[k], parts[i + 1].box[k]));
        const high = [0, 1, 2].map((k) => Math.min(parts[i].box[k + 3], parts[i + 1].box[k + 3]));
        const point = box.map((x, k) => (x + high[k]) / 2);
        findings.push({
            id: hashOf(`ball ${i}`).slice(0, 12), a: i, b: i + 1, verdict: i % 2 ? 'too_close' : 'crosses', pairs: 40, point,
            depth: i % 2 ? null : [0.1, 0.2], gap: i % 2 ? [0.1, 0.1] : null, box: [...point.map((x) => x - 3), ...point.map((x) => x + 3)],
            rule: 'default', severity: i % 2 ? 'minor' : 'major', state: 'new',
        });
    }
    const header = { tool: 'graze 0.6.0', title: 'field', units: 'mm', inputs: [{ path: 'field.glb' }], tolerances: { clearance: 0.2 } };
    return { report: { graze: 'report', version: 1, header, parts, geometries, findings, problems: [] }, blocks };
}
