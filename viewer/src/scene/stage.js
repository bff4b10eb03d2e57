// SPDX-License-Identifier: MIT
// Renderer, camera, light, and when to draw: only after something changed. A page that is looked at and not touched
// uses no time at all. Whoever changes something calls invalidate(); one frame follows, however often it was called.
import {
    AmbientLight, DirectionalLight, Group, PerspectiveCamera, Scene, Sphere, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

/** Frames slower than this, in milliseconds, while the view moves: draw fewer pixels until it rests. */
const slow = 55;

export class Stage {
    /** Throws where the browser has no WebGL 2. */
    constructor(canvas, up) {
        this.canvas = canvas;
        this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, stencil: true, powerPreference: 'high-performance' });
        this.renderer.localClippingEnabled = true;
        this.renderer.setClearColor(0x000000, 0);
        this.scene = new Scene();
        this.parts = new Group();
        this.camera = new PerspectiveCamera(26, 1, 0.1, 1000);
        this.camera.up.copy(up === 'y' ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1));
        this.camera.position.set(3, -3, 3); // anywhere but on what it looks at
        this.bounds = new Sphere(new Vector3(), 1); // of the model
        this.all = new Sphere(new Vector3(), 1); // of that and what lies far away
        this.afterDraw = [];
        this.beforeDraw = [];
        this.draws = 0;
        this.inset = { right: 0, bottom: 0 };
        this.scene.add(this.parts);
        this.light();
        this.control();
        this.resize();
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    }

    /** A lamp beside the camera and a little from everywhere: faces tell apart from any side, and nothing is black. */
    light() {
        const key = new DirectionalLight(0xffffff, 1.75);
        key.position.set(-0.6, 0.8, 1.2);
        const fill = new DirectionalLight(0xdfe8ff, 0.95);
        fill.position.set(0.9, -0.4, 0.6);
        this.camera.add(key, fill);
        this.scene.add(this.camera, new AmbientLight(0xffffff, 0.85));
    }

    control() {
        this.controls = new OrbitControls(this.camera, this.canvas);
        Object.assign(this.controls, { enableDamping: true, dampingFactor: 0.16, zoomToCursor: true, zoomSpeed: 1.4 });
        this.controls.addEventListener('change', () => this.invalidate());
        this.controls.addEventListener('start', () => {
            this.moving = true;
            this.onGrab?.();
        });
        this.controls.addEventListener('end', () => {
            this.moving = false;
            this.onRelease?.();
            this.invalidate();
        });
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
        if (width === 0 || height === 0) return;
        this.setSize({ width, height, pixelRatio: Math.min(window.devicePixelRatio || 1, 2) });
    }

    setSize({ width, height, pixelRatio, inset = this.inset }) {
        Object.assign(this, { width, height, pixelRatio, inset });
        this.renderer.setPixelRatio(pixelRatio);
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.placeInset();
        this.invalidate();
    }

    /** Pixels at the right and at the bottom that something lies over; the picture is centred in what is left. */
    setInset(inset) {
        if (inset.right === this.inset.right && inset.bottom === this.inset.bottom) return;
        this.inset = inset;
        this.placeInset();
        this.invalidate();
    }

    placeInset() {
        const { right, bottom } = this.inset;
        this.camera.setViewOffset(this.width, this.height, right / 2, bottom / 2, this.width, this.height);
        this.camera.updateProjectionMatrix();
    }

    invalidate() {
        this.pending ??= requestAnimationFrame((now) => this.frame(now));
    }

    frame(now) {
        this.pending = null;
        this.adapt(now);
        for (const call of this.beforeDraw) call(now);
        this.controls.update();
        this.placeDepth();
        this.renderer.render(this.scene, this.camera);
        this.draws++;
        for (const call of this.afterDraw) call(now);
    }

    /** Milliseconds a frame takes, waited for: for measuring only. */
    timeOfFrame() {
        const gl = this.renderer.getContext();
        const wait = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
        this.frame(performance.now()); // uploads and compiles
        wait();
        const began = performance.now();
        this.renderer.render(this.scene, this.camera);
        wait();
        return performance.now() - began;
    }

    /** Fewer pixels while moving if frames come slowly, all of them again once the view rests. */
    adapt(now) {
        const between = now - (this.lastFrame ?? 0);
        this.lastFrame = now;
        if (this.moving && between > slow && between < 1000) this.late = (this.late ?? 0) + 1;
        const ratio = this.moving && this.late > 3 ? Math.min(1, this.pixelRatio) * 0.6 : this.pixelRatio;
        if (!this.moving) this.late = 0;
        if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    }

    /**
     * Near and far planes as tight as the scene allows: depth is what floats have least of. Only the near one costs any, so
     * the far one takes in what lies far away from the model.
     */
    placeDepth() {
        const { camera, bounds } = this;
        const away = camera.position.distanceTo(bounds.center);
        const focus = camera.position.distanceTo(this.controls.target);
        camera.near = Math.max(Math.min(away - 1.05 * bounds.radius, 0.5 * focus), 0.01 * focus);
        camera.far = Math.max(away + 1.05 * bounds.radius, 4 * focus, camera.position.distanceTo(this.all.center) + 1.05 * this.all.radius);
        camera.updateProjectionMatrix();
    }

    /**
     * @param box  around the model, or what of it is looked at
     * @param all  around everything there is, however far away
     */
    setBounds(box, all = box) {
        box.getBoundingSphere(this.bounds);
        all.getBoundingSphere(this.all);
        this.bounds.radius = Math.max(this.bounds.radius, 1e-12);
        this.controls.minDistance = 1e-5 * this.bounds.radius;
        this.controls.maxDistance = Math.max(30 * this.bounds.radius, 4 * this.all.radius);
    }

    /** The scene's zero was moved by `offset`. */
    rebase(offset) {
        this.controls.target.sub(offset);
        this.camera.position.sub(offset);
    }

    /** Draws in another size, without moving anything on the page, and gives what `call` does with the canvas. */
    inSize(width, height, call) {
        const was = { width: this.width, height: this.height, inset: this.inset, pixelRatio: this.pixelRatio };
        this.setSize({ width, height, inset: { right: 0, bottom: 0 }, pixelRatio: 1 });
        try {
            return call(this.canvas);
        } finally {
            this.setSize(was);
        }
    }

    setPalette(palette) {
        const { backgroundTop, background } = palette;
        this.canvas.parentElement.style.background = `linear-gradient(${backgroundTop}, ${background})`;
        this.invalidate();
    }
}
