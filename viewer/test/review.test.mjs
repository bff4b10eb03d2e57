// SPDX-License-Identifier: MIT
// Reviewing in a real browser: states and comments, groups and matrix, places, long lists, and the printed report.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { addressOf, camera, launch, open, removeFolder, settled } from './browser.mjs';
import { gearbox, large } from './sample.mjs';

const sample = gearbox({ version: 2 });
const { findings } = sample.report;
let browser, address, shared;

before(async () => {
    browser = await launch();
    address = addressOf('gearbox', sample);
    shared = await open(browser, address);
});

after(async () => {
    await browser?.close();
    removeFolder();
});

const row = (id) => `#findings [data-id="${id}"]`;
const listed = (page) => page.$$eval('#findings [role="option"]', (rows) => rows.map(({ dataset }) => dataset.id));

test('numbers of version 2 are shown: depth, way out, volume, places, what the files resolve', async () => {
    const { page } = shared;
    await page.click(row(findings[0].id));
    const card = await page.textContent('#card');
    for (const expected of ['Depth0.5 – 0.505', 'Way out0.948 – 1', '0, 0.97, 0', '12.5 ± 0.13\u202fmm³', '3 places'])
        assert.ok(card.includes(expected), `${expected} is not in ${card}`);
    assert.match(await page.textContent('#labels'), /way out/);
    const { id } = findings.find(({ within_resolution: within }) => within);
    assert.match(await page.textContent(row(id)), /within resolution/);
    await page.click(row(id));
    assert.match(await page.textContent('#card'), /exactly it crosses, but by no more than the files resolve/);
    await page.click(row(findings[3].id));
    assert.match(await page.textContent('#card'), /facets stand off[^]*1\.5 \+ 1\.75/);
    await page.click('#tabhead-report');
    assert.match(await page.textContent('#tab-report'), /verdicts changed by the resolution of the files1/);
    await page.click('#tabhead-findings');
});

test('each place of a finding can be flown to, by click and by key', async () => {
    const { page } = shared;
    await page.click(row(findings[0].id));
    await settled(page);
    const looked = () => page.evaluate(() => window.graze.view.parts.world(window.graze.view.stage.controls.target));
    for (const at of [1, 2]) {
        await page.click(`#locations [data-location="${at}"]`);
        await settled(page);
        const away = Math.hypot(...(await looked()).map((x, k) => x - findings[0].locations[at].point[k]));
        assert.ok(away < 1e-3, `${away} from place ${at}`);
        assert.equal(await page.getAttribute(`#locations [data-location="${at}"]`, 'aria-pressed'), 'true');
    }
    await page.keyboard.press('n');
    assert.equal(await page.getAttribute('#locations [data-location="0"]', 'aria-pressed'), 'true');
    assert.match(await page.textContent('#labels'), /1[^]*2[^]*3/);
});

test('what is undecided says why, and shows the open edges', async () => {
    const { page } = shared;
    const undecided = findings.find(({ verdict }) => verdict === 'undecided');
    await page.click(row(undecided.id));
    await settled(page);
    assert.match(await page.textContent('#card'), /Undecided[^]*96 edges belong to one triangle only[^]*2 open edges/);
    await page.click('#locations [data-location="1"]');
    await settled(page);
});

test('who fills one field after the other writes into the next one', async () => {
    const { page } = await open(browser, address);
    const [first, second] = findings;
    const move = { [first.id]: () => page.keyboard.press('Tab'), [second.id]: () => page.click('#reason') };
    for (const { id } of [first, second]) {
        await page.click(row(id));
        await page.fill('#assignee', '');
        await page.fill('#reason', '');
        await page.click('#assignee');
        await page.keyboard.type('Ada');
        await move[id]();
        await page.waitForTimeout(50);
        assert.equal(await page.evaluate(() => document.activeElement.id), 'reason');
        await page.keyboard.type('please look');
        await page.keyboard.press('Enter');
        await page.waitForFunction((at) => document.querySelector(at).textContent.includes('→ Ada'), row(id));
        assert.deepEqual([await page.inputValue('#assignee'), await page.inputValue('#reason')], ['Ada', 'please look']);
    }
    await page.context().close();
});

