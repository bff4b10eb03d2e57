// SPDX-License-Identifier: MIT
// The tab that says what this report rests on: problems first, then inputs, tolerances, rules and counts.
import { bytes, count, counted, number } from '../report/numbers.js';
import { html } from './dom.js';
import { icon } from './icons.js';

const countNames = {
    parts: 'parts',
    parts_free: 'parts free of clash',
    triangles: 'triangles',
    pairs_possible: 'pairs possible',
    pairs_culled: 'pairs apart by their boxes',
    pairs_tested: 'pairs tested',
    pairs_ignored: 'pairs ignored by rules',
    pairs_undecided: 'pairs undecided',
    resolution_changed: 'verdicts changed by the resolution of the files',
    findings: 'findings',
    seconds: 'seconds',
};

const said = (name) => name.replace(/_/g, ' ');

function value(x) {
    if (typeof x === 'number') return Number.isInteger(x) ? count(x) : number(x);
    if (typeof x === 'boolean') return x ? 'yes' : 'no';
    return x == null ? '–' : String(x);
}

function section(title, ...content) {
    return html('section', { class: 'about' }, html('h2', {}, title), ...content);
}

function table(rows) {
    return html('table', { class: 'table' }, html('tbody', {}, rows.map(([name, ...cells]) =>
        html('tr', {}, html('th', { scope: 'row' }, name), cells.map((cell) => html('td', {}, cell))))));
}

function problems(app) {
    const { report } = app;
    return html('ul', { class: 'problems', id: 'problems' }, report.problems.map((problem) => {
        const part = Number.isInteger(problem.part) ? report.parts[problem.part]
            : report.parts.find(({ name }) => name === problem.part) ?? null; // a name may be that of one not read
        const name = part?.label ?? (typeof problem.part === 'string' ? problem.part : problem.file ?? '');
        return html('li', {}, icon('warning'), html('div', {},
            part ? html('button', { class: 'link', type: 'button', onclick: () => app.choose(part.index, true) }, name)
                : name && html('strong', {}, name),
            html('div', {}, problem.what)));
    }));
}

const hash = (sha256) => sha256 && html('code', { class: 'hash', title: 'SHA-256' }, `sha256 ${sha256}`);

function inputs(report) {
    return html('ul', { class: 'inputs' }, report.header.inputs.map((input) => html('li', {},
        html('div', { class: 'input-path' }, input.path),
        html('div', { class: 'fine' }, [
            input.size != null && bytes(input.size), input.parts != null && counted(input.parts, 'part'),
            input.triangles != null && counted(input.triangles, 'triangle'), input.units,
        ].filter(Boolean).join(' · ')),
        hash(input.sha256))));
}

function rules(report) {
    const files = report.header.rules.filter(({ path }) => path);
    const ignored = report.header.rules.flatMap((file) => file.ignored ?? []);
    return section('Rules',
        files.length === 0 && html('p', { class: 'fine' }, 'No rules file.'),
        files.map(({ path, sha256 }) => html('div', {}, html('div', { class: 'input-path' }, path), hash(sha256))),
        ignored.length > 0 && html('table', { class: 'table' },
            html('thead', {}, html('tr', {}, ['rule', 'reason', 'pairs ignored'].map((head) => html('th', { scope: 'col' }, head)))),
            html('tbody', {}, ignored.map(({ rule, reason, pairs }) =>
                html('tr', {}, html('td', {}, rule), html('td', {}, reason ?? ''), html('td', { class: 'right' }, count(pairs)))))));
}

function baseline({ path, sha256, fail_on: failOn, resolved, ignored_now: ignored }) {
    return section('Baseline', html('div', { class: 'input-path' }, path), hash(sha256),
        table([failOn && ['findings that fail', failOn], resolved != null && ['findings that are gone', count(resolved)],
            ignored > 0 && ['findings that are ignored now', count(ignored)]].filter(Boolean)));
}

/** Parts that an overview leaves out, each a click away. */
function farAway(app) {
    const { parts, far } = app.report;
    return section('Far away', html('p', { class: 'fine' }, 'Too far from the others to be in the overview:'),
        html('ul', { class: 'inputs', id: 'far' }, [...far].slice(0, 50).map((part) => html('li', {},
            html('button', { class: 'link', type: 'button', onclick: () => app.choose(part, true) }, parts[part].name)))),
        far.size > 50 && html('p', { class: 'fine' }, `and ${count(far.size - 50)} more`));
}

/** What is here in less than its full detail, so that nobody takes it for the part itself. */
function simplified({ parts, checked }) {
    const less = parts.filter((part) => part.geometry == null).length;
    return less > 0 && html('p', { class: 'fine', id: 'simplified' }, `${counted(less, 'part')} of ${count(parts.length)} `,
        less === 1 ? 'is' : 'are', ' simplified in this page', checked ? '; what was found rests on the full meshes.' : '.');
}

export function fillAbout(app, root) {
    const { report } = app;
    const { header } = report;
    const tolerances = Object.entries(header.tolerances);
    root.append(html('div', { class: 'list about-list' },
        report.problems.length > 0 && section('Problems', problems(app)),
        report.far.size > 0 && farAway(app),
        header.incomplete && section('Incomplete', html('p', {}, header.incomplete === true ? 'The run was stopped before its end.' : header.incomplete)),
        header.inputs.length > 0 && section('Inputs', inputs(report),
            html('p', { class: 'fine' }, header.units ? `All lengths in ${header.units}.` : 'No unit stated: numbers are those of the files.')),
        tolerances.length > 0 && section('Tolerances', table(tolerances.map(([name, x]) =>
            [said(name), value(x) + (typeof x === 'number' && header.units ? `\u202f${header.units}` : '')]))),
        report.checked && rules(report),
        header.baseline && baseline(header.baseline),
        section('Counts', table(Object.entries({ parts: report.parts.length, ...header.counts })
            .filter(([, x]) => x != null).map(([name, x]) => [countNames[name] ?? said(name), value(x)])), simplified(report)),
        html('p', { class: 'fine about-end' }, `Written by ${header.tool}${header.created ? `, ${header.created}` : ''}. `,
            'This file is complete in itself and opens no connection.')));
}
