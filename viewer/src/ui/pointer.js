// SPDX-License-Identifier: MIT
// Clicks into the 3D view: a click that was not a drag selects the finding or the part under it, or measures. While
// measuring, Enter takes what is in the middle of the view.

const still = 5; // pixels a click may wander

export function listenToPointer(app, canvas) {
    let down = null;
    canvas.addEventListener('pointerdown', (event) => {
        down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
    });
    canvas.addEventListener('pointerup', (event) => {
        const clicked = down && event.isPrimary && Math.hypot(event.clientX - down.x, event.clientY - down.y) < still;
        down = null;
        if (!clicked) return;
        const frame = canvas.getBoundingClientRect();
        const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
        if (app.view.measure.on) return app.view.measure.takeAt(x, y);
        const finding = app.view.marks.pinAt(x, y);
        const part = finding ? -1 : app.view.pick.partAt(x, y);
        if (finding) app.select(finding);
        else if (part >= 0) app.choose(part);
        else if (!app.finding) app.clear();
    });
    canvas.addEventListener('dblclick', () => !app.view.measure.on && app.part >= 0 && app.view.framePart(app.part));
    canvas.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' || !app.view.measure.on) return;
        const { width, height, inset } = app.view.stage;
        app.view.measure.takeAt((width - inset.right) / 2, (height - inset.bottom) / 2);
    });
}