test('states, assignees and comments are kept, listed and exported', async () => {
    const { page } = await open(browser, address);
    const [teeth, deep, washer] = findings;
    assert.match(await page.textContent(row(deep.id)), /→ Mara/, 'what the rules file said');
    await page.click(row(teeth.id));
    await page.click('#approve');
    assert.match(await page.textContent('#decision-hint'), /needs a reason/);
    await page.keyboard.type('runs in');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator(`${row(teeth.id)} .state-approved`).count(), 1);
    await page.click(row(deep.id));
    assert.deepEqual([await page.inputValue('#assignee'), await page.inputValue('#reason')], ['Mara', 'shorten the bolt']);
    await page.click('#fix');
    await page.click(row(washer.id));
    await page.fill('#assignee', 'Ben');
    await page.press('#assignee', 'Enter');
    assert.match(await page.textContent(row(washer.id)), /→ Ben/);
    await page.selectOption('#filter-state', '@Ben');
    assert.deepEqual(await listed(page), [washer.id]);
    await page.selectOption('#filter-state', 'fixed');
    assert.deepEqual(await listed(page), [deep.id]);
    await page.selectOption('#filter-state', '');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export')]);
    const rules = JSON.parse(readFileSync(await file.path(), 'utf8'));
    const { id, reason, verdict, depth, point } = rules.approve.find((entry) => entry.id === teeth.id);
    assert.deepEqual({ id, reason, verdict, depth, point }, { id: teeth.id, reason: 'runs in', verdict: 'crosses', depth: teeth.depth, point: teeth.point });
    assert.deepEqual(rules.review.filter((entry) => entry.id !== rules.approve[1]?.id).map(({ state, assignee }) => [state, assignee]),
        [['approved', ''], ['fixed', 'Mara'], ['assigned', 'Ben']]);
    await page.reload();
    await page.waitForFunction(() => window.graze);
    assert.equal(await page.locator(`${row(deep.id)} .state-fixed`).count(), 1, 'kept');
    await page.click(row(washer.id));
    await page.click('#reopen');
    assert.equal(await page.inputValue('#assignee'), 'Ben', 'who looked at it is still known');
    await page.context().close();
});

test('a comment is kept when its field is left, and keys of the page are not taken from it', async () => {
    const { page } = await open(browser, address);
    await page.click(row(findings[4].id));
    await page.focus('#reason');
    await page.keyboard.type('ask jan');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate((id) => window.graze.review.of(window.graze.report.findings.find((f) => f.id === id)).comment, findings[4].id), 'ask jan');
    assert.equal(await page.inputValue('#reason'), 'ask jan');
    await page.context().close();
});

test('a cell of the clash matrix narrows the list', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    const cells = await page.$$eval('#matrix .matrix-cell', (all) => all.map(({ dataset, textContent }) => [dataset.groups, Number(textContent)]));
    assert.equal(cells.reduce((sum, [, count]) => sum + count, 0), findings.length);
    assert.match(await page.textContent('#matrix'), /housing[^]*fasteners|fasteners[^]*housing/);
    await page.click('#matrix [aria-label^="4 findings between"]');
    assert.ok(await page.isVisible('#findings'));
    assert.equal((await listed(page)).length, 4);
    assert.match(await page.textContent('.part-chip'), /housing × fasteners|fasteners × housing/);
    await page.click('.part-chip button');
    assert.equal((await listed(page)).length, findings.length);
});

test('the list is grouped by part, cluster and pair of groups, and groups fold', async () => {
    const { page } = shared;
    for (const by of ['part', 'cluster', 'groups']) {
        await page.selectOption('#filter-by', by);
        assert.equal((await listed(page)).length, findings.length, by);
        assert.ok((await page.locator('.group-head').count()) > 2, by);
    }
    const head = page.locator('.group-button', { hasText: /housing × fasteners|fasteners × housing/ });
    await head.click();
    assert.equal((await listed(page)).length, findings.length - 4);
    const folded = findings.find(({ verdict, a, b }) => verdict === 'touches' && /cover|bolt/.test(sample.report.parts[a].name + sample.report.parts[b].name));
    await page.evaluate((id) => window.graze.select(window.graze.report.findings.find((finding) => finding.id === id)), folded.id);
    assert.equal((await listed(page)).length, findings.length, 'selecting opens the group');
    await page.selectOption('#filter-by', 'none');
    await page.keyboard.press('Escape');
});

