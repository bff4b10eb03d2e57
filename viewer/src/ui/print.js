// SPDX-License-Identifier: MIT
// The report on paper, or as a PDF: a head with the summary, then one block for each finding that is listed, with its
// picture. Pictures are made when printing is asked for; a print that the browser's own menu starts cannot wait for
// meshes, and takes what can be drawn within some seconds.
import { matrixOf, partGroups } from '../report/groups.js';
import { count, counted } from '../report/numbers.js';
import { verdicts } from '../report/read.js';
import { reviewStates } from '../report/review.js';
import { html } from './dom.js';
import { factList, factsOf, locationText } from './facts.js';
import { verdictIcon } from './icons.js';
import { severityChip, stateChip } from './words.js';

const mostPictures = 400;
const batch = 4; // pictures between two looks at the keyboard
const mostPlaces = 12;
const patience = 8000; // milliseconds for pictures before a print that cannot wait

export class Print {
    constructor(app, root) {
        this.app = app;
        this.root = root;
        window.addEventListener('beforeprint', () => this.fill());
        window.addEventListener('afterprint', () => root.replaceChildren());
    }

    /** Makes the pictures, telling how far it is, and opens the browser's print dialog. */
    async start() {
        const { app } = this;
        if (app.waiting) return;
        this.stopped = false;
        app.waiting = () => (this.stopped = true); // Esc: print with the pictures that are there
        try {
            await this.prepare();
        } finally {
            app.waiting = null;
        }
        app.tell('say', '');
        window.print();
        this.stopped = false;
    }

    async prepare() {
        const { view, listed } = this.app;
        if (!view) return;
        const wanted = listed.slice(0, mostPictures);
        for (let done = 0; done < wanted.length && !this.stopped; done += batch) {
            const some = wanted.slice(done, done + batch);
            for (const finding of some) await view.snapshots.prepare(finding);
            view.snapshots.take(some);
            this.app.tell('say', `Picture ${count(done + some.length)} of ${count(wanted.length)} … Esc prints without the others.`);
            await new Promise((resolve) => setTimeout(resolve));
        }
    }

    fill() {
        const { listed, view } = this.app;
        if (!this.stopped) view?.snapshots.take(listed.slice(0, mostPictures), patience);
        this.root.replaceChildren(this.head(), ...listed.map((finding, at) => this.block(finding, at)), this.foot());
    }

    head() {
        const { report, listed } = this.app;
        const { header } = report;
        const all = report.findings.length;
        const facts = [
            ['Files', header.inputs.map(({ path }) => path).join(', ')],
            ['Limits', Object.entries(header.tolerances).map(([name, value]) => `${name.replace(/_/g, ' ')} ${value}`).join(', ')],
            ['Rules', header.rules.map(({ path }) => path).filter(Boolean).join(', ')],
            ['Baseline', header.baseline?.path ?? ''],
            ['Parts', count(report.parts.length)],
            ['Findings', listed.length === all ? count(all) : `${count(listed.length)} of ${count(all)}, as the list was filtered`],
            ['Units', header.units || 'as in the files'],
            ['Written', `${header.tool}${header.created ? `, ${header.created}` : ''}`],
        ].filter(([, text]) => text);
        return html('header', { class: 'print-head' },
            html('h1', {}, header.title || 'Clash report'),
            html('p', { class: 'print-verdict' }, document.querySelector('#verdict')?.textContent ?? ''),
            factList(facts), this.summary(), this.groups(),
            report.problems.length > 0 && html('section', {}, html('h2', {}, counted(report.problems.length, 'problem')),
                html('ul', {}, report.problems.map((problem) => html('li', {}, this.problem(problem))))));
    }

    problem({ part, file, what }) {
        const name = Number.isInteger(part) ? this.app.report.parts[part]?.name : part ?? file;
        return name ? `${name}: ${what}` : what;
    }

