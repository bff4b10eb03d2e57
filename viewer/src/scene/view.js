// SPDX-License-Identifier: MIT
// The 3D view as the rest of the page sees it: look at a finding, at a part, at everything; cut, explode, see through.
import { Box3, Sphere, Vector3 } from 'three';
import { Flight } from './flight.js';
import { Labels } from './labels.js';
import { Marks } from './marks.js';
import { palettes } from './palette.js';
import { Parts } from './parts.js';
import { Pick } from './pick.js';
import { Section } from './section.js';
import { Stage } from './stage.js';
import { Triad } from './triad.js';

const homeDirection = (up) => (up === 'y' ? new Vector3(0.75, 0.55, 0.9) : new Vector3(0.75, -0.9, 0.55)).normalize();

/** Triangles enough to measure with, and the longest a frame may take, in milliseconds. */
const gaugeTriangles = 150_000;
const slowestFrame = 300;

/** How far from a right angle a depth is looked at, as a tangent: so that the curve around it has a width. */
const curveTilt = 0.3;

export class View {
    /** Throws where there is no WebGL. */
    constructor(report, { canvas, labels, container }) {
        this.report = report;
        this.stage = new Stage(canvas, report.header.up);
        this.flight = new Flight(this.stage);
        this.parts = new Parts(report, this.stage.parts, () => this.onParts());
        this.stage.setBounds(this.parts.bounds);
        this.section = new Section(this.stage, this.parts);
        this.marks = new Marks(this.stage, (point) => this.parts.local(point), new Labels(this.stage, labels), report.header.units);
        this.pick = new Pick(this.stage, this.parts, this.section);
        this.triad = new Triad(this.stage, this.flight, container, (direction) => this.lookAlong(direction));
        this.setTransparency(0);
        this.wireframe = false;
        this.finding = null;
    }

    onParts() {
        if (!this.section) return;
        const box = this.parts.boundsOf();
        this.stage.setBounds(box.union(this.parts.bounds));
        this.section.update();
        this.marks?.setExploded(this.parts.explode > 0);
        this.stage.invalidate();
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
        const palette = palettes[theme];
        this.stage.setPalette(palette);
        this.parts.setPalette(palette);
        this.marks.setPalette(palette);
        this.section.setPalette(palette);
    }

    home(instantly = false) {
        const sphere = this.parts.boundsOf().getBoundingSphere(new Sphere());
        this.flight.to(sphere.center, sphere.radius, homeDirection(this.report.header.up), instantly);
    }

    lookAlong(direction) {
        const { controls, camera } = this.stage;
        const radius = camera.position.distanceTo(controls.target) / this.flight.distanceFor(1);
        this.flight.to(controls.target, radius, direction);
    }

    /** Shows a finding: its two parts, its marks, from where they can be seen. */
    async showFinding(finding) {
        this.finding = finding;
        this.parts.chosen = -1;
        const point = this.findingSphere(finding).center;
        const through = finding.verdict === 'contains' ? [finding.a] : [];
        this.parts.setFocus({ a: finding.a, b: finding.b, set: finding.set, point, through });
        this.marks.show(finding);
        this.frameFinding(finding);
        await this.parts.queue.running;
    }

    /** A sphere around what is to be seen of a finding, with something of the parts around it. */
    findingSphere(finding) {
        const box = new Box3();
        if (finding.verdict === 'duplicate') return this.wholeSphere(finding.set);
        if (finding.verdict === 'contains') return this.containedSphere(finding);
        if (finding.box) box.union(this.parts.localBox(finding.box));
        for (const ends of [finding.point && [finding.point], finding.gapPoints, finding.depthLine])
            for (const point of ends ?? []) box.expandByPoint(this.parts.local(point));
        if (box.isEmpty()) return this.parts.boundsOf(finding.set).getBoundingSphere(new Sphere());
        const sphere = box.getBoundingSphere(new Sphere());
        const sizes = finding.set.map((part) => this.parts.boxes[part].getBoundingSphere(new Sphere()).radius);
        const share = (finding.gap?.[1] > 0 ? 0.12 : 0.3) * Math.min(...sizes); // a gap is small, and wants to be seen
        sphere.radius = Math.max(1.9 * sphere.radius, share, 1e-9);
        return sphere;
    }

    wholeSphere(indices) {
        const sphere = this.parts.boundsOf(indices).getBoundingSphere(new Sphere());
        sphere.radius = Math.max(1.15 * sphere.radius, 1e-9);
        return sphere;
    }

    /** The outer part as a whole, unless the inner one would hardly be seen in it. */
    containedSphere(finding) {
        const inner = this.wholeSphere([finding.b]);
        const both = this.wholeSphere(finding.set);
        return both.radius < 6 * inner.radius ? both : new Sphere(inner.center, 3 * inner.radius);
    }

    /** Points of a finding that one wants to see. */
    pointsOf(finding) {
        const points = finding.curves.flatMap((curve) =>
            Array.from({ length: curve.length / 3 }, (_, k) => this.parts.local(curve.slice(3 * k, 3 * k + 3))));
        for (const ends of [finding.gapPoints, finding.point && [finding.point]])
            for (const point of ends ?? []) points.push(this.parts.local(point));
        return points;
    }

    frameFinding(finding) {
        const sphere = this.findingSphere(finding);
        const wish = homeDirection(this.report.header.up);
        const [p, q] = finding.gapPoints ?? finding.depthLine ?? [];
        const line = p ? this.parts.local(p).sub(this.parts.local(q)) : null;
        const measured = line?.length() > 0 ? line.normalize() : null; // points of a touch may coincide
        const { direction, seen } = this.pick.bestDirection(this.pointsOf(finding), measured, sphere.radius, wish,
            finding.curves.length > 0 ? curveTilt : 0);
        this.flight.to(sphere.center, sphere.radius, direction);
        if (seen > 0.3 || finding.verdict === 'contains' || finding.set.length < 2) return;
        this.parts.focus.through = finding.set; // hardly seen from anywhere: see through both
        this.parts.refresh();
    }

    /** Shows a part among the others, without moving unless asked. */
    showPart(index, frame = false) {
        this.finding = null;
        this.marks.show(null);
        this.parts.focus = null;
        this.parts.setChosen(index);
        if (frame) this.framePart(index);
    }

    framePart(index) {
        const sphere = this.parts.boundsOf([index]).getBoundingSphere(new Sphere());
        this.flight.to(sphere.center, 1.3 * Math.max(sphere.radius, 1e-9));
    }

    showAll() {
        this.finding = null;
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
