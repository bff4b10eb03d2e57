// SPDX-License-Identifier: MIT
// Camera journeys: to a sphere seen from a direction, in less than half a second, without the world turning over.
import { Quaternion, Vector3 } from 'three';

const duration = 420;
const ease = (t) => (t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2);

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
        if (this.journey) return this.journey.end.direction.clone();
        return camera.position.clone().sub(controls.target).normalize();
    }

    /** Distance from which a sphere fills the free part of the picture. */
    distanceFor(radius) {
        const { camera, width, height, inset } = this.stage;
        const slope = Math.tan((camera.fov * Math.PI) / 360);
        const free = Math.max(0.35 * Math.min(width, height), Math.min(width - inset.right, height - inset.bottom));
        return radius / Math.sin(Math.atan((slope * free) / height));
    }

    /** Flies to a sphere, keeping the direction unless another is given. */
    to(center, radius, direction = this.direction, instantly = false) {
        const { camera, controls } = this.stage;
        const end = { target: center.clone(), distance: this.distanceFor(radius), direction: this.tamed(direction) };
        const start = {
            target: controls.target.clone(),
            distance: camera.position.distanceTo(controls.target),
            direction: camera.position.clone().sub(controls.target).normalize(),
        };
        const turn = new Quaternion().setFromUnitVectors(start.direction, end.direction);
        this.journey = { start, end, turn, began: null };
        if (instantly || this.calm.matches) this.arrive(1);
        this.stage.invalidate();
    }

    /** Straight from above or below there is no up: look from a hair beside. */
    tamed(direction) {
        const { up } = this.stage.camera;
        const tamed = direction.clone().normalize();
        if (Math.abs(tamed.dot(up)) < 0.9999) return tamed;
        const side = Math.abs(up.y) > 0.5 ? new Vector3(0, 0, 1) : new Vector3(0, -1, 0);
        return tamed.addScaledVector(side, 0.002).normalize();
    }

    step(now) {
        if (!this.journey) return;
        this.journey.began ??= now;
        const t = Math.min(1, Math.max(0, now - this.journey.began) / duration);
        this.arrive(ease(t), t >= 1);
    }

    arrive(t, last = t >= 1) {
        const { camera, controls } = this.stage;
        const { start, end, turn } = this.journey;
        controls.target.lerpVectors(start.target, end.target, t);
        const distance = Math.exp((1 - t) * Math.log(start.distance) + t * Math.log(end.distance));
        const direction = start.direction.clone().applyQuaternion(new Quaternion().slerp(turn, t));
        if (last) direction.copy(end.direction);
        camera.position.copy(controls.target).addScaledVector(direction, distance);
        camera.lookAt(controls.target);
        if (last) this.journey = null;
        else this.stage.invalidate();
    }
}