    /** How many findings of each severity and verdict, and in which state. */
    summary() {
        const { report, listed, review } = this.app;
        const severities = [...new Set([...report.header.severities, ...listed.map(({ severity }) => severity)])]
            .filter((severity) => listed.some((finding) => finding.severity === severity));
        const kinds = Object.keys(verdicts).filter((verdict) => listed.some((finding) => finding.verdict === verdict));
        const states = Object.keys(reviewStates);
        const number = (findings) => html('td', {}, findings.length > 0 ? count(findings.length) : '');
        const row = (name, findings) => html('tr', {}, html('th', { scope: 'row' }, name),
            kinds.map((verdict) => number(findings.filter((finding) => finding.verdict === verdict))), number(findings),
            states.map((state) => number(findings.filter((finding) => review.of(finding).review === state))));
        if (listed.length === 0) return null;
        return html('table', { class: 'print-table' },
            html('thead', {}, html('tr', {}, html('td', {}), [...kinds.map((verdict) => verdicts[verdict].word), 'All',
                ...Object.values(reviewStates)].map((word) => html('th', { scope: 'col' }, word)))),
            html('tbody', {}, severities.map((severity) => row(severity || 'none', listed.filter((finding) => finding.severity === severity))),
                row('all', listed)));
    }

    /** The pairs of groups with most findings. */
    groups() {
        const { report, listed } = this.app;
        const { names, groupOf } = partGroups(report);
        const cells = [...matrixOf(groupOf, listed)].sort((p, q) => q[1].length - p[1].length);
        if (cells.length < 2) return null;
        const text = cells.slice(0, 12).map(([key, findings]) => {
            const [p, q] = key.split('-').map((group) => names[group]);
            return `${p === q ? `within ${p}` : `${p} × ${q}`}: ${count(findings.length)}`;
        });
        const more = cells.length - text.length;
        return html('p', { class: 'print-groups' }, text.join('; '), more > 0 ? `; and ${counted(more, 'more pair')} of groups.` : '.');
    }

    block(finding, at) {
        const { report, review, view } = this.app;
        const { units } = report.header;
        const { state, review: decided, assignee, comment, lapsed } = review.of(finding);
        const picture = view?.snapshots.kept.get(finding);
        const roles = finding.verdict === 'contains' ? ['outer', 'inner'] : ['a', 'b'];
        const name = (part, k) => html('div', { class: `print-part is-${k === 0 ? 'a' : 'b'}` },
            finding.set.length === 2 && html('span', { class: 'swatch' }, roles[k]), html('span', {}, report.parts[part].name));
        return html('article', { class: 'print-finding' },
            html('h2', {}, html('span', { class: 'print-number' }, at + 1), verdictIcon(finding.verdict), verdicts[finding.verdict].word,
                severityChip(report, finding.severity), stateChip(report, state, true), html('code', {}, finding.id)),
            html('div', { class: 'print-columns' },
                picture && html('img', { src: picture, alt: verdicts[finding.verdict].word }),
                html('div', {}, finding.set.slice(0, 6).map((part) => name(part, part === finding.b && finding.a !== finding.b ? 1 : 0)),
                    finding.set.length > 6 && html('div', { class: 'print-part' }, `and ${finding.set.length - 6} more`),
                    factList(factsOf(finding, units, report.header.step)))),
            finding.places.length > 0 && html('ol', { class: 'print-places' },
                finding.places.slice(0, mostPlaces).map((place) => html('li', {}, locationText(place, units))),
                finding.places.length > mostPlaces && html('li', {}, `and ${counted(finding.places.length - mostPlaces, 'more place')}`)),
            (decided !== 'open' || assignee || comment || lapsed) && html('p', { class: 'print-review' }, html('strong', {}, reviewStates[decided]),
                [assignee && ` to ${assignee}`, comment && `: ${comment}`, lapsed && ` (the approval lapsed: ${lapsed})`]));
    }

    foot() {
        const { listed, view } = this.app;
        const without = listed.filter((finding) => !view?.snapshots.kept.has(finding)).length;
        return html('p', { class: 'print-foot' }, without > 0 && without < listed.length ? `${counted(without, 'finding')} without a picture. ` : '',
            'Intervals are certified bounds of the true value; what is estimated or measured says so.');
    }
}
