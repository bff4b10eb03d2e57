// SPDX-License-Identifier: MIT
// The card of what is selected: everything known about a finding, the number that decided and its grade, and what the
// reader decides about it; or the facts of a part.
import { count, counted, interval, intervalInFull, number, point } from '../report/numbers.js';
import { verdicts } from '../report/read.js';
import { html } from './dom.js';
import { icon, verdictIcon } from './icons.js';
import { severityChip, stateChip } from './words.js';

const grades = {
    exact: 'decided and computed exactly',
    bounded: 'the true value lies within these certified bounds',
    estimated: 'an estimate without a certified bound',
};

export class Card {
    constructor(app, root) {
        this.app = app;
        this.root = root;
        app.on('select', () => this.update());
        app.on('review', () => this.update());
        app.on('list', () => this.update());
        app.on('visibility', () => this.app.part >= 0 && this.update());
    }

    update() {
        const { finding, part } = this.app;
        const hidden = !finding && part < 0;
        const editing = this.root.contains(document.activeElement) && document.activeElement.id === 'reason';
        if (editing && finding?.id === this.shownId) return;
        this.shownId = finding?.id;
        this.root.hidden = hidden;
        if (hidden) this.root.replaceChildren();
        else this.root.replaceChildren(...(finding ? this.finding(finding) : this.part(part)));
        this.root.scrollTop = 0;
        this.onShow?.(!hidden);
    }

    head(title, ...extra) {
        return html('div', { class: 'card-head' }, html('h2', {}, title), ...extra,
            html('button', { class: 'button quiet', type: 'button', 'aria-label': 'Close', title: 'Close (Esc)', onclick: () => this.app.clear() },
                icon('close')));
    }

    finding(finding) {
        const { report, review, listed } = this.app;
        const at = listed.indexOf(finding);
        const { state } = review.of(finding);
        const step = (by, name, glyph) => html('button', {
            class: 'button quiet', type: 'button', 'aria-label': name, title: `${name} (${by > 0 ? 'j' : 'k'})`,
            disabled: at < 0 || at + by < 0 || at + by >= listed.length, onclick: () => this.app.go(by),
        }, icon(glyph));
        return [
            this.head(html('span', { class: 'card-title' }, verdictIcon(finding.verdict), verdicts[finding.verdict].word),
                html('span', { class: 'card-place' }, at < 0 ? '' : `${at + 1} of ${listed.length}`),
                step(-1, 'Previous finding', 'previous'), step(1, 'Next finding', 'next')),
            html('div', { class: 'card-chips' }, severityChip(report, finding.severity), stateChip(report, state, true),
                finding.change && html('span', { class: 'chip' }, finding.change),
                html('code', { class: 'card-id', title: 'The id stays the same between revisions' }, finding.id)),
            html('div', { class: 'card-parts' }, this.partNames(finding)),
            this.facts(finding),
            this.decision(finding),
        ];
    }

    partNames(finding) {
        const { report } = this.app;
        const roles = finding.verdict === 'contains' ? ['outer', 'inner'] : ['a', 'b'];
        return finding.set.map((index) => {
            const b = index === finding.b && finding.a !== finding.b;
            const { label, path } = report.parts[index];
            return html('button', {
                class: `card-part ${b ? 'is-b' : 'is-a'}`, type: 'button', title: `Select ${report.parts[index].name}`,
                onclick: () => this.app.choose(index),
            }, html('span', { class: 'swatch' }, finding.set.length === 2 ? roles[b ? 1 : 0] : ''),
            html('span', { class: 'card-part-text' }, html('span', { class: 'card-part-name' }, label),
                path.length > 1 && html('span', { class: 'fine' }, path.slice(0, -1).join(' / '))));
        });
    }

