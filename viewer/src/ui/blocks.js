// SPDX-License-Identifier: MIT
// A long list that holds only what is near the window: items stand in blocks, and a block that is out of sight is an
// empty element as high as its rows were or will be. A hundred thousand findings open as fast as ten.
import { html } from './dom.js';

const blockSize = 60; // items
const margin = 900; // pixels above and below the window that are filled too

export class BlockList {
    /**
     * @param root    the element that takes the blocks
     * @param make    makes the element of an item
     * @param height  pixels of an item before it was ever seen
     */
    constructor(root, make, height) {
        Object.assign(this, { root, make, height });
        this.blocks = [];
        this.observer = new IntersectionObserver((entries) => this.follow(entries), { rootMargin: `${margin}px 0px` });
    }

    /** Shows other items; the first block is there at once. */
    set(items) {
        this.observer.disconnect();
        this.items = items;
        this.blocks = [];
        for (let start = 0; start < items.length; start += blockSize) {
            const here = items.slice(start, start + blockSize);
            const element = html('div', { class: 'list-block', role: 'presentation' });
            element.style.height = `${here.reduce((sum, item) => sum + this.height(item), 0)}px`;
            this.blocks.push({ element, start, count: here.length, filled: false });
        }
        this.byElement = new Map(this.blocks.map((block) => [block.element, block]));
        this.root.replaceChildren(...this.blocks.map(({ element }) => element));
        if (this.blocks.length > 0) this.fill(this.blocks[0]);
        for (const { element } of this.blocks) this.observer.observe(element);
    }

    follow(entries) {
        for (const { target, isIntersecting } of entries) {
            const block = this.byElement.get(target);
            if (!block) continue;
            if (isIntersecting) this.fill(block);
            else this.empty(block);
        }
    }

    fill(block) {
        if (block.filled) return;
        block.filled = true;
        const { element, start, count } = block;
        element.style.height = '';
        element.append(...this.items.slice(start, start + count).map((item) => this.make(item)));
    }

    empty(block) {
        if (!block.filled || block.element.offsetHeight === 0 || block.element.contains(document.activeElement)) return;
        block.filled = false;
        block.element.style.height = `${block.element.offsetHeight}px`;
        block.element.replaceChildren();
    }

    /** The element of an item, made now if it is not there. */
    elementOf(at) {
        const block = this.blocks[Math.floor(at / blockSize)];
        if (!block) return null;
        this.fill(block);
        return block.element.children[at - block.start];
    }
}
