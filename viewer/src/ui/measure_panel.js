// SPDX-License-Identifier: MIT
// The panel of the measuring tool: what was picked, what lies between, and, where the engine measured the same two parts,
// its certified number beside ours.
import { interval, intervalInFull, number, point } from '../report/numbers.js';
import { lengthOf } from '../scene/distances.js';
import { pickKinds } from '../scene/measure.js';
import { html } from './dom.js';

const sources = {
    mesh: 'on the mesh in this page, whose coordinates are floats',
    'simplified mesh': 'on a simplified mesh',
    box: 'on the box of a part',
    report: 'between points of the report',
};

export class MeasurePanel {
    constructor(app) {
        this.app = app;
        this.measure = app.view.measure;
        const button = ([kind, word]) => html('button', { class: 'toggle', type: 'button', dataset: { kind }, onclick: () => this.setKind(kind) }, word);
        this.kinds = html('div', { class: 'segments', role: 'group', 'aria-label': 'What is picked' }, Object.entries(pickKinds).map(button));
        this.text = html('div', { class: 'measure-text', role: 'status', id: 'measured' });
        this.element = html('div', { class: 'popover measure', id: 'measure-panel', hidden: true, role: 'group', 'aria-label': 'Measure' },
            this.kinds, this.text);
        this.measure.onChange = () => this.update();
        this.setKind('auto');
    }

    setKind(kind) {
        this.measure.kind = kind;
        for (const button of this.kinds.children) button.setAttribute('aria-pressed', String(button.dataset.kind === kind));
        this.update();
    }

    update() {
        const { picks, result } = this.measure;
        const rows = picks.map((pick, at) => this.row(`${at + 1}`, this.pickText(pick), pick.point.join(', ')));
        const hints = ['Click a corner, an edge or a face; Enter takes what is in the middle.', 'And the other one.'];
        if (picks.length < 2) rows.push(html('p', { class: 'fine' }, hints[picks.length]));
        if (result) rows.push(...this.resultRows(picks, result));
        this.text.replaceChildren(...rows);
    }

    row(name, text, title = '', grade = null) {
        return html('div', { class: 'measure-row' },
            html('span', { class: 'measure-name' }, name), html('span', { class: 'measure-value', title }, text), grade);
    }

    length(value) {
        const { units } = this.app.report.header;
        return `${number(value, 7)}${units ? `\u202f${units}` : ''}`;
    }

    pickText(pick) {
        const name = pick.part >= 0 ? ` of ${this.app.report.parts[pick.part].label}` : ' of the report';
        const edge = lengthOf(pick);
        return `${pick.kind}${name}: ${edge == null ? point(pick.point, 8) : `length ${this.length(edge)}`}`;
    }

    resultRows(picks, { distance, angle, ends, what }) {
        const difference = ends[1].map((x, k) => x - ends[0][k]);
        const worst = ['box', 'simplified mesh', 'mesh', 'report'].find((source) => picks.some(({ of }) => of === source));
        const grade = (word, title) => html('span', { class: `grade grade-${word}`, title }, word);
        return [
            this.row('Distance', this.length(distance), String(distance), grade('measured', `${what}, ${sources[worst]}`)),
            this.row('x, y, z', point(difference, 6), difference.join(', ')),
            angle != null && this.row('Angle', `${number(angle, 5)}°`, String(angle)),
            this.certified(picks),
            html('p', { class: 'fine' }, `Measured ${what}, ${sources[worst]}.`),
        ].filter(Boolean);
    }

    /** What the engine says of the two parts, where it found something between them. */
    certified(picks) {
        const { findings, header } = this.app.report;
        const [p, q] = picks.map(({ part }) => part);
        const finding = p >= 0 && q >= 0 && p !== q ? findings.find(({ set }) => set.includes(p) && set.includes(q))
            : picks.every(({ of }) => of === 'report') ? this.app.finding : null;
        const [name, value] = finding?.gap ? ['gap', finding.gap] : finding?.depth ? ['depth', finding.depth] : [];
        if (!value) return null;
        return this.row(`Their ${name}`, interval(value, header.units), intervalInFull(value),
            html('span', { class: 'grade grade-exact', title: 'computed by the engine, with certified bounds' }, 'certified'));
    }
}
