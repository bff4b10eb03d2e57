// SPDX-License-Identifier: MIT
// Text in the 3D view: ordinary elements moved to where their point appears, so that it is sharp and can be styled.

export class Labels {
    constructor(stage, root) {
        this.stage = stage;
        this.container = document.createElement('div');
        root.append(this.container);
        this.items = [];
        stage.afterDraw.push(() => this.place());
    }

    add(point, text, kind) {
        const element = document.createElement('div');
        element.className = `label label-${kind}`;
        element.textContent = text;
        this.container.append(element);
        this.items.push({ point, element });
    }

    clear() {
        this.container.replaceChildren();
        this.items = [];
    }

    setVisible(visible) {
        this.container.hidden = !visible;
    }

    place() {
        const { camera, width, height } = this.stage;
        for (const { point, element } of this.items) {
            const seen = point.clone().project(camera);
            const inside = seen.z > -1 && seen.z < 1 && Math.abs(seen.x) < 1.1 && Math.abs(seen.y) < 1.1;
            element.hidden = !inside;
            const x = ((seen.x + 1) / 2) * width, y = ((1 - seen.y) / 2) * height;
            element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        }
    }
}
