// SPDX-License-Identifier: MIT
// Bundles the page into one HTML file, dist/report.html: scripts and styles are written into it, nothing is fetched.
// The file ends open (</body> and </html> may be left out in HTML), so that a report is this file with data appended.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

/** Text that may stand inside a script element. */
function safeInScript(text) {
    return text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
}

/** Writes every emitted script and style into the page, and the licence of three.js on top of it. */
function oneFile() {
    return {
        name: 'one-file',
        enforce: 'post',
        generateBundle(_, bundle) {
            const page = bundle['report.html'];
            let html = String(page.source);
            for (const [name, item] of Object.entries(bundle)) {
                if (name === 'report.html') continue;
                const [pattern, text] = item.type === 'chunk'
                    ? [new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`),
                        `<script type="module">${safeInScript(item.code)}</script>`]
                    : [new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`), `<style>${item.source}</style>`];
                if (!pattern.test(html)) throw new Error(`${name} is not used by report.html`);
                html = html.replace(pattern, () => text);
                delete bundle[name];
            }
            const licence = readFileSync(new URL('node_modules/three/LICENSE', import.meta.url), 'utf8').trim();
            page.source = html
                .replace(/<html/, () => `<!--\nThis page contains three.js, https://threejs.org\n\n${licence}\n-->\n<html`)
                .replace(/\s*<\/body>\s*<\/html>\s*$/, '\n');
        },
    };
}

export default defineConfig({
    plugins: [oneFile()],
    base: './',
    build: {
        target: 'es2022',
        modulePreload: false,
        assetsInlineLimit: 1 << 30,
        cssCodeSplit: false,
        chunkSizeWarningLimit: 2000,
        reportCompressedSize: false,
        rollupOptions: { input: 'report.html', output: { inlineDynamicImports: true } },
    },
});