    facts(finding) {
        const { units } = this.app.report.header;
        const grade = (name) => name && html('span', { class: `grade grade-${name}`, title: grades[name] ?? '' }, name);
        const size = finding.box && [0, 1, 2].map((k) => number(finding.box[k + 3] - finding.box[k], 4)).join(' × ');
        const rows = [
            finding.depth && ['Depth', html('span', { title: intervalInFull(finding.depth) }, interval(finding.depth, units)), grade(finding.depthGrade)],
            finding.gap && ['Gap', html('span', { title: intervalInFull(finding.gap) }, interval(finding.gap, units)), grade(finding.gapGrade)],
            finding.contact && ['Contact', finding.contact],
            finding.area != null && finding.contact === 'face' && ['Area', `${number(finding.area)}${units ? `\u202f${units}²` : ''}`, grade('estimated')],
            finding.pairs > 0 && ['Triangle pairs', count(finding.pairs)],
            finding.curves.length > 0 && ['Curves', this.curveText(finding)],
            size && ['Extent', `${size}${units ? `\u202f${units}` : ''}`],
            finding.point && ['Point', html('span', { class: 'digits', title: finding.point.join(', ') }, point(finding.point)), units && `\u202f${units}`],
            finding.rule && ['Rule', finding.rule],
        ];
        return html('dl', { class: 'card-facts' }, rows.filter(Boolean).map(([name, ...text]) =>
            html('div', {}, html('dt', {}, name), html('dd', {}, text))));
    }

    curveText(finding) {
        const closed = finding.curves.filter((c) => c.length > 6 && [0, 1, 2].every((k) => c[k] === c[c.length - 3 + k])).length;
        const text = `${finding.curves.length}${closed > 0 ? `, ${closed} closed` : ''}`;
        return finding.curvesLeftOut > 0 ? `${text}; ${count(finding.curvesLeftOut)} more left out` : text;
    }

    decision(finding) {
        const { review } = this.app;
        const { state, reason } = review.of(finding);
        if (state === 'approved')
            return html('div', { class: 'decision' },
                html('p', { class: 'decision-text' }, icon('check'), html('span', {}, 'Approved', reason ? `: ${reason}` : ', without a reason')),
                html('button', { class: 'button', type: 'button', id: 'reopen', onclick: () => review.reopen(finding) }, 'Open again'));
        const input = html('input', {
            class: 'input', id: 'reason', type: 'text', placeholder: 'Why this is fine', 'aria-label': 'Reason for approving', required: true,
        });
        return html('form', {
            class: 'decision', onsubmit: (event) => {
                event.preventDefault();
                const text = input.value.trim();
                input.blur();
                if (text) review.approve(finding, text);
            },
        }, input, html('button', { class: 'button primary', type: 'submit', id: 'approve' }, 'Approve'));
    }

    part(index) {
        const { report, view } = this.app;
        const part = report.parts[index];
        const size = [0, 1, 2].map((k) => number(part.box[k + 3] - part.box[k], 5)).join(' × ');
        const units = report.header.units ? `\u202f${report.header.units}` : '';
        const closed = part.closed == null ? 'not known' : part.closed ? 'yes' : 'no: containment cannot be decided';
        const hidden = this.app.isHidden(index);
        const rows = [
            ['Path', part.path.slice(0, -1).join(' / ') || '–'],
            part.file != null && ['File', report.header.inputs[part.file]?.path ?? '–'],
            ['Triangles', count(part.triangles)],
            ['Closed', closed],
            ['Size', size + units],
            ['Shown as', this.shownAs(part)],
        ];
        return [
            this.head(part.label),
            html('dl', { class: 'card-facts' }, rows.filter(Boolean).map(([name, text]) =>
                html('div', {}, html('dt', {}, name), html('dd', {}, text)))),
            html('div', { class: 'card-buttons' },
                html('button', { class: 'button', type: 'button', onclick: () => view?.framePart(index) }, icon('frame'), 'Frame'),
                html('button', { class: 'button', type: 'button', onclick: () => this.app.setHidden([index], !hidden) },
                    icon(hidden ? 'eye' : 'hidden'), hidden ? 'Show' : 'Hide'),
                part.findings.length > 0 && html('button', { class: 'button', type: 'button', onclick: () => this.app.filterByPart(index) },
                    counted(part.findings.length, 'finding'))),
        ];
    }

    shownAs(part) {
        if (part.geometry != null) return 'full mesh';
        return part.reduced != null ? 'simplified mesh' : 'its box';
    }
}
