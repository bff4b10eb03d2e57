// SPDX-License-Identifier: MIT
// Pages that the tool wrote, in a real browser: the example gearbox, checked and merely viewed. GRAZE_PICTURE=FILE leaves
// the picture of the README there.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import Ajv from 'ajv/dist/2020.js';
import { camera, folder, launch, open, pixelsOf, removeFolder, settled } from './browser.mjs';
import { examples, missingTool, reportOf, run } from './tool.mjs';

const skip = process.env.CI ? false : missingTool();
const schema = JSON.parse(readFileSync(new URL('../report.schema.json', import.meta.url)));
const conforms = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
const curveColor = [0xff, 0x2e, 0x88];
const words = ['clash', 'gearbox.json', '--rules', 'gearbox-rules.json', '--clearance', '0.15', '--units', 'mm', '--self'];
const at = (name) => join(folder, name);
const address = (name) => pathToFileURL(at(name)).href;
const hashOf = (name) => createHash('sha256').update(readFileSync(at(name))).digest('hex');
const row = (id) => `#findings [data-id="${id}"]`;
let browser, shared, json;

before(async () => {
    if (skip) return;
    for (const name of ['gearbox.json', 'gearbox-rules.json']) copyFileSync(join(examples, name), at(name));
    assert.equal(run(folder, ...words, '--json', 'gearbox.report.json', '--html', 'gearbox.html').code, 1);
    json = JSON.parse(readFileSync(at('gearbox.report.json')));
    browser = await launch();
    shared = await open(browser, address('gearbox.html'));
});

after(async () => {
    await browser?.close();
    removeFolder();
});

/** A page asks for itself and nothing else, and complains about nothing. */
function assertQuiet({ complaints, requests }, url) {
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests.filter((other) => !/^(data|blob):/.test(other)), [url]);
}

test('pages conform to the schema, and equal runs give equal pages', { skip }, () => {
    assert.ok(conforms(reportOf(at('gearbox.html'))), JSON.stringify(conforms.errors?.slice(0, 3)));
    run(folder, ...words, '--html', 'again.html', '--threads', '2', '--quiet');
    assert.equal(hashOf('again.html'), hashOf('gearbox.html'));
});

test('the list is that of the JSON, one to one, the worst first', { skip }, async () => {
    const { page } = shared;
    const rows = await page.$$eval('#findings [role="option"]', (all) => all.map((element) => ({
        id: element.dataset.id,
        names: [...element.querySelectorAll('.name')].map((name) => name.title),
        verdict: element.querySelector('.row-verdict').textContent,
        severity: element.querySelector('.chip').textContent,
    })));
    assert.ok(json.findings.length >= 6);
    const expected = json.findings;
    assert.deepEqual(rows.map(({ id }) => id), expected.map(({ id }) => id));
    rows.forEach(({ names, verdict, severity }, k) => {
        const finding = expected[k];
        assert.deepEqual([...names].sort(), [...new Set([finding.a, finding.b])].sort());
        assert.equal(verdict.toLowerCase().replace('self-crossing', 'self').replace(' ', '_'), finding.verdict);
        assert.equal(severity, finding.severity);
        if (finding.verdict === 'contains') assert.equal(names[0], finding.contains === 'b_in_a' ? finding.a : finding.b, 'the outer one first');
    });
    const verdictsThere = new Set(json.findings.map(({ verdict }) => verdict));
    for (const verdict of ['contains', 'crosses', 'touches', 'too_close', 'duplicate']) assert.ok(verdictsThere.has(verdict), verdict);
});

test('the report says what it rests on: files, hashes, limits, rules, counts, version', { skip }, async () => {
    const { page } = shared;
    await page.click('#tabhead-report');
    const text = await page.textContent('#tab-report');
    for (const expected of ['gearbox.json', hashOf('gearbox.json'), 'gearbox-rules.json', hashOf('gearbox-rules.json'), `graze ${json.tool}`,
        'clearance0.15\u202fmm', 'max depth0\u202fmm', 'allow touchno', `parts${json.summary.parts}`,
        `pairs tested${json.summary.pairs_tested}`, `findings${json.summary.findings}`])
        assert.ok(text.includes(expected), `${expected} is not in ${text}`);
    assert.match(await page.textContent('.brand'), /gearbox/);
    assert.equal(json.inputs[0].hash, hashOf('gearbox.json'));
    await page.click('#tabhead-findings');
});

