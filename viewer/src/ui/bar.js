// SPDX-License-Identifier: MIT
// The line on top: what was checked, the verdict, the counts that matter, and what can be taken along.
import { count, counted } from '../report/numbers.js';
import { verdicts } from '../report/read.js';
import { download, html } from './dom.js';
import { icon } from './icons.js';

function inputNames(inputs) {
    if (inputs.length === 0) return null;
    const name = inputs[0].path.split(/[\\/]/).pop();
    return inputs.length === 1 ? name : `${name} and ${counted(inputs.length - 1, 'other file')}`;
}

/** The verdict in words, where the tool left them to us. */
function sentence(report) {
    const { findings, header } = report;
    if (!report.checked) return inputNames(header.inputs) ?? counted(report.parts.length, 'part');
    if (header.incomplete) return `Incomplete: ${counted(findings.length, 'finding')} so far`;
    if (findings.length === 0) return 'No clash found';
    const kinds = Object.keys(verdicts).map((verdict) => [findings.filter((f) => f.verdict === verdict).length, verdict]);
    const list = kinds.filter(([n]) => n > 0).map(([n, verdict]) => `${n} ${verdicts[verdict].many}`);
    return `${counted(findings.length, 'finding')}: ${list.join(', ')}`;
}

function result(report) {
    if (report.header.verdict?.result) return report.header.verdict.result;
    if (!report.checked) return 'view';
    if (report.header.incomplete) return 'incomplete';
    return report.findings.length > 0 ? 'clash' : 'clean';
}

function facts(report) {
    const { counts } = report.header;
    const triangles = counts.triangles ?? report.parts.reduce((sum, part) => sum + part.triangles, 0);
    return [
        [count(counts.parts ?? report.parts.length), 'parts'],
        [count(triangles), 'triangles'],
        ...(counts.pairs_possible == null ? [] : [[count(counts.pairs_possible), 'pairs']]),
        ...(counts.pairs_undecided ? [[count(counts.pairs_undecided), 'undecided']] : []),
    ];
}

function logo() {
    const mark = html('span', { class: 'logo', 'aria-hidden': 'true' });
    mark.innerHTML = '<svg viewBox="0 0 32 32"><circle cx="11.500" cy="16" r="8"/><circle cx="24" cy="16" r="4.500"/></svg>';
    return mark;
}

/** Hands the approved findings over as a rules file. */
export function exportRules(app) {
    const name = (app.report.header.title || 'graze').replace(/[^\w.-]+/g, '_');
    download(`${name}.rules.json`, `${JSON.stringify(app.review.rules(), null, 2)}\n`, 'application/json');
}

export function fillBar(app, root, { onHelp, onPrint }) {
    const { report, theme } = app;
    const { header } = report;
    const themeButton = html('button', { class: 'button quiet', type: 'button', onclick: () => theme.toggle() });
    theme.onChange((name) => {
        const other = name === 'dark' ? 'light' : 'dark';
        themeButton.replaceChildren(icon(name === 'dark' ? 'sun' : 'moon'));
        themeButton.setAttribute('aria-label', `Switch to ${other}`);
        themeButton.title = `Switch to ${other}`;
    });
    const approved = html('span', { class: 'badge' });
    const exportButton = html('button', {
        class: 'button', type: 'button', id: 'export', title: 'Save approvals, states and comments as a rules file for the next run',
        onclick: () => exportRules(app),
    }, icon('export'), html('span', { class: 'wide-only' }, 'Export rules'), approved);
    const showApproved = () => {
        const n = report.findings.filter((finding) => app.review.of(finding).review === 'approved').length;
        approved.textContent = n;
        approved.hidden = n === 0;
        exportButton.setAttribute('aria-label', `Export rules: ${counted(n, 'approved finding')}`);
    };
    app.on('review', showApproved);
    showApproved();
    root.append(
        html('div', { class: 'brand' }, logo(), html('span', { class: 'brand-name' }, header.title || 'Graze')),
        html('div', { class: `verdict verdict-${result(report)}`, id: 'verdict', role: 'status' },
            html('span', { class: 'verdict-dot', 'aria-hidden': 'true' }),
            html('span', { class: 'verdict-text' }, header.verdict?.text ?? sentence(report))),
        html('dl', { class: 'facts' }, facts(report).map(([value, name]) =>
            html('div', {}, html('dd', {}, value), html('dt', {}, name)))),
        html('div', { class: 'bar-buttons' },
            report.checked && report.findings.length > 0 && exportButton,
            report.checked && html('button', {
                class: 'button quiet', type: 'button', id: 'print-button', 'aria-label': 'Print report', title: 'Print what is listed, or save it as PDF (o)',
                onclick: onPrint,
            }, icon('print')),
            html('button', { class: 'button quiet', type: 'button', 'aria-label': 'Keys and help', title: 'Keys and help (?)', onclick: onHelp },
                icon('help')),
            themeButton));
    document.title = `${header.title ? `${header.title} – ` : ''}Graze report`;
}
