// SPDX-License-Identifier: MIT
// The slider of time, of reports whose parts move: plays up to the first impact, goes anywhere by dragging, and shows where
// each finding begins.
import { count, number } from '../report/numbers.js';
import { impactOf } from '../report/motion.js';
import { html } from './dom.js';
import { icon } from './icons.js';

const secondsOfFrame = 0.5;
const longest = 12; // seconds that playing takes from the first frame to the last, at most
const mostTicks = 400;

export class Timeline {
    constructor(app, root) {
        this.app = app;
        this.view = app.view;
        this.last = app.report.header.frames;
        const tool = (id, name, glyph, onclick) => html('button', {
            class: 'button quiet', type: 'button', id, title: `${name} (${id === 'time-play' ? 'Space' : 'i'})`, 'aria-label': name, onclick,
        }, icon(glyph));
        this.play = tool('time-play', 'Play', 'play', () => this.toggle());
        this.jump = tool('time-impact', 'Jump to the first impact', 'impact', () => this.toImpact());
        this.slider = html('input', {
            type: 'range', min: 1, max: this.last, step: 'any', value: 1, id: 'time', 'aria-label': 'Time in frames',
            oninput: () => this.drag(),
        });
        this.where = html('output', { class: 'digits', for: 'time', id: 'time-text' });
        this.ticks = html('div', { class: 'time-ticks', 'aria-hidden': 'true' });
        root.classList.add('has-time');
        root.append(html('div', { class: 'timeline', id: 'timeline', role: 'group', 'aria-label': 'Time' },
            this.play, this.jump, html('div', { class: 'time-track' }, this.slider, this.ticks), this.where));
        this.view.onTime = () => this.show();
        app.on('select', () => this.mark());
        app.on('list', () => this.mark());
        this.mark();
        this.show();
    }

    /** When what is looked at meets first: the finding, or anything at all. Infinity where nothing does. */
    get impact() {
        return impactOf(this.app.finding ? [this.app.finding] : this.app.report.findings);
    }

    mark() {
        const { finding, listed } = this.app;
        const share = (time) => `${(100 * (time - 1)) / Math.max(this.last - 1, 1e-9)}%`;
        this.ticks.replaceChildren(...listed.filter(({ time }) => time).slice(0, mostTicks).map((each) =>
            html('span', { class: `time-tick${each === finding ? ' is-chosen' : ''}`, style: `left: ${share(each.time[0])}` })));
        this.jump.disabled = !Number.isFinite(this.impact);
    }

    show() {
        const { time } = this.view.parts;
        this.slider.value = time;
        const { step } = this.app.report.header;
        const at = Math.min(Math.max(Math.ceil(time) - 1, 1), this.last - 1);
        this.where.textContent = step ? `${step} ${count(at)} of ${count(this.last - 1)}, ${Math.round(100 * (time - at))} %`
            : `frame ${number(time, 5)} of ${this.last}`;
        this.slider.setAttribute('aria-valuetext', this.where.textContent);
    }

    drag() {
        this.stop();
        this.view.setTime(Number(this.slider.value));
    }

    toImpact() {
        this.stop();
        if (Number.isFinite(this.impact)) this.view.setTime(this.impact);
    }

    toggle() {
        if (this.request) this.stop();
        else this.start();
    }

    /** From here to the first impact, or to the end where there is none or it is over; from frame 1 if this is the end. */
    start() {
        let { time } = this.view.parts;
        if (time >= this.last || time === this.impact) time = 1;
        this.until = this.impact > time && Number.isFinite(this.impact) ? this.impact : this.last;
        this.speed = Math.max(1 / secondsOfFrame, (this.last - 1) / longest) / 1000;
        this.from = { time, at: performance.now() };
        this.press('Pause', 'pause');
        this.request = requestAnimationFrame((now) => this.step(now));
    }

    step(now) {
        const time = Math.min(this.from.time + Math.max(now - this.from.at, 0) * this.speed, this.until);
        this.view.setTime(time);
        if (time < this.until) this.request = requestAnimationFrame((next) => this.step(next));
        else this.stop();
    }

    stop() {
        if (!this.request) return;
        cancelAnimationFrame(this.request);
        this.request = null;
        this.press('Play', 'play');
    }

    press(name, glyph) {
        this.play.setAttribute('aria-label', name);
        this.play.title = `${name} (Space)`;
        this.play.replaceChildren(icon(glyph));
    }
}
