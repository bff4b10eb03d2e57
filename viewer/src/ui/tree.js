// SPDX-License-Identifier: MIT
// The tree of parts: folded until opened, searchable, with an eye on every branch. Branches make their children when they
// are opened, so the size of the assembly does not matter.
import { count, counted } from '../report/numbers.js';
import { html } from './dom.js';
import { icon } from './icons.js';

const foundAtMost = 300;

/** The tree from the paths of the parts: nodes with name, children, and the parts below. */
export function treeOf(parts) {
    const root = { name: '', children: [], byName: new Map(), parts: [], part: -1 };
    for (const part of parts) {
        let node = root;
        node.parts.push(part.index);
        part.path.forEach((name, depth) => {
            const leaf = depth === part.path.length - 1;
            let next = leaf ? null : node.byName.get(name);
            if (!next) {
                next = { name, children: [], byName: new Map(), parts: [], part: leaf ? part.index : -1, parent: node };
                node.children.push(next);
                if (!leaf) node.byName.set(name, next);
            }
            next.parts.push(part.index);
            node = next;
        });
    }
    return root;
}

export class PartTree {
    constructor(app, root) {
        this.app = app;
        this.tree = treeOf(app.report.parts);
        this.leaves = new Map();
        this.eyes = [];
        this.build(root);
        app.on('select', () => this.mark());
        app.on('visibility', () => this.showEyes());
    }

    build(root) {
        this.search = html('input', {
            class: 'search', type: 'search', placeholder: 'Search parts', 'aria-label': 'Search parts', oninput: () => this.update(),
            onsearch: () => this.update(),
        });
        this.list = html('div', { class: 'list tree', id: 'parts' });
        const all = [...this.app.report.parts.keys()];
        root.append(
            html('div', { class: 'filters' },
                html('div', { class: 'search-box' }, icon('search'), this.search),
                html('div', { class: 'tree-buttons' },
                    html('button', { class: 'button small', type: 'button', onclick: () => this.app.setHidden(all, false) }, 'Show all'),
                    html('button', { class: 'button small', type: 'button', onclick: () => this.app.setHidden(all, true) }, 'Hide all'),
                    html('span', { class: 'tree-count' }, counted(all.length, 'part')))),
            this.list);
        this.update();
    }

    update() {
        this.leaves.clear();
        this.eyes = [];
        const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
        this.list.replaceChildren(...(words.length > 0 ? this.found(words) : this.branch(this.tree, 0)));
        this.showEyes();
        this.mark();
    }

    found(words) {
        const hits = this.app.report.parts.filter((part) => words.every((word) => part.name.toLowerCase().includes(word)
            || part.path.join(' ').toLowerCase().includes(word)));
        const rows = hits.slice(0, foundAtMost).map((part) =>
            this.row({ name: part.label, children: [], parts: [part.index], part: part.index }, 0, part.path.slice(0, -1).join(' / ')));
        if (hits.length === 0) return [html('p', { class: 'empty' }, 'No part has that name.')];
        if (hits.length > foundAtMost) rows.push(html('p', { class: 'empty' }, `and ${count(hits.length - foundAtMost)} more`));
        return rows;
    }

    branch(node, depth) {
        return node.children.map((child) => this.row(child, depth));
    }

    row(node, depth, where = '') {
        const { report } = this.app;
        const leaf = node.children.length === 0;
        const findings = leaf ? report.parts[node.part].findings.length : 0;
        const children = html('div', { class: 'tree-children', role: 'group', hidden: true });
        const fold = leaf ? html('span', { class: 'fold' }) : html('button', {
            class: 'fold', type: 'button', 'aria-expanded': 'false', 'aria-label': `Open ${node.name}`,
            onclick: () => this.open(node, depth, fold, children),
        }, icon('branch'));
        const eye = html('button', { class: 'eye', type: 'button', onclick: () => this.toggle(node) });
        const name = html('button', {
            class: 'tree-name', type: 'button', title: leaf ? report.parts[node.part].name : node.name,
            onclick: () => (leaf ? this.app.choose(node.part) : this.open(node, depth, fold, children)),
            ondblclick: () => leaf && this.app.choose(node.part, true),
        }, html('span', { class: 'tree-label' }, node.name), where && html('span', { class: 'tree-where' }, where));
        const line = html('div', { class: 'tree-row', style: `--depth: ${depth}` }, fold, name,
            findings > 0 && html('button', {
                class: 'badge badge-button', type: 'button', title: `Show the ${counted(findings, 'finding')} with this part`,
                'aria-label': `${counted(findings, 'finding')} with ${node.name}`, onclick: () => this.app.filterByPart(node.part),
            }, String(findings)),
            leaf ? null : html('span', { class: 'tree-count' }, count(node.parts.length)), eye);
        this.eyes.push({ node, eye, line });
        if (leaf) this.leaves.set(node.part, line);
        const item = html('div', {}, line, children);
        if (!leaf && (depth === 0 || node.children.length + depth * 10 < 14)) this.open(node, depth, fold, children);
        return item;
    }

    open(node, depth, fold, children) {
        const opening = children.hidden;
        if (opening && children.childElementCount === 0) {
            children.append(...this.branch(node, depth + 1));
            this.showEyes();
        }
        children.hidden = !opening;
        fold.setAttribute('aria-expanded', String(opening));
        fold.setAttribute('aria-label', `${opening ? 'Close' : 'Open'} ${node.name}`);
    }

    toggle(node) {
        this.app.setHidden(node.parts, node.parts.some((part) => !this.app.isHidden(part)));
    }

    showEyes() {
        for (const { node, eye, line } of this.eyes) {
            const hidden = node.parts.every((part) => this.app.isHidden(part));
            const some = !hidden && node.parts.some((part) => this.app.isHidden(part));
            if (eye.dataset.is !== String(hidden)) eye.replaceChildren(icon(hidden ? 'hidden' : 'eye'));
            eye.dataset.is = String(hidden);
            line.classList.toggle('is-hidden', hidden);
            line.classList.toggle('is-partly', some);
            eye.setAttribute('aria-label', `${hidden ? 'Show' : 'Hide'} ${node.name}`);
            eye.setAttribute('aria-pressed', String(!hidden));
        }
    }

    /** Marks the part that is selected, and opens the way to it. */
    mark() {
        for (const row of this.list.querySelectorAll('.is-chosen')) row.classList.remove('is-chosen');
        const { part, finding, report } = this.app;
        for (const index of finding ? finding.set : part >= 0 ? [part] : []) {
            if (part >= 0 && !this.leaves.has(index) && !this.search.value) this.reveal(report.parts[index]);
            this.leaves.get(index)?.classList.add('is-chosen');
        }
        if (part >= 0) this.leaves.get(part)?.scrollIntoView({ block: 'nearest' });
    }

    reveal(part) {
        let node = this.tree;
        for (const name of part.path.slice(0, -1)) {
            node = node.byName.get(name);
            const row = this.eyes.find((entry) => entry.node === node);
            const fold = row?.line.querySelector('.fold[aria-expanded="false"]');
            fold?.click();
        }
    }
}
