// SPDX-License-Identifier: MIT
// A real browser for the tests: Chromium without a window, drawing in software, so that any machine gives the same.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { pageOf } from './write.mjs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

function browserPath() {
    const path = process.env.CHROMIUM || places.find(existsSync);
    if (!path) throw new Error('no Chromium found: install the package chromium, or name one in CHROMIUM');
    return path;
}

/** How long anything may take, in milliseconds: drawing in software on a busy machine does. What hangs still ends. */
const patience = 180_000;

/** Where pages of this run lie. */
export const folder = mkdtempSync(join(tmpdir(), 'graze-viewer-'));

export function launch() {
    return chromium.launch({
        executablePath: browserPath(),
        timeout: patience,
        args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox', '--disable-dev-shm-usage'],
    });
}

export function removeFolder() {
    rmSync(folder, { recursive: true, force: true });
}

/** Writes a sample as a page and gives its address. */
export function addressOf(name, { report, blocks }) {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, pageOf(report, blocks));
    return pathToFileURL(path).href;
}

/** Opens a page and keeps what it complains about and asks for. */
export async function open(browser, address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1120, height: 640 }, colorScheme: 'dark', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const complaints = [];
    const requests = [];
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(address);
    await page.waitForFunction(() => window.graze && !window.graze.view?.parts.queue.running);
    await settled(page);
    return { page, complaints, requests };
}

/** Waits until the camera rests and everything asked for is drawn. */
export async function settled(page) {
    await page.waitForFunction(() => !window.graze.view.flight.journey && window.graze.view.stage.pending == null);
}

export const camera = (page) => page.evaluate(() => window.graze.view.stage.camera.position.toArray());

/** Width, height and RGB(A) bytes of a PNG without interlacing, eight bits a channel: what screenshots are. */
export function decodePng(png) {
    const data = [];
    let width, height, channels;
    for (let at = 8; at < png.length;) {
        const size = png.readUInt32BE(at);
        const type = png.toString('latin1', at + 4, at + 8);
        const body = png.subarray(at + 8, at + 8 + size);
        if (type === 'IHDR') [width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] === 6 ? 4 : 3];
        if (type === 'IDAT') data.push(body);
        at += 12 + size;
    }
    const raw = inflateSync(Buffer.concat(data));
    const stride = width * channels;
    const pixels = Buffer.alloc(stride * height);
    for (let y = 0; y < height; y++) {
        const filter = raw[y * (stride + 1)];
        for (let x = 0; x < stride; x++) {
            const left = x >= channels ? pixels[y * stride + x - channels] : 0;
            const above = y > 0 ? pixels[(y - 1) * stride + x] : 0;
            const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
            pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + predicted(filter, left, above, corner);
        }
    }
    return { width, height, channels, pixels };
}

function predicted(filter, left, above, corner) {
    if (filter === 0) return 0;
    if (filter === 1) return left;
    if (filter === 2) return above;
    if (filter === 3) return (left + above) >> 1;
    const guess = left + above - corner;
    const [l, a, c] = [left, above, corner].map((value) => Math.abs(guess - value));
    return l <= a && l <= c ? left : a <= c ? above : corner;
}

/** How many pixels of the 3D view have about the given colour. */
export async function pixelsOf(page, [r, g, b], near = 24) {
    const { width, height, channels, pixels } = decodePng(await page.locator('#view').screenshot());
    let count = 0;
    for (let i = 0; i < width * height * channels; i += channels)
        if (Math.abs(pixels[i] - r) < near && Math.abs(pixels[i + 1] - g) < near && Math.abs(pixels[i + 2] - b) < near) count++;
    return count;
}
