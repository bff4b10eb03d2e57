// SPDX-License-Identifier: MIT
// The list of findings with its filter. Rows are made as one scrolls, so that ten thousand findings open as fast as ten.
import { counted } from '../report/numbers.js';
import { verdicts } from '../report/read.js';
import { html } from './dom.js';
import { emptyFilter, Filter, orders } from './filter.js';
import { icon, verdictIcon } from './icons.js';
import { measure, severityChip, severityGrade, stateChip } from './words.js';

const page = 120; // rows made at once

export class FindingsList {
    constructor(app, root) {
        this.app = app;
        this.filter = { ...emptyFilter };
        this.filterer = new Filter(app.report, app.review);
        this.rows = new Map();
        this.build(root);
        app.on('select', () => this.mark());
        app.on('review', () => this.update());
        app.on('filter', () => this.set({ part: app.partFilter }));
        this.update();
    }

    build(root) {
        this.search = html('input', {
            class: 'search', type: 'search', placeholder: 'Search parts, ids, rules', 'aria-label': 'Search findings',
            oninput: (event) => this.set({ text: event.target.value }),
            onsearch: (event) => this.set({ text: event.target.value }), // emptied by its own key or button
        });
        this.selects = {
            severity: this.select('severity', 'Severity'),
            state: this.select('state', 'State'),
            order: this.select('order', 'Order'),
        };
        this.verdictChips = html('div', { class: 'verdict-chips', role: 'group', 'aria-label': 'Verdict' });
        this.partChip = html('div', { class: 'part-chip' });
        this.status = html('div', { class: 'list-status', role: 'status', id: 'findings-count' });
        this.more = html('div', { class: 'list-more' });
        this.list = html('div', { class: 'list', role: 'listbox', 'aria-label': 'Findings', tabindex: 0, id: 'findings' });
        root.append(
            html('div', { class: 'filters' },
                html('div', { class: 'search-box' }, icon('search'), this.search),
                this.verdictChips,
                html('div', { class: 'selects' }, Object.values(this.selects).map(({ label }) => label)),
                this.partChip),
            this.status, this.list);
        new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.grow()).observe(this.more);
    }

    select(field, title) {
        const element = html('select', { 'aria-label': title, id: `filter-${field}`, onchange: (event) => this.set({ [field]: event.target.value }) });
        return { element, label: html('label', { class: 'select' }, html('span', {}, title), element) };
    }

    set(change) {
        Object.assign(this.filter, change);
        this.update();
    }

    update() {
        this.app.listed = this.filterer.apply(this.filter);
        this.fillChips();
        this.fillSelects();
        this.fillPartChip();
        const { length } = this.app.listed;
        const all = this.app.report.findings.length;
        this.status.textContent = length === all ? counted(all, 'finding') : `${length} of ${counted(all, 'finding')}`;
        this.rows.clear();
        this.shown = 0;
        this.list.replaceChildren(this.more);
        this.list.scrollTop = 0;
        if (length === 0) this.list.prepend(html('p', { class: 'empty' }, all === 0 ? 'Nothing was found.' : 'No finding matches the filter.'));
        this.grow();
        this.mark();
        this.app.tell('list');
    }

    fillChips() {
        const counts = this.filterer.counts(this.filter, 'verdict');
        const known = Object.keys(verdicts).filter((v) => this.app.report.findings.some((finding) => finding.verdict === v));
        this.verdictChips.replaceChildren(...known.map((verdict) => {
            const on = this.filter.verdict === verdict;
            return html('button', {
                class: 'toggle', type: 'button', 'aria-pressed': String(on), dataset: { verdict }, title: verdicts[verdict].tells,
                onclick: () => this.set({ verdict: on ? '' : verdict }),
            }, verdictIcon(verdict), verdicts[verdict].word, html('span', { class: 'number' }, String(counts.get(verdict) ?? 0)));
        }));
    }

    fillSelects() {
        const options = (field, choices) => {
            const { element } = this.selects[field];
            element.replaceChildren(...choices.map(([value, text]) => html('option', { value }, text)));
            element.value = this.filter[field];
        };
        const severities = this.filterer.counts(this.filter, 'severity');
        const states = this.filterer.counts(this.filter, 'state');
        const open = (states.get('new') ?? 0) + (states.get('known') ?? 0);
        const used = [...new Set([...this.app.report.header.severities, ...severities.keys()])];
        options('severity', [['', 'all'], ...used.filter(Boolean).map((s) => [s, `${s} (${severities.get(s) ?? 0})`])]);
        options('state', [['', 'all'], ['open', `open (${open})`],
            ...['new', 'known', 'approved'].map((s) => [s, `${s} (${states.get(s) ?? 0})`])]);
        options('order', Object.entries(orders));
    }

    fillPartChip() {
        const { part } = this.filter;
        this.partChip.replaceChildren(...(part < 0 ? [] : [html('button', {
            class: 'toggle', type: 'button', 'aria-pressed': 'true', title: 'Show findings of all parts again',
            onclick: () => this.app.filterByPart(-1),
        }, `with ${this.app.report.parts[part].label}`, icon('close'))]));
    }

    /** Makes the next rows. */
    grow() {
        const next = this.app.listed.slice(this.shown, this.shown + page);
        for (const finding of next) {
            const row = this.row(finding);
            this.rows.set(finding.index, row);
            this.more.before(row);
        }
        this.shown += next.length;
    }

    row(finding) {
        const { report, review } = this.app;
        const { state } = review.of(finding);
        const name = (part) => html('span', { class: 'name', title: report.parts[part].name }, report.parts[part].label);
        const pair = finding.a === finding.b ? [name(finding.a)]
            : [name(finding.a), html('span', { class: 'against', 'aria-hidden': 'true' }, '×'), name(finding.b)];
        return html('div', {
            class: `row state-is-${state}`, role: 'option', id: `finding-${finding.index}`, 'aria-selected': 'false',
            dataset: { id: finding.id }, onclick: () => this.app.select(finding),
        },
        html('span', { class: `rank severity-${severityGrade(report, finding.severity)}`, 'aria-hidden': 'true' }),
        verdictIcon(finding.verdict),
        html('div', { class: 'row-text' },
            html('div', { class: 'row-names' }, pair),
            html('div', { class: 'row-facts' },
                html('span', { class: 'row-verdict' }, verdicts[finding.verdict].word),
                html('span', { class: 'row-measure' }, measure(finding, report.header.units)))),
        html('div', { class: 'row-chips' }, severityChip(report, finding.severity), stateChip(report, state)));
    }

    /** Shows which row is selected, and brings it into sight. */
    mark() {
        const { finding, listed } = this.app;
        for (const row of this.list.querySelectorAll('[aria-selected="true"]')) row.setAttribute('aria-selected', 'false');
        this.list.removeAttribute('aria-activedescendant');
        if (!finding) return;
        const at = listed.indexOf(finding);
        while (at >= this.shown && this.shown < listed.length) this.grow();
        const row = this.rows.get(finding.index);
        if (!row) return;
        row.setAttribute('aria-selected', 'true');
        this.list.setAttribute('aria-activedescendant', row.id);
        row.scrollIntoView({ block: 'nearest' });
    }
}
