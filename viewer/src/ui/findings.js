// SPDX-License-Identifier: MIT
// The list of findings with its filter, worst first, all of them or in groups that fold. Rows are made as one scrolls.
import { groupFindings, groupings } from '../report/groups.js';
import { count, counted } from '../report/numbers.js';
import { verdicts } from '../report/read.js';
import { BlockList } from './blocks.js';
import { html } from './dom.js';
import { emptyFilter, Filter, orders, states } from './filter.js';
import { icon, verdictIcon } from './icons.js';
import { isSettled, measure, severityChip, severityGrade, stateChip } from './words.js';

const rowHeight = 57; // pixels, until a row was seen
const headHeight = 34;

export class FindingsList {
    constructor(app, root) {
        this.app = app;
        this.filter = { ...emptyFilter };
        this.filterer = new Filter(app.report, app.review);
        this.folded = new Set(); // keys of groups that are folded
        this.build(root);
        this.blocks = new BlockList(this.list, (item) => (item.finding ? this.row(item.finding) : this.groupHead(item)),
            (item) => (item.finding ? rowHeight : headHeight));
        app.on('select', () => {
            this.unfold(app.finding);
            this.mark();
        });
        app.on('review', () => this.update(true));
        app.on('filter', () => this.set({ part: app.partFilter, groups: app.groupFilter }));
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
            by: this.select('by', 'Groups'),
        };
        this.verdictChips = html('div', { class: 'verdict-chips', role: 'group', 'aria-label': 'Verdict' });
        this.partChip = html('div', { class: 'part-chip' });
        this.status = html('div', { class: 'list-status', role: 'status', id: 'findings-count' });
        this.list = html('div', { class: 'list', role: 'listbox', 'aria-label': 'Findings', tabindex: 0, id: 'findings' });
        root.append(
            html('div', { class: 'filters' },
                html('div', { class: 'search-box' }, icon('search'), this.search),
                this.verdictChips,
                html('div', { class: 'selects' }, Object.values(this.selects).map(({ label }) => label)),
                this.partChip),
            this.status, this.list);
    }

    select(field, title) {
        const element = html('select', { 'aria-label': title, id: `filter-${field}`, onchange: (event) => this.set({ [field]: event.target.value }) });
        return { element, label: html('label', { class: 'select' }, html('span', {}, title), element) };
    }

    set(change) {
        Object.assign(this.filter, change);
        this.update();
    }

    /** @param stay  keeps the place that the list is scrolled to */
    update(stay = false) {
        const found = this.filterer.apply(this.filter);
        const groups = this.filter.by === 'none' ? null : groupFindings(this.app.report, found, this.filter.by, this.filterer.groups);
        this.app.listed = groups ? groups.flatMap(({ findings }) => findings) : found;
        this.fillChips();
        this.fillSelects();
        this.fillPartChip();
        const { length } = found;
        const all = this.app.report.findings.length;
        this.status.textContent = (length === all ? counted(all, 'finding') : `${count(length)} of ${counted(all, 'finding')}`)
            + (groups ? ` in ${counted(groups.length, 'group')}` : '');
        this.groups = groups;
        this.fill(stay);
        this.app.tell('list');
    }

    /** The rows, and heads where there are groups. */
    fill(stay = false) {
        const { scrollTop } = this.list;
        const rows = (findings) => findings.map((finding) => ({ finding }));
        const items = this.groups
            ? this.groups.flatMap((group) => [group, ...(this.folded.has(group.key) ? [] : rows(group.findings))])
            : rows(this.app.listed);
        this.places = new Map(items.map((item, at) => [item.finding?.index ?? item.key, at]));
        this.blocks.set(items);
        this.list.scrollTop = stay ? scrollTop : 0;
        if (items.length === 0)
            this.list.append(html('p', { class: 'empty' },
                this.app.report.findings.length === 0 ? 'Nothing was found.' : 'No finding matches the filter.'));
        this.mark(!stay);
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
        const counts = this.filterer.counts(this.filter, 'state');
        const open = [...counts].reduce((sum, [state, n]) => sum + (isSettled(state) ? 0 : n), 0);
        const used = [...new Set([...this.app.report.header.severities, ...severities.keys()])];
        options('severity', [['', 'all'], ...used.filter(Boolean).map((s) => [s, `${s} (${severities.get(s) ?? 0})`])]);
        options('state', [['', 'all'], ['open', `open (${open})`],
            ...states.filter((s) => s !== 'worse' || counts.has(s)).map((s) => [s, `${s} (${counts.get(s) ?? 0})`]),
            ...this.app.review.assignees.map((name) => [`@${name}`, `of ${name}`])]);
        options('order', Object.entries(orders).filter(([key]) => key !== 'time' || (this.app.report.moves && !this.app.report.header.step)));
        options('by', Object.entries(groupings));
    }

    /** What the list is narrowed to from elsewhere: a part, or a cell of the matrix. */
    fillPartChip() {
        const { part, groups } = this.filter;
        const { names } = this.filterer.groups;
        const chip = (text, title, onclick) => html('button', { class: 'toggle', type: 'button', 'aria-pressed': 'true', title, onclick },
            html('span', { class: 'toggle-text' }, text), icon('close'));
        const [p, q] = groups.split('-').map((number) => names[number]);
        this.partChip.replaceChildren(...[
            part >= 0 && chip(`with ${this.app.report.parts[part].label}`, 'Show findings of all parts again', () => this.app.filterByPart(-1)),
            groups && chip(p === q ? `within ${p}` : `${p} × ${q}`, 'Show findings of all groups again', () => this.app.filterByGroups('')),
        ].filter(Boolean));
    }

    /** The head of a group: folds it. */
    groupHead({ key, title, findings }) {
        const { report } = this.app;
        const open = !this.folded.has(key);
        const settled = findings.filter((finding) => isSettled(this.app.review.of(finding).state)).length;
        return html('div', { class: 'group-head', role: 'presentation' }, html('button', {
            class: 'group-button', type: 'button', 'aria-expanded': String(open), dataset: { group: key },
            onclick: () => {
                if (open) this.folded.add(key);
                else this.folded.delete(key);
                this.fill(true);
                this.list.querySelector(`[data-group="${CSS.escape(key)}"]`)?.focus();
            },
        },
        html('span', { class: 'fold', 'aria-hidden': 'true' }, icon('branch')),
        html('span', { class: 'group-title', title }, title),
        html('span', { class: `badge severity-${severityGrade(report, findings[0].severity)}` }, count(findings.length)),
        settled > 0 && html('span', { class: 'fine' }, settled === findings.length ? 'all settled' : `${count(settled)} settled`)));
    }

    row(finding) {
        const { report, review } = this.app;
        const { state, assignee } = review.of(finding);
        const name = (part) => html('span', { class: 'name', title: report.parts[part].name }, report.parts[part].label);
        const pair = finding.a === finding.b ? [name(finding.a)]
            : [name(finding.a), html('span', { class: 'against', 'aria-hidden': 'true' }, '×'), name(finding.b)];
        return html('div', {
            class: `row state-is-${state}${isSettled(state) ? ' is-settled' : ''}`, role: 'option', id: `finding-${finding.index}`,
            'aria-selected': String(finding === this.app.finding), dataset: { id: finding.id },
            onclick: () => this.app.select(finding), ondblclick: () => this.app.view?.frameContact(finding),
        },
        html('span', { class: `rank severity-${severityGrade(report, finding.severity)}`, 'aria-hidden': 'true' }),
        verdictIcon(finding.verdict),
        html('div', { class: 'row-text' },
            html('div', { class: 'row-names' }, pair),
            html('div', { class: 'row-facts' },
                html('span', { class: 'row-verdict' }, verdicts[finding.verdict].word),
                html('span', { class: 'row-measure' }, measure(finding, report.header)),
                finding.locations.length > 1 && html('span', { class: 'row-measure' }, `${count(finding.locations.length)} places`),
                finding.withinResolution && html('span', { class: 'row-note' }, 'within resolution'),
                finding.withinTessellation && html('span', { class: 'row-note' }, 'within tessellation'))),
        html('div', { class: 'row-chips' }, severityChip(report, finding.severity), stateChip(report, state, false, assignee)));
    }

    /** Shows which row is selected, and brings it into sight. */
    mark(scroll = true) {
        const { finding } = this.app;
        for (const row of this.list.querySelectorAll('[aria-selected="true"]')) row.setAttribute('aria-selected', 'false');
        this.list.removeAttribute('aria-activedescendant');
        if (!finding) return;
        const at = this.places.get(finding.index);
        const row = at == null ? null : this.blocks.elementOf(at);
        if (!row) return;
        row.setAttribute('aria-selected', 'true');
        this.list.setAttribute('aria-activedescendant', row.id);
        if (scroll) row.scrollIntoView({ block: 'nearest' });
    }

    /** Opens the group of a finding, where it is in one that is folded. */
    unfold(finding) {
        const group = this.groups?.find(({ key, findings }) => this.folded.has(key) && findings.includes(finding));
        if (!group) return;
        this.folded.delete(group.key);
        this.fill(true);
    }
}
