// SPDX-License-Identifier: MIT
// The page in a real browser, from disk.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addressOf, camera, decodePng, launch, open, pixelsOf, removeFolder, settled } from './browser.mjs';
import { gearbox, large, viewOf } from './sample.mjs';

const sample = gearbox();
const curveColor = [0xff, 0x2e, 0x88];
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

const listed = (page) => page.$$eval('#findings [role="option"]', (rows) => rows.map((row) => row.dataset.id));
const row = (id) => `#findings [data-id="${id}"]`;
const idOf = (verdict) => sample.report.findings.find((finding) => finding.verdict === verdict).id;

test('the list holds every finding of the JSON, worst first', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    const ids = await listed(page);
    assert.deepEqual([...ids].sort(), sample.report.findings.map(({ id }) => id).sort());
    const rank = new Map(sample.report.findings.map(({ id, severity }) => [id, sample.report.header.severities.indexOf(severity)]));
    const ranks = ids.map((id) => rank.get(id));
    assert.deepEqual(ranks, [...ranks].sort());
    assert.match(await page.textContent('#verdict'), /12 findings/);
    assert.equal(await page.locator('#problems li').count(), 2);
});

test('a click frames the clash, isolates the two parts and fills the card', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    const before = await camera(page);
    await page.click(row(idOf('crosses')));
    await settled(page);
    const after = await camera(page);
    assert.ok(Math.hypot(...after.map((x, k) => x - before[k])) > 10);
    const styles = await page.evaluate(() => window.graze.report.parts.map((part) => window.graze.view.parts.styleOf(part.index)));
    assert.equal(styles.filter((style) => /^[ab]/.test(style)).length, 2);
    assert.equal(styles.filter((style) => style === 'ghost').length, styles.length - 2);
    assert.match(await page.textContent('#card'), /pinion z19[\s\S]*wheel z29[\s\S]*0\.948 – 1/);
    assert.match(await page.textContent('#labels'), /depth 0\.948/);
});

test('the curve is seen, and gone when marks are off', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    await page.click(row(idOf('self')), { position: { x: 60, y: 10 } });
    await settled(page);
    const shown = await pixelsOf(page, curveColor);
    await page.keyboard.press('c');
    await settled(page);
    const hidden = await pixelsOf(page, curveColor);
    await page.keyboard.press('c');
    assert.ok(shown > 150, `${shown} pixels of the curve`);
    assert.equal(hidden, 0);
});

test('a section through a crossing shows the overlap in red', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    const red = [0xe5, 0x26, 0x3d];
    await page.evaluate(() => window.graze.select(window.graze.report.findings[3]));
    await page.keyboard.press('f');
    await page.keyboard.press('c');
    await settled(page);
    assert.equal(await pixelsOf(page, red, 10), 0);
    await page.click('#tool-section');
    await page.click('[data-axis="Z"]');
    await settled(page);
    const overlap = await pixelsOf(page, red, 10);
    assert.ok(overlap > 80, `${overlap} pixels of overlap`);
    const before = await page.textContent('#section-panel output');
    await page.fill('#section-position', '900');
    assert.notEqual(await page.textContent('#section-panel output'), before);
    await page.click('#tool-section');
    await page.keyboard.press('c');
});

test('the filter narrows the list by text, verdict, severity and state', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    await page.fill('#tab-findings .search', 'washer');
    assert.deepEqual(await listed(page), [idOf('contains')]);
    assert.equal(await page.textContent('#findings-count'), '1 of 12 findings');
    await page.fill('#tab-findings .search', '');
    await page.click('[data-verdict="touches"]');
    assert.equal((await listed(page)).length, 5);
    await page.selectOption('#filter-severity', 'info');
    assert.equal((await listed(page)).length, 4);
    await page.selectOption('#filter-severity', '');
    await page.selectOption('#filter-state', 'approved');
    assert.equal((await listed(page)).length, 1);
    await page.selectOption('#filter-state', '');
    await page.click('[data-verdict="touches"]');
    await page.selectOption('#filter-order', 'name');
    const names = await page.$$eval('#findings .row-names .name:first-child', (all) => all.map((name) => name.title));
    assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b)));
    await page.selectOption('#filter-order', 'worst');
});

