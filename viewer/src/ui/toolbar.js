// SPDX-License-Identifier: MIT
// The buttons over the 3D view and the small panels they open: section, measuring, and how things are drawn.
import { counted } from '../report/numbers.js';
import { surroundings } from '../scene/parts.js';
import { download, html } from './dom.js';
import { icon } from './icons.js';
import { MeasurePanel } from './measure_panel.js';

const aroundWords = { ghost: 'Others: ghosts', hide: 'Others: hidden', show: 'Others: shown' };

export class Toolbar {
    constructor(app, root) {
        this.app = app;
        this.view = app.view;
        this.buttons = {};
        this.panels = { section: this.sectionPanel(), measure: new MeasurePanel(app).element, display: this.displayPanel() };
        root.append(
            html('div', { class: 'popovers' }, this.panels.section, this.panels.display),
            this.panels.measure,
            html('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'View' },
                this.button('home', 'home', 'Reset', 'Reset view (r)', () => this.reset()),
                this.button('frame', 'frame', 'Frame', 'Frame the selection (f)', () => this.frame()),
                app.report.checked && this.button('around', 'around', 'Others', 'Surrounding parts: ghosts, hidden or shown (g)', () => this.nextAround()),
                app.report.checked && this.button('marks', 'marks', 'Marks', 'Curves, points and measures (c)', () => this.toggleMarks(), true),
                this.button('section', 'section', 'Section', 'Section plane (s)', () => this.toggleSection(), false),
                this.button('measure', 'measure', 'Measure', 'Measure between two points, edges or faces (m)', () => this.toggleMeasure(), false),
                this.button('wireframe', 'wireframe', 'Wireframe', 'Wireframe (w)', () => this.toggleWireframe(), false),
                this.button('display', 'display', 'Display', 'Transparency, explode, detail (d)', () => this.togglePanel('display'), false),
                this.button('picture', 'picture', 'Picture', 'Save a picture (p)', () => this.picture())));
        app.on('measure', (on) => this.toggleMeasure(on));
        app.on('shown', () => this.view.section.on && this.throughSelection());
    }

    button(id, glyph, text, title, onclick, pressed = null) {
        const button = html('button', {
            class: 'tool', type: 'button', id: `tool-${id}`, title, 'aria-label': title.replace(/ \(.\)$/, ''),
            'aria-pressed': pressed == null ? null : String(pressed), onclick,
        }, icon(glyph), html('span', { class: 'tool-text', 'aria-hidden': 'true' }, text));
        this.buttons[id] = button;
        return button;
    }

    press(id, on) {
        this.buttons[id].setAttribute('aria-pressed', String(on));
    }

    reset() {
        this.app.clear();
        this.view.home();
    }

    frame() {
        if (this.app.finding) this.view.frameFinding(this.app.finding);
        else if (this.app.part >= 0) this.view.framePart(this.app.part);
        else this.view.home();
    }

    nextAround() {
        const { parts } = this.view;
        const next = surroundings[(surroundings.indexOf(parts.around) + 1) % surroundings.length];
        parts.setAround(next);
        this.buttons.around.setAttribute('aria-label', aroundWords[next]);
        this.buttons.around.dataset.around = next;
        this.say(aroundWords[next]);
    }

    toggleMarks() {
        this.view.marks.setVisible(!this.view.marks.visible);
        this.press('marks', this.view.marks.visible);
    }

    toggleWireframe() {
        this.view.setWireframe(!this.view.wireframe);
        this.press('wireframe', this.view.wireframe);
    }

    toggleMeasure(on = !this.view.measure.on) {
        this.view.measure.set(on);
        this.view.stage.canvas.classList.toggle('is-measuring', on);
        this.togglePanel('measure', on);
        this.press('measure', on);
    }

    togglePanel(name, open = this.panels[name].hidden) {
        for (const [other, panel] of Object.entries(this.panels)) {
            panel.hidden = other !== name || !open;
            if (other === 'display') this.press('display', !panel.hidden);
        }
    }

    async picture() {
        const blob = await this.view.picture();
        if (blob) download(`${this.app.finding?.id ?? this.app.report.header.title ?? 'graze'}.png`, blob);
    }

    /** A word in passing, where a button has more than two states. */
    say(text) {
        this.app.tell('say', text);
    }

    // ---- section ----

