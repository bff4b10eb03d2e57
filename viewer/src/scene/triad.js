// SPDX-License-Identifier: MIT
// Axes in the corner: which way is up, and a click on an axis looks along it.
import { Vector3 } from 'three';
import { svg } from '../ui/dom.js';

const size = 84;
const reach = 28;

const axes = [
    { name: 'X', vector: new Vector3(1, 0, 0) },
    { name: 'Y', vector: new Vector3(0, 1, 0) },
    { name: 'Z', vector: new Vector3(0, 0, 1) },
];

export class Triad {
    constructor(stage, flight, container, onAxis) {
        this.stage = stage;
        this.root = svg('svg', {
            class: 'triad', viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, width: size, height: size,
            role: 'group', 'aria-label': 'Axes',
        });
        this.ends = axes.flatMap(({ name, vector }) => [1, -1].map((sign) => this.end(name, vector, sign, onAxis)));
        container.append(this.root);
        stage.afterDraw.push(() => this.place());
    }

    end(name, vector, sign, onAxis) {
        const line = sign > 0 ? svg('line', { class: `triad-line triad-${name}` }) : null;
        const dot = svg('circle', { r: sign > 0 ? 9 : 5, class: `triad-dot triad-${name} ${sign > 0 ? '' : 'triad-minus'}` });
        const text = sign > 0 ? svg('text', { class: 'triad-text', 'text-anchor': 'middle', dy: '0.36em' }, name) : null;
        const label = `Look along ${sign > 0 ? '' : 'minus '}${name}`;
        const group = svg('g', { class: 'triad-end', role: 'button', tabindex: -1, 'aria-label': label },
            svg('title', {}, label), line, dot, text);
        const direction = vector.clone().multiplyScalar(sign);
        group.addEventListener('click', () => onAxis(direction));
        this.root.append(group);
        return { direction, line, dot, text, group };
    }

    place() {
        const inverse = this.stage.camera.matrixWorldInverse;
        const seen = this.ends.map((end) => ({ ...end, at: end.direction.clone().transformDirection(inverse) }));
        seen.sort((a, b) => a.at.z - b.at.z);
        const inOrder = seen.map(({ group }) => group);
        if (inOrder.some((group, k) => this.root.children[k] !== group)) this.root.append(...inOrder);
        for (const { at, line, dot, text } of seen) {
            const x = (at.x * reach).toFixed(1), y = (-at.y * reach).toFixed(1);
            line?.setAttribute('x2', x);
            line?.setAttribute('y2', y);
            dot.setAttribute('cx', x);
            dot.setAttribute('cy', y);
            text?.setAttribute('x', x);
            text?.setAttribute('y', y);
        }
    }
}
