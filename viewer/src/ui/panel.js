// SPDX-License-Identifier: MIT
// The panel with tabs beside (or, on a phone, below) the view.
import { html } from './dom.js';

export class Panel {
    constructor(root) {
        this.tabs = [];
        this.list = html('div', { class: 'tabs', role: 'tablist' });
        root.append(this.list);
        this.root = root;
        this.list.addEventListener('keydown', (event) => this.keys(event));
    }

    /** Adds a tab and gives the element to fill. */
    add(id, title, badge = null) {
        const body = html('div', { class: `tab-body tab-${id}`, id: `tab-${id}`, role: 'tabpanel', 'aria-labelledby': `tabhead-${id}`, hidden: true });
        const head = html('button', {
            class: 'tab', type: 'button', role: 'tab', id: `tabhead-${id}`, 'aria-controls': `tab-${id}`, 'aria-selected': 'false',
            tabindex: -1, onclick: () => this.show(id),
        }, title, badge != null && html('span', { class: 'badge' }, String(badge)));
        this.list.append(head);
        this.root.append(body);
        this.tabs.push({ id, head, body });
        return body;
    }

    show(id) {
        for (const tab of this.tabs) {
            const on = tab.id === id;
            tab.body.hidden = !on;
            tab.head.setAttribute('aria-selected', String(on));
            tab.head.tabIndex = on ? 0 : -1;
        }
        this.shown = id;
        this.onShow?.(id);
    }

    keys(event) {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const at = this.tabs.findIndex(({ id }) => id === this.shown);
        const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
        this.show(next.id);
        next.head.focus();
        event.stopPropagation();
    }
}
