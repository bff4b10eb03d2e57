// SPDX-License-Identifier: MIT
// What is selected, and who wants to know. Panels change the selection through this and hear of it through this; none of
// them knows another.

export class App {
    /** @param view  the 3D view, or null where the browser cannot draw one */
    constructor(report, review, view, theme) {
        Object.assign(this, { report, review, view, theme });
        this.finding = null;
        this.part = -1;
        this.partFilter = -1; // the list shows findings of this part only
        this.listed = report.findings; // as the list shows them now: filtered and sorted
        this.listeners = new Map();
        review.onChange = (finding) => this.tell('review', finding);
    }

    on(event, listener) {
        const list = this.listeners.get(event) ?? [];
        this.listeners.set(event, [...list, listener]);
    }

    tell(event, detail) {
        for (const listener of this.listeners.get(event) ?? []) listener(detail);
    }

    select(finding) {
        if (!finding) return this.clear();
        this.finding = finding;
        this.part = -1;
        this.tell('select'); // first, so that the view knows how much of it the card covers
        this.view?.showFinding(finding);
        this.tell('shown');
    }

    choose(part, frame = false) {
        this.finding = null;
        this.part = part;
        this.tell('select');
        this.view?.showPart(part, frame);
    }

    clear() {
        this.finding = null;
        this.part = -1;
        this.view?.showAll();
        this.tell('select');
    }

    /** The finding `step` places further in the list. */
    go(step) {
        const { listed } = this;
        if (listed.length === 0) return;
        const at = listed.indexOf(this.finding);
        const next = at < 0 ? (step > 0 ? 0 : listed.length - 1) : Math.min(Math.max(at + step, 0), listed.length - 1);
        this.select(listed[next]);
    }

    filterByPart(part) {
        this.partFilter = part;
        this.tell('filter');
    }

    setHidden(parts, hidden) {
        this.view?.parts.setHidden(parts, hidden);
        this.tell('visibility');
    }

    isHidden(part) {
        return this.view ? this.view.parts.hidden[part] === 1 : false;
    }
}