test('a click flies to the clash, and its numbers are those of the JSON', { skip }, async () => {
    const { page } = shared;
    const places = new Set();
    for (const finding of json.findings) {
        await page.click(row(finding.id));
        await settled(page);
        places.add((await camera(page)).map((x) => x.toFixed(3)).join());
        const card = await page.textContent('#card');
        assert.ok(card.includes(finding.id) && card.includes(finding.rule));
        const titles = await page.$$eval('#card .card-facts [title]', (all) => all.map(({ title }) => title));
        for (const ends of [finding.depth, finding.gap]) if (ends) assert.ok(titles.includes(`[${ends[0]}, ${ends[1]}]`), titles.join(' '));
        assert.ok(titles.includes(finding.point.join(', ')));
        const focused = await page.evaluate(() => window.graze.view.parts.focus.set.map((index) => window.graze.report.parts[index].name));
        assert.ok(focused.includes(finding.a) && focused.includes(finding.b));
    }
    const apart = new Set(json.findings.map(({ point }) => point.join())); // the plug that is there twice holds a magnet twice
    assert.ok(apart.size >= 4 && places.size >= apart.size, `${places.size} views of ${apart.size} places`);
});

test('the curve of a crossing is seen, and so are depth and gap as measured lines', { skip }, async () => {
    const { page } = shared;
    await page.click(row(json.findings.find(({ verdict }) => verdict === 'crosses').id));
    await page.keyboard.press('f'); // near
    await settled(page);
    const shown = await pixelsOf(page, curveColor);
    assert.ok(shown > 60, `${shown} pixels`); // a label may hide a part of it
    assert.match(await page.textContent('#labels'), /depth/);
    if (process.env.GRAZE_PICTURE) await picture(page);
    await page.keyboard.press('c');
    await settled(page);
    assert.equal(await pixelsOf(page, curveColor), 0);
    await page.keyboard.press('c');
    await page.click(row(json.findings.find(({ verdict }) => verdict === 'too_close').id));
    await settled(page);
    assert.match(await page.textContent('#labels'), /gap 0\.1\u202fmm/);
});

async function picture(page) {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 1280, height: 760 });
    await page.click('#frame-pair'); // again, in the new size
    await page.mouse.move(640, 20);
    await page.evaluate(() => document.activeElement.blur());
    await settled(page);
    await page.screenshot({ path: process.env.GRAZE_PICTURE });
    await page.setViewportSize(size);
}

test('while nothing is selected, pins say where the findings are, and a click on one selects it', { skip }, async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await settled(page);
    assert.ok((await pixelsOf(page, curveColor)) > 60);
    const { id, x, y } = await page.evaluate(() => {
        const { view, report } = window.graze;
        const finding = report.findings.find(({ verdict }) => verdict === 'touches');
        const p = view.parts.local(finding.point).project(view.stage.camera);
        const frame = document.getElementById('canvas').getBoundingClientRect();
        return { id: finding.id, x: frame.left + ((p.x + 1) * view.stage.width) / 2, y: frame.top + ((1 - p.y) * view.stage.height) / 2 };
    });
    await page.mouse.click(x, y);
    await settled(page);
    assert.equal(await page.$eval('#findings [aria-selected="true"]', ({ dataset }) => dataset.id), id);
    await page.keyboard.press('Escape');
    await page.fill('#tab-findings .search', 'no such thing');
    await settled(page);
    assert.equal(await pixelsOf(page, curveColor), 0);
    await page.fill('#tab-findings .search', '');
});

test('the filter shows what it is asked for', { skip }, async () => {
    const { page } = shared;
    const listed = () => page.$$eval('#findings [role="option"]', (all) => all.map(({ dataset }) => dataset.id));
    const those = (accept) => json.findings.filter(accept).map(({ id }) => id);
    await page.fill('#tab-findings .search', 'sensor');
    assert.deepEqual(await listed(), those(({ a, b }) => /sensor/.test(a + b)));
    await page.fill('#tab-findings .search', '');
    await page.click('[data-verdict="contains"]');
    assert.deepEqual(await listed(), those(({ verdict }) => verdict === 'contains'));
    await page.click('[data-verdict="contains"]');
    await page.selectOption('#filter-severity', 'major');
    assert.deepEqual(await listed(), those(({ severity }) => severity === 'major'));
    await page.selectOption('#filter-severity', '');
    assert.deepEqual(await listed(), those(() => true));
});

