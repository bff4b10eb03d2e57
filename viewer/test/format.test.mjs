// SPDX-License-Identifier: MIT
// The format and the pure pieces, without a browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { meshOfBytes } from '../src/report/geometry.js';
import { interval, number } from '../src/report/numbers.js';
import { readReport, ReportError } from '../src/report/read.js';
import { Review } from '../src/report/review.js';
import { crease } from '../src/scene/creases.js';
import { gearbox, large, viewOf } from './sample.mjs';
import { box, gear, ring, turned, wall } from './shapes.mjs';
import { blockOf, template } from './write.mjs';

const schema = JSON.parse(readFileSync(new URL('../report.schema.json', import.meta.url)));
const conforms = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

test('every sample conforms to the schema', () => {
    for (const sample of [gearbox(), gearbox({ everything: false }), viewOf(gearbox()), large(30, 200)])
        assert.ok(conforms(JSON.parse(JSON.stringify(sample.report))), JSON.stringify(conforms.errors?.slice(0, 3)));
});

test('the schema refuses what is misspelt', () => {
    const { report } = gearbox();
    assert.ok(!conforms({ ...report, findings: [{ ...report.findings[0], verdict: 'cross' }] }));
    assert.ok(!conforms({ ...report, findings: [{ ...report.findings[0], gaps: [0, 1] }] }));
});

test('the sample has a finding of every verdict', () => {
    const found = new Set(gearbox().report.findings.map(({ verdict }) => verdict));
    assert.deepEqual([...found].sort(), ['contains', 'crosses', 'duplicate', 'self', 'too_close', 'touches']);
});

test('a report that contradicts itself is refused', () => {
    const { report } = gearbox();
    assert.throws(() => readReport({ ...report, version: 2 }), ReportError);
    assert.throws(() => readReport({ ...report, findings: [{ ...report.findings[0], b: 4000 }] }), /part that is not there/);
    assert.throws(() => readReport({ ...report, parts: [{ ...report.parts[0], geometry: 999 }] }), /geometry 999/);
});

test('a block comes back as it was, and damage is noticed', () => {
    const mesh = gear(12, 2, 5, 8);
    const { about, bytes } = blockOf(mesh, { gzip: false });
    const back = meshOfBytes(bytes, about);
    assert.equal(back.positions.length, mesh.positions.length);
    mesh.positions.forEach((x, i) => assert.ok(Math.abs(back.positions[i] + about.offset[i % 3] - x) < 1e-5));
    assert.deepEqual([...back.indices], mesh.indices);
    assert.throws(() => meshOfBytes(bytes.subarray(4), about), /bytes/);
    const bad = Buffer.from(bytes);
    bad.writeUInt16LE(60000, bad.length - 2);
    assert.throws(() => meshOfBytes(bad, about), /index/);
});

test('intervals are rounded outwards', () => {
    assert.equal(interval([2, 2], 'mm'), '2\u202fmm');
    let tried = 0;
    for (let k = 1; k < 400; k++) {
        const [low, high] = [k * 0.013717, k * 0.013717 + 0.0071 * (k % 17) + 0.001];
        const printed = interval([low, high]).split(' – ').map((text) => Number(text.replace(/,/g, '')));
        if (printed.length < 2) continue;
        assert.ok(printed[0] <= low && printed[1] >= high, `${low} ${high} -> ${printed}`);
        tried++;
    }
    assert.ok(tried > 300);
    assert.equal(number(1234567.25, 8), '1,234,567.3');
});

test('a box has twelve edges and three normals at each corner', () => {
    const mesh = box([0, 0, 0], [1, 2, 3]);
    const body = crease(Float32Array.from(mesh.positions), Uint16Array.from(mesh.indices));
    assert.equal(body.edges.length / 2, 12);
    assert.equal(body.positions.length / 3, 24);
});

test('a turned body is round along and sharp at its ends', () => {
    const mesh = turned([[0, 5], [20, 5]], 48);
    const body = crease(Float32Array.from(mesh.positions), Uint16Array.from(mesh.indices));
    assert.equal(body.edges.length / 2, 96, 'two rims');
});

test('a soup of triangles has the creases of the body it is', () => {
    const mesh = box([0, 0, 0], [1, 1, 1]);
    const positions = mesh.indices.flatMap((v) => mesh.positions.slice(3 * v, 3 * v + 3));
    const body = crease(Float32Array.from(positions), Uint16Array.from(positions.keys()).subarray(0, mesh.indices.length));
    assert.equal(body.edges.length / 2, 12);
});

test('sample bodies are closed', () => {
    const bodies = [box([0, 0, 0], [1, 1, 1]), gear(17, 2, 6, 10), turned([[0, 2], [4, 2]], 20), ring([[0, 2], [1, 2], [1, 3]], 20),
        wall([0, 1], [0, 10, 20], [-5, 5], [[5, 3], [15, 2]])];
    for (const { indices } of bodies) {
        const edges = new Map();
        for (let i = 0; i < indices.length; i += 3)
            for (let k = 0; k < 3; k++) {
                const [u, v] = [indices[i + k], indices[i + ((k + 1) % 3)]];
                edges.set(`${u} ${v}`, (edges.get(`${u} ${v}`) ?? 0) + 1);
            }
        for (const [edge, times] of edges) assert.deepEqual([times, edges.get(edge.split(' ').reverse().join(' '))], [1, 1]);
    }
});

test('decisions become a rules file', () => {
    const report = readReport(gearbox().report);
    const kept = new Map();
    const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
    const review = new Review(report, storage);
    const was = review.rules().approve.length;
    assert.equal(was, 1, 'what the tool wrote as approved');
    review.approve(report.findings[0], 'press fit');
    assert.deepEqual(review.rules().approve.find(({ id }) => id === report.findings[0].id), {
        id: report.findings[0].id, a: 'gearbox/gears/pinion z19', b: 'gearbox/gears/wheel z29', reason: 'press fit',
    });
    assert.equal(new Review(report, storage).rules().approve.length, was + 1, 'kept');
    review.reopen(report.findings[0]);
    assert.equal(kept.size, 0, 'back to what the tool wrote');
    assert.equal(new Review(report, null).rules().approve.length, was, 'works without storage');
});

test('the built page keeps the licence of three.js, fetches nothing, and ends open for the data', () => {
    const page = readFileSync(template, 'utf8');
    assert.match(page, /The MIT License[\s\S]*three\.js authors/);
    assert.doesNotMatch(page, /<(script|link|img)[^>]*(src|href)="(?!data:)/);
    assert.doesNotMatch(page, /<\/body>|<\/html>/);
    assert.ok(page.length < 1_500_000, `${page.length} bytes`);
});
