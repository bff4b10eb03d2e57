// SPDX-License-Identifier: MIT
// Primitives are drawn as what they are, half-spaces as sheets one sees through, pieces of compounds in colours of their
// own; in pages that the tool wrote.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import Ajv from 'ajv/dist/2020.js';
import { folder, launch, open, removeFolder } from './browser.mjs';
import { missingTool, reportOf, run } from './tool.mjs';

const skip = process.env.CI ? false : missingTool();
const schema = JSON.parse(readFileSync(new URL('../report.schema.json', import.meta.url)));
const conforms = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
const at = (name) => join(folder, name);
const address = (name) => pathToFileURL(at(name)).href;
const move = (x) => ({ position: [x, 0, 1] });
const objects = [
    { name: 'sphere', shape: { kind: 'sphere', radius: 1 }, pose: move(0) },
    { name: 'capsule', shape: { kind: 'capsule', ends: [[0, 0, 0], [0, 1, 1]], radius: 0.5 }, pose: move(3) },
    { name: 'cylinder', shape: { kind: 'cylinder', height: 2, radius: 1 }, pose: move(6) },
    { name: 'cone', shape: { kind: 'cone', height: 2, radius: 1 }, pose: move(9) },
    { name: 'ellipsoid', shape: { kind: 'ellipsoid', radii: [1, 0.5, 0.25] }, pose: move(12) },
    { name: 'floor', shape: { kind: 'half_space', normal: [0, 0, 1], offset: 0 } },
    {
        name: 'pair', pose: move(15),
        shape: { kind: 'compound', parts: [{ shape: { kind: 'box', size: [1, 1, 1] } }, { shape: { kind: 'sphere', radius: 0.4 }, pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1] }] },
    },
];
let browser, shown;

before(async () => {
    if (skip) return;
    writeFileSync(at('scene.json'), JSON.stringify({ graze: 'scene', version: 1, objects }));
    assert.equal(run(folder, 'view', 'scene.json', '-o', 'scene.html').code, 0);
    browser = await launch();
    shown = await open(browser, address('scene.html'));
});

after(async () => {
    await browser?.close();
    removeFolder();
});

/** What each part is drawn with. */
const drawn = (page) => page.evaluate(() => Object.fromEntries(window.graze.view.parts.report.parts.map((part) => {
    const { parts } = window.graze.view;
    const { faces, edges, offset, isPlane } = parts.shapeOf(part);
    const positions = faces.getAttribute('position'), normals = faces.getAttribute('normal');
    const points = Array.from({ length: positions.count }, (_, i) => [0, 1, 2].map((k) => positions.getComponent(i, k) + offset[k]));
    const directions = Array.from({ length: normals.count }, (_, i) => [0, 1, 2].map((k) => normals.getComponent(i, k)));
    return [part.name, { points, directions, indices: [...faces.index.array], edges: edges?.index.count ?? 0, isPlane, color: parts.colorOf(part.index, 'solid') }];
})));

test('pages with shapes conform to the schema and complain about nothing', { skip }, () => {
    assert.ok(conforms(reportOf(at('scene.html'))), JSON.stringify(conforms.errors?.slice(0, 3)));
    assert.deepEqual(shown.complaints, []);
});

test('a sphere has the points and normals of a sphere, and no edges', { skip }, async () => {
    const { points, directions, edges } = (await drawn(shown.page)).sphere;
    assert.ok(points.length > 4000 && edges === 0);
    points.forEach((point, i) => {
        assert.ok(Math.abs(Math.hypot(...point) - 1) < 1e-6);
        assert.ok(Math.hypot(...point.map((x, k) => x - directions[i][k])) < 1e-6);
    });
});

test('points of all primitives lie on them, and their faces look outward', { skip }, async () => {
    const all = await drawn(shown.page);
    const on = {
        capsule: ([x, y, z]) => {
            const along = Math.min(1, Math.max(0, (y + z) / 2));
            return Math.hypot(x, y - along, z - along) - 0.5;
        },
        cylinder: ([x, y, z]) => Math.max(Math.hypot(x, y) - 1, Math.abs(z) - 1),
        cone: ([x, y, z]) => Math.max(Math.hypot(x, y) - (1 - z) / 2, -1 - z),
        ellipsoid: ([x, y, z]) => Math.hypot(x, y / 0.5, z / 0.25) - 1,
    };
    for (const [name, distance] of Object.entries(on)) {
        const { points, directions, indices, edges } = all[name];
        // The middle of a lid is inside the rim, but no point is outside.
        for (const point of points) assert.ok(distance(point) < 1e-5, `${name}: ${point}`);
        assert.ok(points.filter((point) => Math.abs(distance(point)) < 1e-5).length === points.length, name);
        assert.equal(edges, { capsule: 0, cylinder: 512, cone: 256, ellipsoid: 0 }[name]);
        for (let i = 0; i < indices.length; i += 3) {
            const [a, b, c] = [0, 1, 2].map((k) => points[indices[i + k]]);
            const u = b.map((x, k) => x - a[k]), v = c.map((x, k) => x - a[k]);
            const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            const along = [0, 1, 2].reduce((sum, k) => sum + n[k] * directions[indices[i]][k], 0);
            assert.ok(along > -1e-9, `${name}: a face looks inward`);
        }
    }
});

test('a floor is seen through and is no part of the extent', { skip }, async () => {
    const { floor } = await drawn(shown.page);
    assert.ok(floor.isPlane);
    const [width, transparent] = await shown.page.evaluate(() => {
        const { bounds, materials } = window.graze.view.parts;
        return [bounds.max.x - bounds.min.x, materials.faces.plane.solid.transparent];
    });
    assert.ok(transparent && width < 18, `${width}`);
});

test('pieces of a compound are parts in different colours', { skip }, async () => {
    const all = await drawn(shown.page);
    assert.ok(all['pair/piece 1'] && all['pair/piece 2'] && !all.pair);
    const colors = await shown.page.evaluate(() => {
        const { parts } = window.graze.view;
        return parts.report.parts.filter((part) => part.piece > 0).map((part) => parts.colorOf(part.index, 'solid').getHexString());
    });
    assert.equal(new Set(colors).size, 2);
});

test('clashes of shapes are shown with their depth', { skip }, async () => {
    writeFileSync(at('one.json'), '{"kind": "sphere", "radius": 1}');
    writeFileSync(at('two.json'), '{"kind": "sphere", "centre": [1.5, 0, 0], "radius": 1}');
    assert.equal(run(folder, 'clash', 'one.json', 'two.json', '--html', 'clash.html').code, 1);
    const report = reportOf(at('clash.html'));
    assert.ok(conforms(report), JSON.stringify(conforms.errors?.slice(0, 3)));
    assert.equal(report.findings[0].pairs, null);
    assert.ok(report.findings[0].curves.length > 0);
    const { page, complaints } = await open(browser, `${address('clash.html')}#${report.findings[0].id}`);
    assert.match(await page.locator('.card').innerText(), /Depth\s+0\.5/);
    assert.deepEqual(complaints, []);
});
