// SPDX-License-Identifier: MIT
// What a finding consists of, drawn over everything: curves where surfaces cross, the point that proves it, the gap, the
// depth and the way out as measured lines, each place with its number; or, while no finding is looked at, a pin where each
// of them is.
import { Vector3 } from 'three';
import { interval } from '../report/numbers.js';
import { Overlay } from './overlay.js';

const pinReach = 12; // pixels around a pin that count as the pin
const numberedPlaces = 40; // places of one finding that get a number

export class Marks {
    constructor(stage, local, labels, units) {
        this.stage = stage;
        this.local = local;
        this.labels = labels;
        this.units = units;
        this.overlay = new Overlay(stage);
        this.place = -1; // the place that is looked at, of a finding with several
        this.visible = true;
        this.moment = true;
        this.pinned = []; // findings that have a pin
        this.exploded = false; // then parts are not where their findings are
    }

    clear() {
        this.overlay.clear();
        this.labels.clear();
    }

    setVisible(visible) {
        this.visible = visible;
        this.overlay.group.visible = visible && this.moment;
        this.labels.setVisible(visible && this.moment);
        this.stage.invalidate();
    }

    setPalette(palette) {
        this.palette = this.overlay.palette = palette;
        this.draw();
    }

    /** Says which findings there are to be seen, as the list shows them. */
    setPins(findings) {
        this.pinned = findings.filter((finding) => finding.point);
        if (!this.finding) this.show(null);
    }

    /** Whether the time that is shown is that of the finding's measures. */
    setMoment(is) {
        if (is === this.moment) return;
        this.moment = is;
        this.setVisible(this.visible);
    }

    setExploded(exploded) {
        if (exploded === this.exploded) return;
        this.exploded = exploded;
        if (!this.finding) this.show(null);
    }

    get showsPins() {
        return !this.finding && this.visible && !this.exploded;
    }

    /** The finding whose pin is at a position in the view, the nearest to the eye of several; null for none. */
    pinAt(x, y) {
        if (!this.showsPins) return null;
        const { camera, width, height } = this.stage;
        let best = null;
        let depth = 1; // what is behind the camera or too far away is beyond that
        for (const finding of this.pinned) {
            const p = this.local(finding.point).project(camera);
            const away = Math.hypot(((p.x + 1) * width) / 2 - x, ((1 - p.y) * height) / 2 - y);
            if (away > pinReach || p.z >= depth) continue;
            best = finding;
            depth = p.z;
        }
        return best;
    }

    /** Draws the marks of a finding, or the pins of all. */
    show(finding) {
        if (finding !== this.finding) this.place = -1;
        this.finding = finding;
        this.draw();
    }

    /** Says which place of the finding is looked at. */
    setPlace(place) {
        this.place = place;
        this.draw();
    }

    draw() {
        const { finding, palette } = this;
        this.clear();
        if (!palette) return;
        if (finding) this.drawFinding(finding);
        else if (this.pinned.length > 0 && !this.exploded)
            this.overlay.addDots(this.pinned.map(({ point }) => this.local(point)), palette.curve, 11);
        this.stage.invalidate();
    }

    drawFinding(finding) {
        this.addCurves(finding.curves.length > 0 ? finding.curves : finding.places.flatMap(({ curves }) => curves));
        this.addWayOut(finding);
        const measured = [
            this.addMeasure(finding.depthLine, finding.depth, 'depth'),
            this.addMeasure(finding.gapPoints, finding.gap, 'gap'),
        ].some(Boolean);
        if (finding.places.length > 0) this.addPlaces(finding.places);
        else if (finding.point && !measured) this.overlay.addDots([this.local(finding.point)], this.palette.curve, 13);
    }

    /** A dot at each place, with its number where that is readable. */
    addPlaces(places) {
        const points = places.map(({ point }) => this.local(point));
        this.overlay.addDots(points, this.palette.curve, 11);
        if (this.place >= 0) this.overlay.addDots([points[this.place]], this.palette.point, 15);
        points.slice(0, numberedPlaces).forEach((point, at) => this.labels.add(point, String(at + 1), at === this.place ? 'place is-here' : 'place'));
    }

    /** The translation that takes b out of a, drawn from the point of the finding. */
    addWayOut({ point, translation, wayOut }) {
        if (!point || !translation || !wayOut) return;
        this.addMeasure([point, point.map((x, k) => x + translation[k])], wayOut, 'way out');
    }

    addCurves(curves) {
        const segments = [];
        for (const curve of curves)
            for (let i = 0; i + 5 < curve.length; i += 3)
                for (const at of [i, i + 3]) {
                    const { x, y, z } = this.local([curve[at], curve[at + 1], curve[at + 2]]);
                    segments.push(x, y, z);
                }
        if (segments.length > 0) this.overlay.addLine(segments, this.palette.curve, 3);
    }

    /** A line between two points with its length beside it. */
    addMeasure(ends, value, kind) {
        if (!ends || !value) return false;
        const points = ends.map((end) => this.local(end));
        const color = this.palette[kind === 'gap' ? 'gap' : 'depth'];
        if (points[0].distanceTo(points[1]) > 0) this.overlay.addLine(points.flatMap((p) => p.toArray()), color, 2.5);
        this.overlay.addDots(points, color, 11);
        const middle = new Vector3().addVectors(points[0], points[1]).multiplyScalar(0.5);
        this.labels.add(middle, `${kind} ${interval(value, this.units)}`, kind.replace(' ', '-'));
        return true;
    }
}