test('what is approved in the page is taken as a rules file by the next run', { skip }, async () => {
    const { page } = shared;
    const { id } = json.findings[0];
    await page.click(row(id));
    await page.keyboard.press('a');
    await page.fill('#reason', 'the key is <pressed> in');
    await page.press('#reason', 'Enter');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export')]);
    copyFileSync(await file.path(), at('approved.json'));
    const next = run(folder, 'clash', 'gearbox.json', '--rules', 'approved.json', '--clearance', '0.15', '--json', 'next.json', '--quiet');
    assert.equal(next.code, 1, next.err);
    const finding = JSON.parse(readFileSync(at('next.json'))).findings.find((other) => other.id === id);
    assert.deepEqual([finding.state, finding.reason], ['approved', 'the key is <pressed> in']);
    await page.click('#reopen');
});

test('a baseline is named, and states are told by it', { skip }, async () => {
    const old = { ...json, findings: json.findings.slice(1) };
    writeFileSync(at('old.json'), JSON.stringify(old));
    assert.equal(run(folder, ...words, '--baseline', 'old.json', '--html', 'compared.html', '--quiet').code, 1);
    assert.ok(conforms(reportOf(at('compared.html'))), JSON.stringify(conforms.errors?.slice(0, 3)));
    const compared = await open(browser, address('compared.html'));
    const states = await compared.page.$$eval('#findings .row-chips .chip:last-child', (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(states, json.findings.map((finding, place) => (place === 0 ? 'new' : 'known')));
    await compared.page.click('#tabhead-report');
    assert.ok((await compared.page.textContent('#tab-report')).includes(hashOf('old.json')));
    assertQuiet(compared, address('compared.html'));
    await compared.page.context().close();
});

test('all this while the page complained about nothing and asked nobody for anything', { skip }, () => {
    assertQuiet({ ...shared, requests: [...new Set(shared.requests)] }, address('gearbox.html'));
});

test('graze view shows models alone, and names what it could not read', { skip }, async () => {
    mkdirSync(at('models'));
    run(folder, 'make', 'torus', '-o', 'models/torus.stl');
    run(folder, 'make', 'gear', '-o', 'models/gear.obj');
    writeFileSync(at('models/bad.obj'), 'v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n');
    const { code, out } = run(folder, 'view', 'models', '--units', 'mm');
    assert.equal(code, 4);
    assert.match(out, /models\.html: 2 parts/);
    assert.ok(conforms(reportOf(at('models.html'))), JSON.stringify(conforms.errors?.slice(0, 3)));
    const viewed = await open(browser, address('models.html'));
    const { page } = viewed;
    assert.equal(await page.locator('#tabhead-findings').count(), 0);
    assert.match(await page.textContent('#parts'), /gear\.obj[^]*torus\.stl/);
    const drawn = await page.evaluate(() => window.graze.view.parts.drawn);
    assert.equal(drawn, reportOf(at('models.html')).parts.reduce((sum, part) => sum + part.triangles, 0));
    const before = await camera(page);
    await page.click('#parts .tree-name >> nth=0');
    await page.keyboard.press('f');
    await settled(page);
    assert.notDeepEqual(await camera(page), before);
    await page.click('#tabhead-report');
    assert.match(await page.textContent('#problems'), /bad\.obj/);
    assertQuiet(viewed, address('models.html'));
    await page.context().close();
});

test('a large model is simplified where nothing was found, and can be switched', { skip }, async () => {
    for (const name of ['a', 'b', 'c']) run(folder, 'make', 'torus', '--segments', '120', '--sides', '60', '-o', `${name}.stl`);
    const { code } = run(folder, 'clash', 'a.stl', 'b.stl', 'c.stl:scale=40', '--html', 'large.html', '--full-triangles', '3000', '--quiet');
    assert.equal(code, 1, 'a and b are the same');
    const report = reportOf(at('large.html'));
    assert.ok(conforms(report), JSON.stringify(conforms.errors?.slice(0, 3)));
    const large = await open(browser, address('large.html'));
    const drawn = () => large.page.evaluate(() => window.graze.view.parts.drawn);
    const simplified = report.geometries[report.parts[2].reduced].triangles;
    assert.ok(simplified > 500 && simplified <= 3000, `${simplified} triangles`);
    assert.equal(await drawn(), 2 * 14400 + simplified);
    assert.match(await large.page.textContent('#simplified'), /1 part of 3 is simplified/);
    await large.page.click('#tool-display');
    await large.page.selectOption('#detail', 'boxes');
    await settled(large.page);
    assert.equal(await drawn(), 36);
    await large.page.selectOption('#detail', 'simplified');
    await settled(large.page);
    assert.equal(await drawn(), 2 * 14400 + simplified);
    assertQuiet(large, address('large.html'));
    await large.page.context().close();
});
