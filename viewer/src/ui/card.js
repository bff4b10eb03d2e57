// SPDX-License-Identifier: MIT
// The card of what is selected: everything known about a finding, the number that decided and its grade, and what the
// reader decides about it; or the facts of a part.
import { count, counted, number } from '../report/numbers.js';
import { verdicts } from '../report/read.js';
import { decisionForm } from './decision.js';
import { html } from './dom.js';
import { factList, factsOf, locationText } from './facts.js';
import { icon, verdictIcon } from './icons.js';
import { severityChip, stateChip } from './words.js';

/** Places that the card lists; the view marks all of them. */
const mostPlaces = 200;

export class Card {
    constructor(app, root) {
        this.app = app;
        this.root = root;
        app.on('select', () => this.update());
        // Later: who leaves a field of the decision for the next one is between the two now, with the focus nowhere.
        app.on('review', () => setTimeout(() => this.update()));
        app.on('list', () => setTimeout(() => this.update()));
        app.on('location', () => this.markLocation());
        root.addEventListener('focusout', () => setTimeout(() => this.stale && this.update())); // what waited while one wrote
        app.on('visibility', () => this.app.part >= 0 && this.update());
    }

    update() {
        const { finding, part } = this.app;
        const hidden = !finding && part < 0;
        const editing = this.root.contains(document.activeElement) && document.activeElement.matches('#reason, #assignee');
        this.stale = editing && finding?.id === this.shownId;
        if (this.stale) return;
        const scrollTop = this.root.querySelector('.card-body')?.scrollTop ?? 0;
        const same = finding && finding.id === this.shownId;
        const focused = same && this.root.contains(document.activeElement) ? document.activeElement.id : '';
        this.shownId = finding?.id;
        this.root.hidden = hidden;
        if (hidden) this.root.replaceChildren();
        else this.root.replaceChildren(...(finding ? this.finding(finding) : this.part(part)));
        if (same) this.root.querySelector('.card-body').scrollTop = scrollTop;
        if (focused) document.getElementById(focused)?.focus();
        this.onShow?.(!hidden);
    }

    head(title, ...extra) {
        return html('div', { class: 'card-head' }, html('h2', {}, title), ...extra,
            html('button', { class: 'button quiet', type: 'button', 'aria-label': 'Close', title: 'Close (Esc)', onclick: () => this.app.leave() },
                icon('close')));
    }

    finding(finding) {
        const { report, review, listed } = this.app;
        const at = listed.indexOf(finding);
        const { state, assignee } = review.of(finding);
        const step = (by, name, glyph) => html('button', {
            class: 'button quiet', type: 'button', 'aria-label': name, title: `${name} (${by > 0 ? 'j' : 'k'})`,
            disabled: at < 0 || at + by < 0 || at + by >= listed.length, onclick: () => this.app.go(by),
        }, icon(glyph));
        return [
            this.head(html('span', { class: 'card-title' }, verdictIcon(finding.verdict), verdicts[finding.verdict].word),
                html('span', { class: 'card-place' }, at < 0 ? '' : `${at + 1} of ${listed.length}`),
                step(-1, 'Previous finding', 'previous'), step(1, 'Next finding', 'next')),
            html('div', { class: 'card-chips' }, severityChip(report, finding.severity), stateChip(report, state, true, assignee),
                finding.change && html('span', { class: 'chip' }, finding.change),
                html('code', { class: 'card-id', title: 'The id stays the same between revisions' }, finding.id)),
            html('div', { class: 'card-body' },
                html('div', { class: 'card-parts' }, this.partNames(finding)),
                this.buttons(finding),
                factList(factsOf(finding, report.header.units, report.header.step)),
                this.locations(finding)),
            decisionForm(review, finding),
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

    /** Both parts, or the contact alone. */
    buttons(finding) {
        const { view } = this.app;
        const button = (id, text, glyph, title, onclick) =>
            html('button', { class: 'button small', type: 'button', id, title, onclick }, icon(glyph), text);
        return view && html('div', { class: 'card-buttons' },
            button('frame-pair', 'Both parts', 'frame', 'Both parts (f)', () => view.framePair(finding)),
            button('frame-contact', 'Contact', 'search', 'The contact (f again)', () => view.frameContact(finding)));
    }

    /** The places where the two meet, where there are several; each can be flown to. */
    locations(finding) {
        const { places } = finding;
        if (places.length === 0) return null;
        const { units } = this.app.report.header;
        const item = (text, at) => html('li', {}, html('button', {
            class: 'location', type: 'button', dataset: { location: at }, 'aria-pressed': 'false', onclick: () => this.app.goTo(at),
        }, html('span', { class: 'location-number' }, at + 1), html('span', {}, text)));
        const word = finding.locations.length > 1 ? 'place' : 'open edge';
        return html('div', { class: 'locations' }, html('h3', {}, counted(places.length, word)),
            html('ol', { id: 'locations' }, places.slice(0, mostPlaces).map((location, at) => item(locationText(location, units), at))),
            places.length > mostPlaces && html('p', { class: 'fine' }, `and ${count(places.length - mostPlaces)} more`));
    }

    markLocation() {
        for (const button of this.root.querySelectorAll('.location'))
            button.setAttribute('aria-pressed', String(Number(button.dataset.location) === this.app.location));
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