test('keys walk the list and leave fields alone', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    const ids = await listed(page);
    const selected = () => page.$eval('#findings [aria-selected="true"]', (element) => element.dataset.id);
    await page.keyboard.press('j');
    assert.equal(await selected(), ids[0]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    assert.equal(await selected(), ids[2]);
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowUp');
    assert.equal(await selected(), ids[0]);
    await page.keyboard.press('/');
    await page.keyboard.type('jk');
    assert.equal(await page.inputValue('#tab-findings .search'), 'jk');
    assert.deepEqual(await listed(page), []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    assert.ok(await page.isHidden('#card'));
    assert.equal((await listed(page)).length, await page.inputValue('#tab-findings .search') ? 0 : ids.length);
    await page.fill('#tab-findings .search', '');
    assert.deepEqual(await listed(page), ids);
    await page.keyboard.press('Escape');
});

test('a click on a part in the view selects it, and the tree hides it', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await settled(page);
    const { x, y, width, height } = await page.locator('#canvas').boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
    const part = await page.evaluate(() => window.graze.part);
    assert.ok(part >= 0);
    assert.match(await page.textContent('#card'), new RegExp(sample.report.parts[part].path.at(-1)));
    await page.click('#tabhead-parts');
    await page.fill('#tab-parts .search', 'cover');
    await page.click('#parts .eye');
    assert.equal(await page.evaluate(() => window.graze.view.parts.styleOf(5)), null);
    assert.equal(await page.getAttribute('#parts .eye', 'aria-label'), 'Show cover');
    await page.click('#parts .eye');
    await page.click('#tabhead-findings');
});

test('an approval with a reason is exported, and survives reloading', async () => {
    const { page } = await open(browser, address);
    const id = idOf('crosses');
    await page.click(row(id));
    await page.fill('#reason', 'press fit <b>by</b> design');
    await page.click('#approve');
    assert.equal(await page.inputValue('#card #reason'), 'press fit <b>by</b> design');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export')]);
    const rules = JSON.parse(readFileSync(await file.path(), 'utf8'));
    assert.equal(file.suggestedFilename(), 'gearbox.rules.json');
    assert.deepEqual({ graze: rules.graze, version: rules.version, count: rules.approve.length }, { graze: 'rules', version: 1, count: 2 });
    assert.deepEqual(rules.approve.find((entry) => entry.id === id), {
        id, a: 'gearbox/gears/pinion z19', b: 'gearbox/gears/wheel z29', reason: 'press fit <b>by</b> design', verdict: 'crosses',
    });
    await page.reload();
    await page.waitForFunction(() => window.graze);
    assert.equal(await page.locator(`${row(id)} .state-approved`).count(), 1);
    assert.match(page.url(), new RegExp(`#${id}$`)); // the address names what is selected, so it is again
    await page.click('#reopen');
    assert.equal(await page.locator(`${row(id)} .state-approved`).count(), 0);
    await page.context().close();
});

test('dark and light differ, and the switch is obeyed', async () => {
    const { page } = shared;
    const background = async (theme) => {
        await page.waitForSelector(`html[data-theme="${theme}"]`);
        return page.$eval('#panel', (panel) => getComputedStyle(panel).backgroundColor);
    };
    const dark = await background('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background('light');
    assert.notEqual(dark, light);
    await page.click('[aria-label="Switch to dark"]');
    assert.equal(await background('dark'), dark);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.click('[aria-label="Switch to light"]');
    assert.equal(await background('light'), light);
    await page.click('[aria-label="Switch to dark"]');
    await background('dark');
});

test('on a phone nothing sticks out, and findings open by touch', async () => {
    const { page, complaints } = await open(browser, address, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    const overflow = () => page.evaluate(() => {
        const wide = [...document.querySelectorAll('.bar *, .panel *, .card *, .toolbar, .popover')]
            .filter((element) => !element.closest('.verdict-chips, .matrix') && element.getBoundingClientRect().right > innerWidth + 1);
        return { page: document.documentElement.scrollWidth - innerWidth, wide: wide.map((element) => element.className) };
    });
    assert.deepEqual(await overflow(), { page: 0, wide: [] });
    await page.tap(row(idOf('contains')));
    await settled(page);
    assert.ok(await page.isVisible('#card'));
    assert.deepEqual(await overflow(), { page: 0, wide: [] });
    await page.tap('#card [aria-label="Close"]');
    for (const tab of ['matrix', 'parts', 'report']) {
        await page.tap(`#tabhead-${tab}`);
        assert.deepEqual(await overflow(), { page: 0, wide: [] });
    }
    await page.tap('#tool-section');
    assert.deepEqual(await overflow(), { page: 0, wide: [] });
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test('every button has a name', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    const nameless = await page.$$eval('button, input, select, textarea, [role="button"]', (all) => all
        .filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim() || element.labels?.[0]?.textContent.trim()))
        .map((element) => element.outerHTML.slice(0, 80)));
    assert.deepEqual(nameless, []);
});

test('a model far from the origin looks like one at home', async () => {
    const far = await open(browser, addressOf('far', gearbox({ at: [80000, 1200000, -300] })));
    const pictures = [];
    for (const { page } of [shared, far]) {
        await page.keyboard.press('Escape');
        await page.keyboard.press('j');
        await page.keyboard.press('j');
        await settled(page);
        await page.addStyleTag({ content: '.card { visibility: hidden }' }); // it says other coordinates, and shall
        pictures.push(decodePng(await page.locator('#canvas').screenshot()));
        await page.evaluate(() => document.head.lastElementChild.remove());
    }
    const [home, away] = pictures;
    let different = 0;
    for (let i = 0; i < home.pixels.length; i++) if (Math.abs(home.pixels[i] - away.pixels[i]) > 40) different++;
    assert.ok(different < 0.004 * home.pixels.length, `${different} of ${home.pixels.length} bytes differ`);
    await far.page.context().close();
});

test('nothing is drawn while nothing changes', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await settled(page);
    const draws = () => page.evaluate(() => window.graze.view.stage.draws);
    const before = await draws();
    await page.waitForTimeout(400);
    assert.equal(await draws(), before);
});

