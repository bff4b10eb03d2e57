// SPDX-License-Identifier: MIT
// The clash matrix: how many findings there are between each two groups of parts, in the colour of the worst. A click on a
// cell shows them in the list.
import { matrixOf, partGroups } from '../report/groups.js';
import { count, counted } from '../report/numbers.js';
import { severityRank } from '../report/read.js';
import { html } from './dom.js';
import { isSettled, severityGrade } from './words.js';

/** Groups that are shown, those with most findings first; more columns than that nobody reads. */
const mostGroups = 60;

export class Matrix {
    constructor(app, root) {
        this.app = app;
        this.groups = partGroups(app.report);
        this.onlyOpen = false;
        this.box = html('input', { type: 'checkbox', id: 'matrix-open', onchange: (event) => this.setOnlyOpen(event.target.checked) });
        this.body = html('div', { class: 'list matrix-scroll' });
        root.append(
            html('div', { class: 'filters' },
                html('p', { class: 'fine' }, 'Findings between groups of parts. A click on a number shows them.'),
                html('label', { class: 'matrix-check' }, this.box, html('span', {}, 'Only what is not settled'))),
            this.body);
        app.on('review', () => this.update());
        app.on('filter', () => this.mark());
        this.update();
    }

    setOnlyOpen(on) {
        this.onlyOpen = on;
        this.update();
    }

    update() {
        const { report, review } = this.app;
        const findings = this.onlyOpen ? report.findings.filter((finding) => !isSettled(review.of(finding).state)) : report.findings;
        const { groupOf, names } = this.groups;
        const cells = matrixOf(groupOf, findings);
        const totals = new Map();
        for (const [key, members] of cells)
            for (const group of new Set(key.split('-').map(Number))) totals.set(group, (totals.get(group) ?? 0) + members.length);
        const order = [...totals.keys()].sort((p, q) => totals.get(q) - totals.get(p) || p - q);
        const shown = order.slice(0, mostGroups);
        this.body.replaceChildren(...(shown.length === 0 ? [html('p', { class: 'empty' }, 'Nothing to show.')] : [
            this.table(shown, names, cells),
            order.length > shown.length && html('p', { class: 'empty' }, `and ${counted(order.length - shown.length, 'group')} with fewer findings`),
        ].filter(Boolean)));
        this.mark();
    }

    /** Half a table, as on a map of distances: each pair once. */
    table(shown, names, cells) {
        const head = html('tr', {}, html('td', { class: 'matrix-corner' }), shown.map((group, at) =>
            html('th', { scope: 'col', title: names[group], 'aria-label': names[group] }, at + 1)));
        const rows = shown.map((group, at) => html('tr', {},
            html('th', { scope: 'row', title: names[group] },
                html('span', { class: 'matrix-number' }, at + 1), html('span', { class: 'matrix-name' }, names[group])),
            shown.slice(0, at + 1).map((other) => html('td', {}, this.cell(group, other, names, cells)))));
        return html('table', { class: 'matrix', id: 'matrix' }, html('thead', {}, head), html('tbody', {}, rows));
    }

    cell(p, q, names, cells) {
        const key = p < q ? `${p}-${q}` : `${q}-${p}`;
        const findings = cells.get(key);
        if (!findings) return null;
        const { report } = this.app;
        const worst = findings.map(({ severity }) => severity)
            .reduce((best, severity) => (severityRank(report, severity) < severityRank(report, best) ? severity : best));
        const between = p === q ? `within ${names[p]}` : `between ${names[q]} and ${names[p]}`;
        const title = `${counted(findings.length, 'finding')} ${between}${worst ? `, the worst ${worst}` : ''}`;
        return html('button', {
            class: `matrix-cell severity-${severityGrade(report, worst)}`, type: 'button', dataset: { groups: key }, title, 'aria-label': title,
            onclick: () => this.app.filterByGroups(key),
        }, count(findings.length));
    }

    /** Shows which cell the list is narrowed to. */
    mark() {
        for (const cell of this.body.querySelectorAll('.matrix-cell'))
            cell.setAttribute('aria-pressed', String(cell.dataset.groups === this.app.groupFilter));
    }
}
