// SPDX-License-Identifier: MIT
// The camera, what it frames, what fades around it, and the measuring tool, in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addressOf, camera, decodePng, launch, open, pixelsOf, removeFolder, settled } from './browser.mjs';
import { gearbox, large } from './sample.mjs';

const sample = gearbox({ version: 2 });
const chosenColor = [0x5a, 0xd1, 0xb8];
let browser, shared;

before(async () => {
    browser = await launch();
    shared = await open(browser, addressOf('gearbox', sample));
});

after(async () => {
    await browser?.close();
    removeFolder();
});

const row = (id) => `#findings [data-id="${id}"]`;
const distance = (p, q) => Math.hypot(...p.map((x, k) => x - q[k]));

/** Where points of the world appear in the window. */
const onScreen = (page, points) => page.evaluate((all) => {
    const { view } = window.graze;
    const { camera: eye, width, height, canvas } = view.stage;
    const frame = canvas.getBoundingClientRect();
    eye.updateMatrixWorld();
    return all.map((point) => {
        const p = view.parts.local(point).project(eye);
        return { x: frame.left + ((p.x + 1) * width) / 2, y: frame.top + ((1 - p.y) * height) / 2 };
    });
}, points);

test('a flight goes around like a turntable: the horizon stays level, and the pole is never crossed', async () => {
    const { page } = shared;
    const { tilts, heights } = await page.evaluate(() => {
        const { flight, stage } = window.graze.view;
        const V = stage.camera.position.constructor;
        const target = stage.controls.target.clone();
        flight.to(target, 100, new V(0.05, 0.05, 1), true);
        flight.calm = { matches: false };
        flight.to(target, 100, new V(-0.6, -0.6, 0.3));
        const heights = [];
        const tilts = [];
        for (let now = 1; flight.journey; now += 20) {
            flight.step(now);
            stage.camera.updateMatrixWorld();
            const right = new V().setFromMatrixColumn(stage.camera.matrixWorld, 0);
            tilts.push(Math.abs(right.dot(stage.camera.up)));
            heights.push(stage.camera.position.clone().sub(target).normalize().dot(stage.camera.up));
        }
        flight.calm = { matches: true };
        return { tilts, heights };
    });
    assert.ok(heights.length > 15);
    assert.ok(Math.max(...tilts) < 1e-9);
    for (let k = 1; k < heights.length; k++) assert.ok(heights[k] <= heights[k - 1] + 1e-12, `${heights}`);
    await page.keyboard.press('r');
});

test('straight from above, x is to the right', async () => {
    const { page } = shared;
    await page.click('.triad-end[aria-label="Look along Z"]');
    await settled(page);
    const [p, q, r] = await onScreen(page, [[0, 0, 0], [50, 0, 0], [0, 50, 0]]);
    assert.ok(q.x > p.x + 5 && Math.abs(q.y - p.y) < 2, 'x to the right');
    assert.ok(r.y < p.y - 5 && Math.abs(r.x - p.x) < 2, 'y up');
    await page.keyboard.press('r');
});

test('a finding shows both parts, f the contact, and Esc what one looked at before', async () => {
    const { page } = shared;
    await page.keyboard.press('r');
    await settled(page);
    const canvas = await page.locator('#canvas').boundingBox();
    await page.click('.triad-end[aria-label="Look along X"]');
    await settled(page);
    const before = await camera(page);
    const [teeth] = sample.report.findings;
    await page.click(row(teeth.id));
    await settled(page);
    const corners = [teeth.a, teeth.b].flatMap((part) => {
        const [lx, ly, lz, ux, uy, uz] = sample.report.parts[part].box;
        return [lx, ux].flatMap((x) => [ly, uy].flatMap((y) => [lz, uz].map((z) => [x, y, z])));
    });
    for (const { x, y } of await onScreen(page, corners))
        assert.ok(x > canvas.x - 1 && x < canvas.x + canvas.width + 1 && y > canvas.y - 1 && y < canvas.y + canvas.height + 1, `${x} ${y}`);
    const eyeAt = () => page.evaluate(() => window.graze.view.stage.camera.position.distanceTo(window.graze.view.stage.controls.target));
    const both = await eyeAt();
    await page.keyboard.press('f');
    await settled(page);
    assert.ok((await eyeAt()) < 0.7 * both, 'nearer');
    await page.keyboard.press('f');
    await settled(page);
    assert.ok(Math.abs((await eyeAt()) - both) < 1e-6 * both, 'and back');
    await page.keyboard.press('Escape');
    await settled(page);
    assert.ok(await page.isHidden('#card'));
    assert.ok(distance(await camera(page), before) < 1e-3 * Math.hypot(...before), 'where one was');
    await page.keyboard.press('Escape');
    await settled(page);
    assert.ok(distance(await camera(page), before) > 1, 'the whole model');
});