test('models alone are shown without a list of findings', async () => {
    const { page, complaints } = await open(browser, addressOf('view', viewOf(sample)));
    assert.equal(await page.locator('#tabhead-findings').count(), 0);
    assert.ok(await page.isVisible('#parts'));
    assert.match(await page.textContent('#verdict'), /gearbox\.glb and 1 other file/);
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test('instances share their geometry and their draw call', async () => {
    const { page } = await open(browser, addressOf('instances', large(500, 300, { eachOwn: false })));
    const { calls, geometries } = await page.evaluate(() => ({
        calls: window.graze.view.stage.renderer.info.render.calls, geometries: window.graze.view.parts.queue.ready.size,
    }));
    assert.equal(geometries, 8);
    assert.ok(calls < 20, `${calls} calls`);
    await page.context().close();
});

test('parts without a mesh stand as boxes, and the detail can be switched', async () => {
    const { page } = await open(browser, addressOf('boxes', gearbox({ everything: false })));
    const drawn = () => page.evaluate(() => window.graze.view.parts.drawn);
    const auto = await drawn();
    await page.click('#tool-display');
    await page.selectOption('#detail', 'boxes');
    await settled(page);
    assert.ok((await drawn()) < auto);
    assert.equal(await drawn(), 12 * sample.report.parts.length);
    await page.context().close();
});

test('damaged data is told, not thrown', async () => {
    const damaged = gearbox();
    const blocks = damaged.blocks.map((bytes, k) => (k === 3 ? bytes.subarray(0, bytes.length >> 1) : bytes));
    const { page, complaints } = await open(browser, addressOf('damaged', { ...damaged, blocks }));
    assert.match(await page.textContent('#loading'), /geometry 3/);
    assert.deepEqual(complaints, []);
    await page.goto(addressOf('newer', { ...damaged, report: { ...damaged.report, version: 7 } }));
    assert.match(await page.textContent('[role="alert"]'), /version 7/);
    await page.context().close();
});

test('a name that is a script stays a name', async () => {
    const hostile = gearbox();
    hostile.report.parts[0].path = ['</script><img src=x onerror=alert(1)>'];
    hostile.report.header.title = '<b>bold</b></script>';
    const { page, complaints } = await open(browser, addressOf('hostile', hostile));
    assert.match(await page.textContent('.brand'), /<b>bold<\/b>/);
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test('all this while, the page complained about nothing and asked nobody for anything', async () => {
    const { page, complaints, requests } = shared;
    for (const key of ['w', 'w', 'g', 'g', 'g', 'd', 'd', 'm', 'm', 't', 'x', 'l', 'l', 'h', 'f', 'r']) await page.keyboard.press(key);
    await settled(page);
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests.filter((url) => url !== address && !url.startsWith('data:') && !url.startsWith('blob:')), []);
    assert.ok(requests.includes(address) && address.startsWith('file:'));
});

test('a picture of the page is left in dist', async () => {
    const { page } = shared;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Escape');
    await page.click('#tabhead-findings');
    await page.click(row(idOf('crosses')));
    await settled(page);
    await page.screenshot({ path: fileURLToPath(new URL('../dist/report.png', import.meta.url)) });
});
