// SPDX-License-Identifier: MIT
// The 3D view as the rest of the page sees it: look at a finding, at a part, at everything; cut, explode, see through.
import { Sphere, Vector3 } from 'three';
import { Flight } from './flight.js';
import { Framing, homeDirection } from './framing.js';
import { Labels } from './labels.js';
import { Marks } from './marks.js';
import { Measure } from './measure.js';
import { palettes } from './palette.js';
import { Parts } from './parts.js';
import { Pick } from './pick.js';
import { Section } from './section.js';
import { Snapshots } from './snapshots.js';
import { Stage } from './stage.js';
import { Triad } from './triad.js';

/** Triangles enough to measure with, and the longest a frame may take, in milliseconds. */
const gaugeTriangles = 150_000;
const slowestFrame = 300;

/** So many parts around a finding halve the strength of each, nearly. */
const crowded = 30;

/** How many times its size something may be away from the scene's zero before floats would shake it by a tenth of a pixel. */
const farthest = 2000;

export class View {
    /** Throws where there is no WebGL. */
    constructor(report, { canvas, labels, container }) {
        this.report = report;
        this.stage = new Stage(canvas, report.header.up);
        this.flight = new Flight(this.stage);
        this.parts = new Parts(report, this.stage.parts, () => this.onParts());
        this.stage.setBounds(this.parts.bounds, this.parts.all);
        this.section = new Section(this.stage, this.parts);
        this.marks = new Marks(this.stage, (point) => this.parts.local(point), new Labels(this.stage, labels), report.header.units);
        this.pick = new Pick(this.stage, this.parts, this.section);
        this.framing = new Framing(report, this.parts, this.pick);
        this.measure = new Measure(this.stage, this.parts, this.pick, this.marks, new Labels(this.stage, labels), report.header.units);
        this.triad = new Triad(this.stage, this.flight, container, (direction) => this.lookAlong(direction));
        this.snapshots = new Snapshots(this);
        this.setTransparency(0);
        this.wireframe = false;
        this.finding = null;
        this.before = null; // where one looked from before something was selected
        this.focusSize = this.ghostStrength = 1;
        this.stage.onRelease = () => {
            const { target, distance } = this.flight.place;
            this.comeNear(target, distance);
        };
        this.stage.beforeDraw.push(() => this.fadeGhosts());
    }

    onParts() {
        if (!this.section) return;
        const { focus, chosen } = this.parts;
        const looked = focus?.set ?? (chosen >= 0 ? [chosen] : []);
        const away = looked.some((part) => this.report.far.has(part)); // then that is the model, for as long as it is looked at
        const box = away ? this.parts.boundsOf(looked) : this.parts.boundsOf().union(this.parts.bounds);
        this.stage.setBounds(box, this.parts.all);
        this.section.update();
        this.marks?.setExploded(this.parts.explode > 0);
        this.stage.invalidate();
    }

    /** Shows everything at a time, in frames. Marks are measures of one moment, and hidden at any other. */
    setTime(time) {
        const { header, moves } = this.report;
        if (!moves) return;
        this.parts.setTime(Math.min(Math.max(time, 1), header.frames));
        this.marks.setMoment(!this.finding || this.finding.measuredAt == null || this.finding.measuredAt === this.parts.time);
        this.onTime?.();
    }

    /**
     * Called while shapes arrive: once there are enough to tell how fast this machine draws, plans for no more than it can
     * bear. True where that means less than was there to show.
     */
    gauge() {
        if (this.gauged || this.parts.drawn < gaugeTriangles) return false;
        this.gauged = true;
        const bearable = Math.max(gaugeTriangles, (this.parts.drawn / this.stage.timeOfFrame()) * slowestFrame);
        if (bearable >= this.parts.plannedTriangles) return false;
        this.parts.setBudget(bearable);
        return true;
    }

    setTheme(theme) {
        this.theme = theme;
        const palette = palettes[theme];
        this.stage.setPalette(palette);
        this.parts.setPalette(palette);
        this.marks.setPalette(palette);
        this.measure.setPalette(palette);
        this.section.setPalette(palette);
    }

    /**
     * Moves the scene's zero to a point that is looked at, where floats would be too coarse for it otherwise. Whatever is in
     * coordinates of the scene follows; nothing moves on the screen.
     */
    comeNear(center, size) {
        if (Math.hypot(center.x, center.y, center.z) <= farthest * size) return;
        const offset = center.clone();
        center.sub(offset);
        this.stage.rebase(offset);
        this.flight.rebase(offset);
        this.before?.target.sub(offset);
        this.section.position -= this.section.normal.dot(offset);
        this.parts.rebase(offset);
        this.section.set({});
        this.marks.show(this.finding);
        this.measure.draw();
    }

    /** Flies to a sphere, in coordinates that are fine enough for it. */
    fly(sphere, direction, instantly) {
        this.comeNear(sphere.center, sphere.radius);
        this.flight.to(sphere.center, sphere.radius, direction, instantly);
    }

    home(instantly = false) {
        this.before = null;
        const box = this.report.moves ? this.parts.boundsOf().union(this.parts.bounds) : this.parts.boundsOf();
        this.fly(box.getBoundingSphere(new Sphere()), homeDirection(this.report.header.up), instantly);
    }

