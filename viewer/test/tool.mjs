// SPDX-License-Identifier: MIT
// The tool itself, for tests of what it writes: build/graze beside this folder, or the one that GRAZE names.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const toolPath = process.env.GRAZE || fileURLToPath(new URL('../../build/graze', import.meta.url));
export const examples = fileURLToPath(new URL('../../examples/clash/', import.meta.url));

/** Runs the tool in a folder; its exit code and what it printed. */
export function run(folder, ...words) {
    try {
        return { code: 0, out: execFileSync(toolPath, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }) };
    } catch (error) {
        if (error.status == null) throw error;
        return { code: error.status, out: error.stdout, err: error.stderr };
    }
}

/** Why there is nothing to test, or false. A tool without the page in it cannot write one. */
export function missingTool() {
    if (!existsSync(toolPath)) return `${toolPath} is not built`;
    if (/built without the viewer/.test(run('.', 'view', 'x').err ?? '')) return `${toolPath} was built without the viewer`;
    return false;
}

/** The JSON in a page. */
export function reportOf(path) {
    const page = readFileSync(path, 'utf8');
    return JSON.parse(/<script type="application\/json" id="graze-report">([^]*?)<\/script>/.exec(page)[1]);
}