test('a part at 1e9 neither blanks the view nor garbles it, and can be gone to', async () => {
    const far = await open(browser, addressOf('outlier', gearbox({ version: 2, far: 1e9 })));
    const pictures = [];
    for (const { page } of [shared, far]) {
        await page.keyboard.press('Escape');
        await page.keyboard.press('r');
        await page.keyboard.press('j');
        await settled(page);
        await page.addStyleTag({ content: '.card, .loading { visibility: hidden }' });
        pictures.push(decodePng(await page.locator('#canvas').screenshot()));
        await page.evaluate(() => document.head.lastElementChild.remove());
    }
    const [home, away] = pictures;
    let different = 0;
    for (let i = 0; i < home.pixels.length; i++) if (Math.abs(home.pixels[i] - away.pixels[i]) > 40) different++;
    assert.ok(different < 0.004 * home.pixels.length, `${different} of ${home.pixels.length} bytes differ`);
    const { page } = far;
    assert.match(await page.textContent('#loading'), /lost cube lies far away/);
    await page.click('#tabhead-report');
    await page.click('#far button');
    await settled(page);
    const seen = await pixelsOf(page, chosenColor, 90);
    assert.ok(seen > 20_000, `${seen} pixels of the cube`);
    await page.keyboard.press('Escape');
    await settled(page);
    assert.ok(distance(await page.evaluate(() => window.graze.view.parts.world(window.graze.view.stage.controls.target)), [0, 0, 0]) < 300);
    assert.deepEqual(far.complaints, []);
    await page.context().close();
});

test('ghosts fade by their distance from the finding', async () => {
    const { page, complaints } = await open(browser, addressOf('dense', large(343, 300, { eachOwn: false })));
    await page.evaluate(() => window.graze.select(window.graze.report.findings[60]));
    await settled(page);
    const brightness = async () => {
        const { pixels, channels } = decodePng(await page.locator('#canvas').screenshot());
        let sum = 0;
        for (let i = 0; i < pixels.length; i += channels) sum += Math.max(pixels[i], pixels[i + 1], pixels[i + 2]) > 70;
        return sum;
    };
    const faded = await brightness();
    await page.evaluate(() => {
        Object.assign(window.graze.view, { focusSize: 1e9, ghostStrength: 1 });
        window.graze.view.stage.invalidate();
    });
    await settled(page);
    const foggy = await brightness();
    await page.keyboard.press('g'); // without ghosts
    await settled(page);
    const parts = await brightness();
    assert.ok(faded - parts < 0.25 * (foggy - parts), `${faded} bright pixels, ${foggy} without fading, ${parts} of the parts alone`);
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test('the measuring tool takes corners, edges and faces, and says that it measured', async () => {
    const { page } = shared;
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await settled(page);
    await page.keyboard.press('m');
    const picks = async (points) => {
        for (const { x, y } of await onScreen(page, points)) await page.mouse.click(x, y);
        return page.textContent('#measured');
    };
    // Corners of the base plate, a little inside, where the ray surely meets it.
    const corner = await picks([[129, 124, -100], [129, 124, -111.5]]);
    assert.match(corner, /point of base plate[^]*point of base plate[^]*Distance12\u202fmm\s*measured/);
    assert.match(await page.textContent('#labels'), /12\u202fmm/);
    const edge = await picks([[129.9, 60, -100]]);
    assert.match(edge, /edge of base plate: length 220\u202fmm/);
    const face = await picks([[121, 40, -100]]);
    assert.match(face, /face of base plate/);
    await page.click('#measure-panel [data-kind="face"]');
    const between = await picks([[121, 90, -100], [130, 90, -106]]);
    assert.match(between, /Angle90°/);
    await page.keyboard.press('Escape');
    assert.ok(await page.isHidden('#measure-panel'));
    assert.equal(await page.evaluate(() => window.graze.part), -1, 'nothing was selected meanwhile');
});

test('between points that the engine wrote, its certified number stands beside', async () => {
    const { page } = shared;
    const close = sample.report.findings.find(({ verdict }) => verdict === 'too_close');
    await page.click(row(close.id));
    await settled(page);
    await page.keyboard.press('f');
    await settled(page);
    await page.keyboard.press('m');
    await page.click('#measure-panel [data-kind="auto"]');
    for (const { x, y } of await onScreen(page, close.gap_points)) await page.mouse.click(x, y);
    assert.match(await page.textContent('#measured'), /Distance0\.4\u202fmm\s*measured[^]*Their gap0\.4\u202fmm\s*certified/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
});

test('Enter measures what is in the middle of the view', async () => {
    const { page } = shared;
    await page.keyboard.press('r');
    await settled(page);
    await page.keyboard.press('m');
    await page.focus('#canvas');
    await page.keyboard.press('Enter');
    assert.match(await page.textContent('#measured'), /1(point|edge|face) of /);
    await page.keyboard.press('Escape');
});

test('all this while, the page complained about nothing', () => assert.deepEqual(shared.complaints, []));
