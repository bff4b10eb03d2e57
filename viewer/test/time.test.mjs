// SPDX-License-Identifier: MIT
// Parts that move: their places between frames, and the slider of time on a page that the tool wrote.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import Ajv from 'ajv/dist/2020.js';
import { impactOf, readTrack, transformAt } from '../src/report/motion.js';
import { folder, launch, open, removeFolder, settled } from './browser.mjs';
import { missingTool, reportOf, run } from './tool.mjs';

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const near = (a, b) => a.every((x, k) => Math.abs(x - b[k]) < 1e-12);
const skip = process.env.CI ? false : missingTool();
const at = (name) => join(folder, name);

/** A hammer turns about its end, a quarter in each of two frames, between rests; it hits an anvil on its way. */
const scene = {
    graze: 'scene', version: 1, frames: 5,
    meshes: { head: { shape: 'box', size: [1, 0.5, 0.5] }, anvil: { shape: 'box', size: [1, 1, 1] } },
    objects: [
        { name: 'anvil', mesh: 'anvil', pose: { position: [0, 2.5, 0] }, static: true },
        {
            name: 'arm',
            track: [0, 0, 90, 180, 180].map((degrees, k) => ({ frame: k + 1, pose: { axis_angle: [0, 0, 1, degrees] } })),
        },
        { name: 'hammer', mesh: 'head', parent: 'arm', pose: { position: [2, 0, 0] } },
    ],
};

test('between frames a part turns about its centre, and rests where nothing moves it', () => {
    const quarter = [1, 0, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2, -2, 0, 0, 0, 0, 0, 0, 0, 4]; // about z, and up by 4
    const part = { transform: identity, track: readTrack([null, quarter, null, [1, 0, 0, 0, 0, 0, 0, 5, 6, 7, 2, 0, 0]], 5) };
    assert.deepEqual(transformAt(part, 1), identity);
    assert.deepEqual(transformAt(part, 1.9), identity);
    const c = Math.SQRT1_2;
    assert.ok(near(transformAt(part, 2.5), [c, -c, 0, 2 * c, c, c, 0, 2 * c, 0, 0, 1, 2]));
    assert.ok(near(transformAt(part, 3), [0, -1, 0, 0, 1, 0, 0, 2, 0, 0, 1, 4]));
    assert.ok(near(transformAt(part, 3.7), transformAt(part, 3)));
    assert.ok(near(transformAt(part, 4.25), [1, 0, 0, 5.5, 0, 1, 0, 6, 0, 0, 1, 7]));
    assert.ok(near(transformAt(part, 99), [1, 0, 0, 7, 0, 1, 0, 6, 0, 0, 1, 7]));
});

test('a track that is damaged is none, and the first of all times counts', () => {
    assert.equal(readTrack([null, null], 4), null);
    assert.equal(readTrack([null, [1, 2], null], 4), null);
    assert.equal(readTrack(undefined, 4), null);
    assert.equal(impactOf([{ time: [3, 3] }, { time: null }, { time: [2.5, 2.6] }]), 2.5);
    assert.equal(impactOf([{ time: null }]), Infinity);
});

let browser, shared;

before(async () => {
    if (skip) return;
    writeFileSync(at('hammer.json'), JSON.stringify(scene));
    assert.equal(run(folder, 'clash', 'hammer.json', '--through-time', '--html', 'hammer.html', '--json', 'hammer.report.json').code, 1);
    browser = await launch();
    shared = await open(browser, pathToFileURL(at('hammer.html')).href);
});

after(async () => {
    await browser?.close();
    removeFolder();
});

const time = (page) => page.evaluate(() => window.graze.view.parts.time);
const place = (page) => page.evaluate(() => window.graze.view.parts.transforms[1].filter((_, k) => k % 4 === 3));

test('the page has the motion, conforms to the schema, and says when', { skip }, async () => {
    const schema = JSON.parse(readFileSync(new URL('../report.schema.json', import.meta.url)));
    const conforms = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
    const report = reportOf(at('hammer.html'));
    assert.ok(conforms(report), JSON.stringify(conforms.errors?.slice(0, 3)));
    const [finding] = JSON.parse(readFileSync(at('hammer.report.json'))).findings;
    assert.equal(report.header.frames, 5);
    assert.deepEqual(report.parts.map(({ track }) => track?.length), [undefined, 4]);
    assert.deepEqual(report.findings[0].time, finding.time);
    assert.ok(finding.time[0] > 2 && finding.time[1] < 3);
    report.parts[1].track[1].push(1);
    assert.ok(!conforms(report));
});

test('the slider moves the parts, and the button goes to the impact', { skip }, async () => {
    const { page, complaints } = shared;
    assert.deepEqual(complaints, []);
    assert.equal(await page.textContent('#time-text'), 'frame 1 of 5');
    assert.ok(near(await place(page), [2, 0, 0]));
    await page.locator('#time').fill('3');
    await settled(page);
    assert.ok(near(await place(page), [0, 2, 0]));
    assert.equal(await page.textContent('#time-text'), 'frame 3 of 5');
    await page.click('#time-impact');
    const impact = await page.evaluate(() => window.graze.report.findings[0].time[0]);
    assert.equal(await time(page), impact);
    assert.equal(await page.locator('.time-tick').count(), 1);
    /* At the impact the hammer is as far from the anvil as the picture can tell: nowhere. */
    const box = await page.evaluate(() => window.graze.view.parts.boxes.map(({ max, min }) => [min.toArray(), max.toArray()]));
    assert.ok(box[1][1][1] > box[0][0][1] - 1e-9);
});