test('all of a thousand findings are within reach, and few of them are in the page', async () => {
    const many = large(3375, 60, { eachOwn: false });
    const { page } = await open(browser, addressOf('many', many));
    const total = many.report.findings.length;
    assert.ok(total > 1000);
    await page.keyboard.press('End');
    const last = await page.$eval('#findings [aria-selected="true"]', (element) => ({ id: element.dataset.id, top: element.getBoundingClientRect().top }));
    assert.equal(last.id, await page.evaluate(() => window.graze.listed.at(-1).id));
    assert.ok(last.top > 0 && last.top < 640, 'it is in sight');
    await page.waitForFunction(() => document.querySelectorAll('#findings [role="option"]').length < 400);
    const seen = new Set();
    for (let at = 0; at < 2 * total; at += 60) {
        const end = await page.$eval('#findings', (list, top) => {
            list.scrollTop = top;
            return list.scrollTop + list.clientHeight >= list.scrollHeight - 2;
        }, at * 28);
        await page.waitForFunction(() => {
            const list = document.getElementById('findings');
            const { left, top, height } = list.getBoundingClientRect();
            return [0.2, 0.8].every((share) => document.elementFromPoint(left + 60, top + share * height)?.closest('[role="option"]'));
        });
        for (const id of await listed(page)) seen.add(id);
        if (end) break;
    }
    assert.equal(seen.size, total);
    await page.context().close();
});

test('the printed report has a head and a block with a picture for every listed finding', async () => {
    const { page, complaints } = shared;
    await page.keyboard.press('Escape');
    await page.click(row(findings[1].id));
    await settled(page);
    const now = async () => ({
        camera: (await camera(page)).map((x) => x.toFixed(6)), hash: page.url(), theme: await page.getAttribute('html', 'data-theme'),
        styles: await page.evaluate(() => window.graze.report.parts.map(({ index }) => window.graze.view.parts.styleOf(index))),
    });
    const before = await now();
    const some = await page.evaluate(async () => {
        window.print = () => {};
        const printing = window.graze.paper.start();
        window.graze.back();
        await printing;
        return window.graze.view.snapshots.kept.size;
    });
    assert.ok(some < findings.length, `Esc ends it: ${some} pictures`);
    await page.evaluate(() => window.graze.paper.start());
    await settled(page);
    assert.deepEqual(await now(), before, 'nothing moved');
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.isVisible('.print-head'));
    assert.ok(await page.isHidden('#main'));
    const blocks = await page.$$eval('.print-finding', (all) => all.map((block) => ({ text: block.textContent, width: block.querySelector('img')?.naturalWidth })));
    assert.equal(blocks.length, findings.length);
    for (const { width } of blocks) assert.equal(width, 720);
    for (const finding of findings) {
        const block = blocks.find(({ text }) => text.includes(finding.id));
        assert.ok(block.text.includes(sample.report.parts[finding.a].name) && block.text.includes(finding.rule));
    }
    assert.ok(blocks.some(({ text }) => /Assigned to Mara: shorten the bolt/.test(text)));
    const pictures = await page.$$eval('.print-finding img', (all) => new Set(all.map(({ src }) => src)).size);
    assert.ok(pictures >= findings.length - 1, `${pictures} different pictures`);
    const pdf = await page.pdf({ format: 'A4' });
    writeFileSync(new URL('../dist/report.pdf', import.meta.url), pdf);
    const text = pdf.toString('latin1');
    assert.ok((text.match(/\/Type\s*\/Page\b/g) ?? []).length >= 4, 'several pages');
    assert.ok((text.match(/\/Subtype\s*\/Image/g) ?? []).length >= pictures, 'pictures are in it');
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.equal(await page.locator('.print-finding').count(), 0);
    assert.deepEqual(complaints, []);
});