    sectionPanel() {
        const axis = (name) => html('button', {
            class: 'toggle', type: 'button', dataset: { axis: name }, 'aria-pressed': 'false', 'aria-label': `Section across ${name}`,
            title: name === 'View' ? 'Across the line of sight' : `Across ${name}`, onclick: () => this.setAxis(name),
        }, name);
        const tool = (id, name, glyph, onclick) => html('button', {
            class: 'button quiet', type: 'button', id, 'aria-label': name, title: name, onclick,
        }, icon(glyph));
        this.axes = html('div', { class: 'segments', role: 'group', 'aria-label': 'Direction' }, ['X', 'Y', 'Z', 'View'].map(axis));
        this.slider = html('input', {
            type: 'range', min: 0, max: 1000, step: 1, 'aria-label': 'Position of the section', id: 'section-position',
            oninput: () => this.slide(),
        });
        this.where = html('output', { class: 'digits', for: 'section-position' });
        return html('div', { class: 'popover', id: 'section-panel', hidden: true, role: 'group', 'aria-label': 'Section plane' },
            html('div', { class: 'section-line' }, this.axes,
                tool('section-flip', 'Flip the side that is cut away', 'flip', () => this.flip()),
                tool('section-through', 'Cut through the selection', 'frame', () => this.throughSelection())),
            html('div', { class: 'slider-line' }, this.slider, this.where));
    }

    toggleSection(on = !this.view.section.on) {
        this.press('section', on);
        this.togglePanel('section', on);
        this.view.section.set({ on });
        if (on) this.setAxis(this.axisName ?? this.view.nearestAxis());
    }

    setAxis(name) {
        const { section, flight } = this.view;
        this.axisName = name;
        const { direction } = flight;
        section.normal.copy(name === 'View' ? direction : { x: name === 'X' ? 1 : 0, y: name === 'Y' ? 1 : 0, z: name === 'Z' ? 1 : 0 });
        section.faceTo(direction);
        this.throughSelection();
    }

    flip() {
        this.view.section.set({ flipped: !this.view.section.flipped });
    }

    throughSelection() {
        this.view.section.set({ position: this.view.sectionMiddle() });
        this.showSection();
    }

    slide() {
        const [low, high] = this.view.sectionRange();
        this.view.section.set({ position: low + ((high - low) * this.slider.value) / 1000 });
        this.showPosition();
    }

    showSection() {
        const { section } = this.view;
        const [low, high] = this.view.sectionRange();
        this.slider.value = Math.round((1000 * (section.position - low)) / (high - low || 1));
        for (const button of this.axes.children)
            button.setAttribute('aria-pressed', String(button.dataset.axis === this.axisName));
        this.showPosition();
    }

    /** The position in the coordinates of the model, with as many digits as the slider can tell apart. */
    showPosition() {
        const { section } = this.view;
        const { header } = this.app.report;
        const { origin } = this.view.parts;
        const [low, high] = this.view.sectionRange();
        const world = section.position + section.normal.dot({ x: origin[0], y: origin[1], z: origin[2] });
        const decimals = Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(high - low || 1))));
        const text = (Math.round(world * 10 ** decimals) / 10 ** decimals).toLocaleString('en-US', { maximumFractionDigits: decimals });
        this.where.textContent = `${text.replace(/^-0$/, '0')}${header.units ? `\u202f${header.units}` : ''}`;
    }

    // ---- display ----

    /** What can be shown in place of full meshes; "full" is as full as this file has it. */
    details() {
        const { parts, checked } = this.app.report;
        const less = parts.filter((part) => part.geometry == null).length;
        return [
            ['auto', 'As much as draws smoothly'],
            ['full', less > 0 ? `All that is here (${counted(less, 'part')} simplified in this file)` : 'Everything in full'],
            ['simplified', checked ? 'Parts without findings simplified' : 'Simplified'],
            ['boxes', 'Boxes'],
        ];
    }

    displayPanel() {
        const slider = (text, id, max, oninput) => html('label', { class: 'slider' }, html('span', {}, text),
            html('input', { type: 'range', min: 0, max, step: 1, value: 0, id, oninput: (event) => oninput(event.target.value / 100) }));
        const detail = html('select', {
            id: 'detail', 'aria-label': 'Detail', onchange: (event) => this.view.parts.setDetail(event.target.value),
        }, this.details()
            .map(([value, text]) => html('option', { value }, text)));
        const edges = html('input', {
            type: 'checkbox', checked: true, id: 'edges', onchange: (event) => this.view.parts.setEdges(event.target.checked),
        });
        return html('div', { class: 'popover', id: 'display-panel', hidden: true, role: 'group', 'aria-label': 'Display' },
            slider('Transparency', 'transparency', 90, (value) => this.view.setTransparency(value)),
            slider('Explode', 'explode', 200, (value) => this.view.parts.setExplode(value)),
            html('label', { class: 'check' }, edges, html('span', {}, 'Edges')),
            html('label', { class: 'select select-wide' }, html('span', {}, 'Detail'), detail));
    }
}
