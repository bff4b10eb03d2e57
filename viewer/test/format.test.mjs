// SPDX-License-Identifier: MIT
// The format and the pure pieces, without a browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { meshOfBytes } from '../src/report/geometry.js';
import { extentOf } from '../src/report/extent.js';
import { clustersOf, groupFindings, matrixOf, partGroups } from '../src/report/groups.js';
import { interval, number } from '../src/report/numbers.js';
import { readReport, ReportError } from '../src/report/read.js';
import { Review, worseThan } from '../src/report/review.js';
import { crease } from '../src/scene/creases.js';
import { measureBetween } from '../src/scene/distances.js';
import { Filter } from '../src/ui/filter.js';
import { gearbox, large, viewOf } from './sample.mjs';
import { box, gear, ring, turned, wall } from './shapes.mjs';
import { blockOf, template } from './write.mjs';

const schema = JSON.parse(readFileSync(new URL('../report.schema.json', import.meta.url)));
const conforms = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

test('every sample conforms to the schema', () => {
    for (const sample of [gearbox(), gearbox({ everything: false }), gearbox({ version: 2, far: 1e9 }), viewOf(gearbox()), large(30, 200)])
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
    assert.throws(() => readReport({ ...report, version: 3 }), ReportError);
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
        id: report.findings[0].id, a: 'gearbox/gears/pinion z19', b: 'gearbox/gears/wheel z29', reason: 'press fit', verdict: 'crosses',
    });
    assert.equal(new Review(report, storage).rules().approve.length, was + 1, 'kept');
    review.reopen(report.findings[0]);
    assert.equal(kept.size, 0, 'back to what the tool wrote');
    assert.equal(new Review(report, null).rules().approve.length, was, 'works without storage');
});

