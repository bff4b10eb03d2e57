// SPDX-License-Identifier: MIT
// What the camera shows of a finding: both parts with something around them, or the contact alone, from a side where it can
// be seen.
import { Box3, Sphere, Vector3 } from 'three';

/** How far from a right angle a depth is looked at, as a tangent: so that the curve around it has a width. */
const curveTilt = 0.3;

/** How many times the view of the contact alone the view of both parts may take in. */
const mostContext = 5;

export const homeDirection = (up) => (up === 'y' ? new Vector3(0.75, 0.55, 0.9) : new Vector3(0.75, -0.9, 0.55)).normalize();

export class Framing {
    constructor(report, parts, pick) {
        Object.assign(this, { report, parts, pick });
    }

    sphereOf(indices, margin = 1.15) {
        const sphere = this.parts.boundsOf(indices).getBoundingSphere(new Sphere());
        sphere.radius = Math.max(margin * sphere.radius, 1e-9);
        return sphere;
    }

    /** A sphere around the contact, with a little of the parts around it. */
    contact(finding, place = finding) {
        if (place === finding && finding.verdict === 'duplicate') return this.sphereOf(finding.set);
        if (place === finding && finding.verdict === 'contains') return this.contained(finding);
        const box = new Box3();
        if (place.box) box.union(this.parts.localBox(place.box));
        for (const ends of [place.point && [place.point], place.gapPoints, place.depthLine])
            for (const point of ends ?? []) box.expandByPoint(this.parts.local(point));
        if (box.isEmpty()) return this.sphereOf(finding.set, 1);
        const sphere = box.getBoundingSphere(new Sphere());
        const sizes = finding.set.map((part) => this.parts.boxes[part].getBoundingSphere(new Sphere()).radius);
        const share = (finding.gap?.[1] > 0 ? 0.12 : 0.3) * Math.min(...sizes); // a gap is small, and wants to be seen
        sphere.radius = Math.max(1.9 * sphere.radius, place === finding ? share : 0.5 * share, 1e-9);
        return sphere;
    }

    /** The outer part as a whole, unless the inner one would hardly be seen in it. */
    contained(finding) {
        const inner = this.sphereOf([finding.b]);
        const both = this.sphereOf(finding.set);
        return both.radius < 6 * inner.radius ? both : new Sphere(inner.center, 3 * inner.radius);
    }

    /** Both parts; where the contact would be lost in them, as much of them around it as lets one see it. */
    pair(finding) {
        const contact = this.contact(finding);
        const both = this.sphereOf(finding.set);
        if (both.radius <= contact.radius) return contact;
        if (both.radius <= mostContext * contact.radius) return both;
        return new Sphere(contact.center, mostContext * contact.radius);
    }

    /** Points of a finding that one wants to see. */
    pointsOf(finding) {
        const points = [...finding.curves, ...finding.places.flatMap(({ curves }) => curves)].flatMap((curve) =>
            Array.from({ length: curve.length / 3 }, (_, k) => this.parts.local(curve.slice(3 * k, 3 * k + 3))));
        for (const ends of [finding.gapPoints, finding.point && [finding.point], finding.places.map(({ point }) => point)])
            for (const point of ends ?? []) points.push(this.parts.local(point));
        return points;
    }

    /** The direction to look from, and which share of the points is seen from there. */
    direction(finding) {
        const wish = homeDirection(this.report.header.up);
        const [p, q] = finding.gapPoints ?? finding.depthLine ?? [];
        const line = p ? this.parts.local(p).sub(this.parts.local(q)) : null;
        const measured = line?.length() > 0 ? line.normalize() : null; // points of a touch may coincide
        return this.pick.bestDirection(this.pointsOf(finding), measured, this.contact(finding).radius, wish,
            finding.curves.length > 0 ? curveTilt : 0);
    }
}
