// SPDX-License-Identifier: MIT
// Camera journeys: to a sphere seen from a direction, in less than half a second. Directions are an angle around the up
// axis and a height above the horizon, and both change evenly: the camera goes around like on a turntable, never over the
// pole, and never rolls.
import { Vector3 } from 'three';

const duration = 420;
const ease = (t) => (t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2);

/** How near to straight up or down a direction may come, in radians: at the pole there is no up. */
const poleAngle = 0.002;

export class Flight {
    constructor(stage) {
        this.stage = stage;
        this.journey = null;
        this.calm = window.matchMedia('(prefers-reduced-motion: reduce)');
        stage.beforeDraw.push((now) => this.step(now));
        stage.onGrab = () => (this.journey = null);
    }

    /** Direction from what is looked at to the camera; on the way, the one it will have. */
    get direction() {
        const { camera, controls } = this.stage;
        if (this.journey) return this.directionOf(this.journey.end);
        return camera.position.clone().sub(controls.target).normalize();
    }

    /** Distance from which a sphere fills the free part of the picture. */
    distanceFor(radius) {
        const { camera, width, height, inset } = this.stage;
        const slope = Math.tan((camera.fov * Math.PI) / 360);
        const free = Math.max(0.35 * Math.min(width, height), Math.min(width - inset.right, height - inset.bottom));
        return radius / Math.sin(Math.atan((slope * free) / height));
    }

    /** Angle around the up axis and height above the horizon of a direction. */
    anglesOf(direction) {
        const [x, y, z] = this.axes().map((axis) => axis.dot(direction));
        const height = Math.atan2(z, Math.hypot(x, y));
        const most = Math.PI / 2 - poleAngle;
        // Straight from above or below any angle would do: x is to the right then, as on a drawing.
        return { around: Math.hypot(x, y) > 1e-9 * Math.abs(z) ? Math.atan2(y, x) : -Math.PI / 2, height: Math.min(Math.max(height, -most), most) };
    }

    directionOf({ around, height }) {
        const [x, y, z] = this.axes();
        return new Vector3().addScaledVector(x, Math.cos(height) * Math.cos(around))
            .addScaledVector(y, Math.cos(height) * Math.sin(around)).addScaledVector(z, Math.sin(height));
    }

    /** Two horizontal axes and the one that is up. */
    axes() {
        const { up } = this.stage.camera;
        const y = Math.abs(up.y) > 0.5 ? new Vector3(0, 0, -1) : new Vector3(0, 1, 0);
        return [new Vector3(1, 0, 0), y, up];
    }

    /** Flies to a sphere, keeping the direction unless another is given. */
    to(center, radius, direction = this.direction, instantly = false) {
        this.toCamera({ target: center, distance: this.distanceFor(radius), direction }, instantly);
    }

    /** Flies to where the camera has the given target, distance and direction. */
    toCamera({ target, distance, direction }, instantly = false) {
        const { camera, controls } = this.stage;
        const end = { target: target.clone(), distance, ...this.anglesOf(direction) };
        const start = {
            target: controls.target.clone(),
            distance: camera.position.distanceTo(controls.target),
            ...this.anglesOf(camera.position.clone().sub(controls.target)),
        };
        start.around = end.around + Math.atan2(Math.sin(start.around - end.around), Math.cos(start.around - end.around)); // the shorter way
        this.journey = { start, end, began: null };
        if (instantly || this.calm.matches) this.arrive(1);
        this.stage.invalidate();
    }

    /** Where the camera is, or will be: what toCamera takes. */
    get place() {
        const { camera, controls } = this.stage;
        if (this.journey) {
            const { target, distance } = this.journey.end;
            return { target: target.clone(), distance, direction: this.direction };
        }
        return { target: controls.target.clone(), distance: camera.position.distanceTo(controls.target), direction: this.direction };
    }

    /** The scene's zero was moved by `offset`. */
    rebase(offset) {
        for (const end of this.journey ? [this.journey.start, this.journey.end] : []) end.target.sub(offset);
    }

    step(now) {
        if (!this.journey) return;
        this.journey.began ??= now;
        const t = Math.min(1, Math.max(0, now - this.journey.began) / duration);
        this.arrive(ease(t), t >= 1);
    }

    arrive(t, last = t >= 1) {
        const { camera, controls } = this.stage;
        const { start, end } = this.journey;
        const between = (from, to) => (last ? to : from + t * (to - from));
        controls.target.lerpVectors(start.target, end.target, last ? 1 : t);
        const distance = Math.exp(between(Math.log(start.distance), Math.log(end.distance)));
        const direction = this.directionOf({ around: between(start.around, end.around), height: between(start.height, end.height) });
        camera.position.copy(controls.target).addScaledVector(direction, distance);
        camera.lookAt(controls.target);
        if (last) this.journey = null;
        else this.stage.invalidate();
    }
}