test('the list says when, and can be ordered by it', { skip }, async () => {
    const { page } = shared;
    assert.match(await page.textContent('#findings .row-measure'), /^depth .*, frame 2\.\d+$/);
    assert.equal(await page.locator('option[value="time"]').count(), 1);
});

test('playing stops at the first impact, and goes on from there to the end', { skip }, async () => {
    const { page } = shared;
    await page.evaluate(() => window.graze.view.setTime(1));
    await page.locator('#canvas').focus();
    await page.keyboard.press('Space');
    assert.equal(await page.getAttribute('#time-play', 'aria-label'), 'Pause');
    await page.waitForFunction(() => document.getElementById('time-play').getAttribute('aria-label') === 'Play');
    assert.equal(await time(page), await page.evaluate(() => window.graze.report.findings[0].time[0]));
    await page.locator('#time').fill('4.5'); // beyond, by dragging
    await page.click('#time-play');
    await page.waitForFunction(() => window.graze.view.parts.time === 5);
    await page.waitForFunction(() => document.getElementById('time-play').getAttribute('aria-label') === 'Play');
});

test('a finding shows the time at which it was measured; its marks belong to that alone', { skip }, async () => {
    const { page } = shared;
    await page.click('#findings [role="option"]');
    await settled(page);
    const { measured, shown } = await page.evaluate(() => ({
        measured: window.graze.finding.measuredAt, shown: window.graze.view.parts.time,
    }));
    assert.equal(shown, measured);
    const visible = () => page.evaluate(() => window.graze.view.marks.overlay.group.visible);
    assert.ok(await visible());
    await page.keyboard.press('i');
    assert.ok(!(await visible()));
    assert.match(await page.textContent('#card'), /First contact/);
    const [line, card] = await Promise.all(['#timeline', '#card'].map((id) => page.locator(id).boundingBox()));
    assert.ok(line.x + line.width <= card.x + 1, 'the card does not cover the slider');
    await page.keyboard.press('Escape');
    await settled(page);
    assert.ok(await visible());
    await page.screenshot({ path: new URL('../dist/time.png', import.meta.url).pathname });
});

test('a tool path shows part, tool and gouges, move by move', { skip }, async () => {
    const points = [[-9, -9, -2], [9, -9, -2], [9, 9, -2], [-9, 9, -2], [-9, -9, 2], [9, -9, 2], [9, 9, 2], [-9, 9, 2]];
    const faces = ['1 4 3 2', '5 6 7 8', '1 2 6 5', '2 3 7 6', '3 4 8 7', '4 1 5 8'];
    writeFileSync(at('plate.obj'), [...points.map((p) => `v ${p.join(' ')}`), ...faces.map((f) => `f ${f}`)].join('\n'));
    writeFileSync(at('mill.json'), JSON.stringify({ cutters: [
        { kind: 'ball', radius: 2, z: 0, name: 'ball' }, { kind: 'cylinder', radius: 5, from: 6, to: 20, name: 'holder' }] }));
    writeFileSync(at('mill.ngc'), 'G0 X-20 Y0 Z30\nG0 X-6\nG1 Z3.5\nG1 X0\nG1 X6 Y6\n');
    const words = ['sweep', 'plate.obj', '--tool', 'mill.json', '--moves', 'mill.ngc'];
    assert.equal(run(folder, ...words, '--html', 'mill.html', '--json', 'mill.out.json').code, 1);
    const { gouges } = JSON.parse(readFileSync(at('mill.out.json')));
    assert.deepEqual(gouges.map(({ line }) => line), [3, 4, 5]); // 0.5 deep
    const schema = JSON.parse(readFileSync(new URL('../report.schema.json', import.meta.url)));
    const conforms = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
    const report = reportOf(at('mill.html'));
    assert.ok(conforms(report), JSON.stringify(conforms.errors?.slice(0, 3)));
    const { page, complaints } = await open(browser, pathToFileURL(at('mill.html')).href);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await page.evaluate(() => window.graze.report.parts.map(({ name }) => name)),
        ['plate.obj', 'tool/ball', 'tool/holder', 'swept volume']);
    assert.deepEqual(await page.evaluate(() => [...window.graze.view.parts.hidden]), [0, 0, 0, 1]);
    await page.click('#findings [role="option"]:nth-of-type(2)');
    await settled(page);
    const { id, depth, time } = await page.evaluate(() => window.graze.finding);
    const gouge = gouges.find(({ move }) => id === `move-${move + 1}`);
    assert.deepEqual(depth, gouge.depth);
    assert.deepEqual(time, [gouge.move + 1, gouge.move + 2]);
    assert.match(await page.textContent('#time-text'), new RegExp(`^move ${gouge.move + 1} of 4`));
    await page.evaluate(() => window.graze.view.setTime(4.5)); // half of the way from (0, 0) to (6, 6)
    const places = await page.evaluate(() => [1, 2].map((part) => window.graze.view.parts.transforms[part].filter((_, k) => k % 4 === 3)));
    assert.ok(near(places[0], [3, 3, 3.5]) && near(places[1], [3, 3, 16.5]));
    await page.context().close();
});

test('a report of one moment has no slider', { skip }, async () => {
    run(folder, 'clash', 'hammer.json', '--clearance', '9', '--html', 'still.html', '--quiet');
    const { page, complaints } = await open(browser, pathToFileURL(at('still.html')).href);
    assert.deepEqual(complaints, []);
    assert.equal(await page.locator('#timeline').count(), 0);
    assert.ok(!('frames' in reportOf(at('still.html')).header));
    await page.context().close();
});
