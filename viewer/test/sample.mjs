// SPDX-License-Identifier: MIT
// Makes sample reports to look at:
//
//     node test/sample.mjs gearbox out.html [--at 80000,1200000,0] [--findings-only] [--second] [--far]
//     node test/sample.mjs view out.html                    the same models without a check
//     node test/sample.mjs large out.html [parts] [triangles of each]    1,000 and 5,000 unless told
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gearbox } from './gearbox.mjs';
import { large } from './large.mjs';
import { pageOf } from './write.mjs';

/** The report without its check, as for `graze view`. */
export function viewOf({ report, blocks }) {
    const { findings, problems, ...rest } = report;
    const { inputs, title, units, up, tool } = report.header;
    return { report: { ...rest, header: { tool, title, units, up, inputs } }, blocks };
}

export { gearbox, large };

function main([kind, file, ...rest]) {
    if (!file) throw new Error('usage: sample.mjs gearbox|view|large FILE');
    const at = rest.includes('--at') ? rest[rest.indexOf('--at') + 1].split(',').map(Number) : [0, 0, 0];
    const numbers = rest.filter((word) => /^\d+$/.test(word)).map(Number);
    const everything = !rest.includes('--findings-only');
    const sample = kind === 'large' ? large(numbers[0] ?? 1000, numbers[1] ?? 5000)
        : kind === 'view' ? viewOf(gearbox({ at }))
            : gearbox({ at, everything, version: rest.includes('--second') ? 2 : 1, far: rest.includes('--far') ? 1e9 : 0 });
    const page = pageOf(sample.report, sample.blocks);
    writeFileSync(file, page);
    const triangles = sample.report.parts.reduce((sum, part) => sum + part.triangles, 0);
    console.log(`${file}: ${(page.length / 1e6).toFixed(1)} MB, ${sample.report.parts.length} parts, ${triangles} triangles`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