    /** Back to where one looked from before something was selected. */
    goBack() {
        if (!this.before) return;
        this.comeNear(this.before.target.clone(), this.before.distance);
        this.flight.toCamera(this.before);
        this.before = null;
    }

    /** Tells ghosts how far they are from what is looked at. */
    fadeGhosts() {
        const { focus, materials } = this.parts;
        if (!focus) return;
        const { camera } = this.stage;
        camera.updateMatrixWorld();
        materials.setFocus(focus.point.clone().applyMatrix4(camera.matrixWorldInverse), this.focusSize, this.ghostStrength);
    }

    /** How far around the focus ghosts are seen; the more of them there are, the fainter each. */
    setFocusSize(size) {
        this.focusSize = size;
        const near = new Sphere(this.parts.focus.point, 2 * size);
        const crowd = this.parts.boxes.filter((box) => box.intersectsSphere(near)).length;
        this.ghostStrength = 1 / Math.sqrt(1 + crowd / crowded);
    }

    lookAlong(direction) {
        const { controls, camera } = this.stage;
        const radius = camera.position.distanceTo(controls.target) / this.flight.distanceFor(1);
        this.flight.to(controls.target, radius, direction);
    }

    /** Shows a finding: its two parts, its marks, from where they can be seen. */
    async showFinding(finding) {
        this.before ??= this.flight.place;
        this.finding = finding;
        if (finding.measuredAt != null) this.setTime(finding.measuredAt);
        this.parts.chosen = -1;
        this.focusOn(finding);
        this.marks.show(finding);
        this.framePair(finding, true);
        await this.parts.queue.running;
    }

    focusOn(finding) {
        const { center, radius } = this.framing.contact(finding);
        this.comeNear(center, radius);
        const through = finding.verdict === 'contains' ? [finding.a] : [];
        this.parts.setFocus({ a: finding.a, b: finding.b, set: finding.set, point: center, through });
    }

    /** Shows both parts, from where the contact is seen best. @param seeThrough  both, where it is hardly seen from anywhere */
    framePair(finding, seeThrough = false) {
        const sphere = this.framing.pair(finding);
        const { direction, seen } = this.framing.direction(finding);
        this.framed = 'pair';
        this.setFocusSize(sphere.radius);
        this.fly(sphere, direction);
        if (!seeThrough || seen > 0.3 || finding.verdict === 'contains' || finding.set.length < 2) return;
        this.parts.focus.through = finding.set;
        this.parts.refresh();
    }

    /** Goes close to the contact, or to one of its places, without turning. */
    frameContact(finding, place = finding) {
        const sphere = this.framing.contact(finding, place);
        this.framed = 'contact';
        this.setFocusSize(Math.max(sphere.radius, 0.5 * this.framing.pair(finding).radius));
        this.fly(sphere);
    }

    /** Both parts, then the contact, in turn. */
    frameFinding(finding) {
        if (this.framed === 'pair') this.frameContact(finding);
        else this.framePair(finding);
    }

    showLocation(finding, number) {
        this.marks.setPlace(number);
        this.frameContact(finding, finding.places[number]);
    }

    /** Shows a part among the others, without moving unless asked. */
    showPart(index, frame = false) {
        this.finding = null;
        this.framed = null;
        this.marks.setMoment(true);
        this.marks.show(null);
        this.parts.focus = null;
        this.parts.setChosen(index);
        if (frame) this.framePart(index);
    }

    framePart(index) {
        this.before ??= this.flight.place;
        this.fly(this.framing.sphereOf([index], 1.3));
    }

    showAll() {
        this.finding = this.framed = this.before = null;
        this.marks.setMoment(true);
        this.marks.show(null);
        this.parts.chosen = -1;
        this.parts.setFocus(null);
    }

    setTransparency(amount) {
        this.transparency = amount;
        this.parts.materials.setOpacity(1 - amount);
        this.stage.invalidate();
    }

    setWireframe(on) {
        this.wireframe = on;
        this.parts.materials.setWireframe(on);
        this.stage.invalidate();
    }

    /** Where the section's slider goes: along the pair while one is looked at, along everything otherwise. */
    sectionRange() {
        const { focus } = this.parts;
        return this.section.rangeOf(focus ? this.parts.boundsOf(focus.set) : this.parts.boundsOf());
    }

    /** The axis the camera looks along most. */
    nearestAxis() {
        const { x, y, z } = this.flight.direction;
        const sizes = { X: Math.abs(x), Y: Math.abs(y), Z: Math.abs(z) };
        return Object.keys(sizes).reduce((best, name) => (sizes[name] > sizes[best] ? name : best));
    }

    /** The position that cuts through what is looked at. */
    sectionMiddle() {
        const point = this.parts.focus?.point ?? this.parts.boundsOf(this.parts.chosen >= 0 ? [this.parts.chosen] : null)
            .getCenter(new Vector3());
        return this.section.normal.dot(point);
    }

    /** A PNG of what is seen, without the labels. */
    picture() {
        this.stage.frame(performance.now());
        return new Promise((resolve) => this.stage.canvas.toBlob(resolve, 'image/png'));
    }
}
