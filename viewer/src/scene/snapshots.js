// SPDX-License-Identifier: MIT
// Pictures of findings for the printed report: each finding is shown as when it is selected, on white, in a size of its own,
// and afterwards everything is as it was. Pictures are kept until the page is closed.
import { palettes } from './palette.js';

const width = 720;
const height = 440;

export class Snapshots {
    constructor(view) {
        this.view = view;
        this.kept = new Map(); // finding -> data URL
    }

    /** Makes the pictures that are missing, until `most` milliseconds are over. True where none is missing. */
    take(findings, most = Infinity) {
        const missing = findings.filter((finding) => !this.kept.has(finding));
        if (missing.length === 0) return true;
        const until = performance.now() + most;
        return this.aside(() => {
            for (const finding of missing) {
                if (performance.now() > until) return false;
                this.kept.set(finding, this.picture(finding));
            }
            return true;
        });
    }

    /** Asks for the meshes of a finding's parts, and waits for them. */
    prepare(finding) {
        const { parts, report } = this.view;
        return parts.queue.want(finding.set.map((part) => parts.bestBlock(report.parts[part])), true);
    }

    picture(finding) {
        const { view } = this;
        const { stage } = view;
        view.finding = finding;
        if (finding.measuredAt != null) view.setTime(finding.measuredAt);
        view.focusOn(finding);
        view.marks.show(finding);
        view.framePair(finding, true);
        if (view.flight.journey) view.flight.arrive(1);
        stage.frame(performance.now());
        return stage.canvas.toDataURL('image/jpeg', 0.86);
    }

    /** Does something with the view in its own light and size, and puts everything back. */
    aside(call) {
        const { view } = this;
        const { stage, parts, section, marks, measure } = view;
        const was = {
            view: { finding: view.finding, framed: view.framed, before: view.before, focusSize: view.focusSize, ghostStrength: view.ghostStrength },
            parts: { focus: parts.focus, chosen: parts.chosen, around: parts.around, explode: parts.explode, hidden: parts.hidden },
            time: parts.time, origin: parts.origin, theme: view.theme, camera: view.flight.place, place: marks.place, visible: marks.visible,
            section: { on: section.on, position: section.position },
        };
        const { background } = stage.canvas.parentElement.style;
        view.before = view.flight.journey = null;
        Object.assign(parts, { focus: null, chosen: -1, explode: 0, around: 'ghost', hidden: new Uint8Array(parts.hidden.length) });
        if (section.on) section.set({ on: false });
        marks.setVisible(true);
        measure.overlay.group.visible = false;
        view.setTheme('light');
        stage.renderer.setClearColor(palettes.light.backgroundTop, 1);
        try {
            return stage.inSize(width, height, call);
        } finally {
            stage.renderer.setClearColor(0x000000, 0);
            stage.canvas.parentElement.style.background = background;
            this.putBack(was);
        }
    }

    putBack(was) {
        const { view } = this;
        const { parts, marks, section, measure } = view;
        parts.setOrigin(was.origin); // coordinates in `was` are relative to it
        Object.assign(view, was.view);
        Object.assign(parts, was.parts);
        view.setTime(was.time);
        view.setTheme(was.theme);
        section.set(was.section);
        marks.show(view.finding);
        if (was.place >= 0) marks.setPlace(was.place);
        marks.setVisible(was.visible);
        measure.draw();
        measure.overlay.group.visible = true;
        view.flight.toCamera(was.camera, true);
    }
}