/** A storage of its own for each review. */
function memory() {
    const kept = new Map();
    return { kept, getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
}

test('with version 2, approvals carry what was approved, and reviews go along', () => {
    const report = readReport(gearbox({ version: 2 }).report);
    const review = new Review(report, memory());
    const [teeth, deep] = report.findings;
    assert.deepEqual(review.rules().review.find(({ id }) => id === deep.id), { id: deep.id, state: 'assigned', assignee: 'Mara', comment: 'shorten the bolt' });
    review.approve(teeth, 'runs in');
    review.decide(deep, { state: 'fixed' });
    const rules = review.rules();
    assert.deepEqual(rules.approve.find(({ id }) => id === teeth.id), {
        id: teeth.id, a: 'gearbox/gears/pinion z19', b: 'gearbox/gears/wheel z29', reason: 'runs in', verdict: 'crosses', depth: [0.5, 0.505],
        point: teeth.point,
    });
    assert.deepEqual(rules.review.find(({ id }) => id === deep.id), { id: deep.id, state: 'fixed', assignee: 'Mara', comment: 'shorten the bolt' });
    const first = new Review(readReport(gearbox().report), null);
    first.decide(first.report.findings[1], { state: 'assigned', assignee: 'Ben' });
    assert.equal(first.rules().review, undefined, 'a tool of version 1 refuses the key');
    assert.equal(first.rules()['x-review'].length, 2);
});

test('an approval kept here lapses when the finding gets worse, and not before', () => {
    const storage = memory();
    const { report: raw } = gearbox({ version: 2 });
    const before = readReport(raw);
    new Review(before, storage).approve(before.findings[0], 'runs in');
    const after = (change) => {
        const report = readReport({ ...raw, findings: [{ ...raw.findings[0], ...change }, ...raw.findings.slice(1)] });
        return new Review(report, storage).of(report.findings[0]);
    };
    assert.equal(after({}).state, 'approved');
    assert.equal(after({ depth: [0.501, 0.6] }).state, 'approved', 'may be the same depth');
    assert.deepEqual([after({ depth: [0.51, 0.6] }).review, after({ depth: [0.51, 0.6] }).lapsed], ['open', 'deeper than approved']);
    assert.match(after({ verdict: 'contains' }).lapsed, /was crosses/);
    assert.equal(after({ verdict: 'touches', depth: null }).state, 'approved', 'better than approved');
    assert.match(after({ verdict: 'duplicate' }).lapsed, /was crosses/, 'the tool ranks duplicates above all that cross');
    assert.equal(after({ verdict: 'undecided', depth: null }).state, 'approved');
    assert.equal(worseThan({ verdict: 'touches', gap: [0, 0] }, { verdict: 'crosses', gap: [1, 1] }), '', 'weaker is never worse');
    const twins = { verdict: 'duplicate', depth: null, set: [0, 1, 2] };
    assert.equal(worseThan(twins, { verdict: 'duplicate', set: [0, 1] }), 'more parts than approved');
    assert.equal(worseThan(twins, { verdict: 'duplicate', set: [0, 1, 2] }), '');
    assert.equal(worseThan({ verdict: 'too_close', gap: [0.1, 0.2] }, { verdict: 'too_close', gap: [0.3, 0.4] }), 'closer than approved');
});

test('the worst comes first: by severity, then by certain depth, then by gap', () => {
    const { report: raw } = gearbox();
    const finding = (id, severity, depth, gap) => ({ id, a: 0, b: 1, verdict: 'crosses', severity, depth, gap });
    raw.findings = [
        finding('a', 'minor', [9, 9]), finding('b', 'critical', [1, 30]), finding('c', 'critical', [2, 2]), finding('d', 'critical', null, [0.5, 0.5]),
        finding('e', 'critical', null, [0.1, 0.2]), finding('f', 'critical', [2, null]),
    ];
    const report = readReport(raw);
    const filter = new Filter(report, new Review(report, null));
    const order = (name) => filter.apply({ text: '', verdict: '', severity: '', state: '', groups: '', part: -1, order: name }).map(({ id }) => id).join('');
    assert.equal(order('worst'), 'fcbeda');
    assert.equal(order('depth'), 'afcbed');
    assert.equal(order('gap').slice(0, 2), 'ed');
});

test('groups are the nodes below what all parts have in common, or the files', () => {
    const report = readReport(gearbox().report);
    const groups = partGroups(report);
    assert.deepEqual(groups.names, ['housing', 'shafts', 'gears', 'bearings', 'fasteners']);
    const cells = matrixOf(groups.groupOf, report.findings);
    assert.equal([...cells.values()].reduce((sum, findings) => sum + findings.length, 0), report.findings.length);
    assert.equal(cells.get('0-4').length, 4, 'cover and bolts');
    const flat = gearbox().report;
    for (const part of flat.parts) part.path = [part.name];
    assert.deepEqual(partGroups(readReport(flat)).names, ['gearbox.glb', 'm8.stl']);
});

test('findings are grouped by part, by cluster and by pair of groups, each once', () => {
    const report = readReport(gearbox().report);
    const groups = partGroups(report);
    for (const by of ['part', 'cluster', 'groups']) {
        const grouped = groupFindings(report, report.findings, by, groups);
        assert.deepEqual(grouped.flatMap(({ findings }) => findings.map(({ id }) => id)).sort(), report.findings.map(({ id }) => id).sort(), by);
    }
    const byPart = groupFindings(report, report.findings, 'part', groups);
    assert.equal(byPart.find(({ title }) => title === 'cover').findings.length, 4);
    const clusters = clustersOf(report.parts, report.findings);
    assert.equal(clusters[report.findings[8].b], clusters[report.findings[9].b], 'bolts are connected by the cover');
    assert.notEqual(clusters[report.findings[0].a], clusters[report.findings[8].b]);
});

test('a part far away does not move the model, and a terrain around it is not far', () => {
    const home = [[0, 0, 0, 1, 1, 1], [2, 0, 0, 3, 1, 1], [0, 2, 0, 1, 3, 1], [2, 2, 0, 3, 3, 1]];
    for (const away of [1e4, 1e9, 1e30, 1e300]) {
        const { origin, far } = extentOf([...home, [away, 0, 0, away * 1.1, 1, 1]]);
        assert.deepEqual([origin, [...far]], [[1.5, 1.5, 0.5], [4]], String(away));
    }
    assert.equal(extentOf([...home, [60, 0, 0, 61, 1, 1]]).far.size, 0, 'a loose part is none');
    assert.equal(extentOf([...home, [-1e6, -1e6, -1, 1e6, 1e6, 0]]).far.size, 0, 'a terrain is none');
    assert.deepEqual(extentOf([[5, 5, 5, 7, 7, 7]]), { origin: [6, 6, 6], far: new Set() });
    const twoHalves = [...home, ...home.map((box) => box.map((x) => x + 1e5))];
    assert.equal(extentOf(twoHalves).far.size, 4, 'of two distant halves one is shown first');
});

test('measures between points, edges and faces', () => {
    const point = (...p) => ({ kind: 'point', point: p });
    const edge = (p, q) => ({ kind: 'edge', ends: [p, q], point: p });
    const face = (p, normal) => ({ kind: 'face', point: p, normal });
    assert.equal(measureBetween(point(0, 0, 0), point(3, 4, 12)).distance, 13);
    assert.equal(measureBetween(point(0, 5, 0), edge([-1, 0, 0], [1, 0, 0])).distance, 5);
    assert.equal(measureBetween(point(4, 4, 0), edge([-1, 0, 0], [1, 0, 0])).distance, 5, 'beyond its end');
    assert.equal(measureBetween(face([9, 9, 2], [0, 0, 1]), point(1, 1, 7)).distance, 5);
    const skew = measureBetween(edge([-1, 0, 0], [1, 0, 0]), edge([0, -1, 3], [0, 1, 3]));
    assert.deepEqual([skew.distance, skew.angle], [3, 90]);
    assert.equal(measureBetween(edge([0, 0, 0], [4, 0, 0]), edge([1, 2, 0], [9, 2, 0])).distance, 2, 'parallel');
    const planes = measureBetween(face([0, 0, 0], [0, 0, 1]), face([5, 5, 8], [0, 0, -1]));
    assert.deepEqual([planes.distance, planes.angle], [8, 0]);
    assert.ok(Math.abs(measureBetween(face([0, 0, 0], [0, 0, 1]), face([1, 0, 0], [1, 0, 0])).angle - 90) < 1e-9);
    assert.equal(measureBetween(face([0, 0, 0], [0, 0, 1]), edge([0, 0, 3], [0, 0, 9])).angle, 90);
});

test('the built page keeps the licence of three.js, fetches nothing, and ends open for the data', () => {
    const page = readFileSync(template, 'utf8');
    assert.match(page, /The MIT License[\s\S]*three\.js authors/);
    assert.doesNotMatch(page, /<(script|link|img)[^>]*(src|href)="(?!data:)/);
    assert.doesNotMatch(page, /<\/body>|<\/html>/);
    assert.ok(page.length < 1_500_000, `${page.length} bytes`);
});
