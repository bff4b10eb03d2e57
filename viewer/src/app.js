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
        this.groupFilter = ''; // and between these two groups of parts, as pairKey names them
        this.location = -1; // the place of the finding that is looked at, where it has several
        this.listed = report.findings; // as the list shows them now: filtered and sorted
        this.waiting = null; // ends what takes long, while something does
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
        this.location = -1;
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

    /** Looks at one of the places of the finding. */
    goTo(location) {
        this.location = location;
        this.view?.showLocation(this.finding, location);
        this.tell('location');
    }

    clear() {
        this.finding = null;
        this.part = -1;
        this.view?.showAll();
        this.tell('select');
    }

    /** Leaves the selection, and goes back to where one looked from before it. */
    leave() {
        this.view?.goBack();
        this.clear();
    }

    /** One step back: out of what one waits for, out of the measuring tool, out of the selection, to the overview. */
    back() {
        if (this.waiting) return this.waiting();
        if (this.view?.measure.on) return this.tell('measure', false);
        if (this.finding || this.part >= 0) return this.leave();
        this.view?.home();
    }

    /** The finding `step` places further in the list. */
    go(step) {
        const { listed } = this;
        if (listed.length === 0) return;
        const at = listed.indexOf(this.finding);
        const from = at >= 0 ? at : step > 0 ? -1 : listed.length;
        this.select(listed[Math.min(Math.max(from + step, 0), listed.length - 1)]);
    }

    filterByPart(part) {
        this.partFilter = part;
        this.tell('filter');
    }

    filterByGroups(key) {
        this.groupFilter = key;
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
