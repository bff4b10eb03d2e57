// SPDX-License-Identifier: MIT
// Keys of the page, in one table that also is the help.
import { html } from './dom.js';
import { icon } from './icons.js';

export function keyTable(app, toolbar, { search, tree, matrix, print, help, timeline }) {
    const view = app.view != null;
    const check = app.report.checked;
    return [
        { keys: ['ArrowDown', 'j'], says: '↓ or j', does: 'next finding', run: () => app.go(1), when: check },
        { keys: ['ArrowUp', 'k'], says: '↑ or k', does: 'previous finding', run: () => app.go(-1), when: check },
        { keys: ['Home'], says: 'Home', does: 'first finding', run: () => app.go(-Infinity), when: check },
        { keys: ['End'], says: 'End', does: 'last finding', run: () => app.go(Infinity), when: check },
        { keys: ['Escape'], says: 'Esc', does: 'back to the overview', run: () => app.back() },
        { keys: ['/'], says: '/', does: 'search', run: search },
        { keys: ['a'], says: 'a', does: 'approve: write the reason', run: () => document.getElementById('approve')?.click(), when: check },
        { keys: ['n'], says: 'n', does: 'next place of the finding', run: () => nextPlace(app), when: check },
        { keys: ['f'], says: 'f', does: 'both parts, the contact, in turn', run: () => toolbar.frame(), when: view },
        { keys: ['r'], says: 'r', does: 'reset the view', run: () => toolbar.reset(), when: view },
        { keys: ['g'], says: 'g', does: 'other parts: ghosts, hidden, shown', run: () => toolbar.nextAround(), when: view && check },
        { keys: ['c'], says: 'c', does: 'curves, points and measures', run: () => toolbar.toggleMarks(), when: view && check },
        { keys: ['s'], says: 's', does: 'section plane', run: () => toolbar.toggleSection(), when: view },
        { keys: ['m'], says: 'm', does: 'measure', run: () => toolbar.toggleMeasure(), when: view },
        { keys: [' '], says: 'Space', does: 'play, or pause', run: () => timeline.toggle(), when: timeline != null },
        { keys: ['i'], says: 'i', does: 'jump to the first impact', run: () => timeline.toImpact(), when: timeline != null },
        { keys: ['w'], says: 'w', does: 'wireframe', run: () => toolbar.toggleWireframe(), when: view },
        { keys: ['d'], says: 'd', does: 'transparency, explode, detail', run: () => toolbar.togglePanel('display'), when: view },
        { keys: ['h'], says: 'h', does: 'hide or show the selected part', run: () => hide(app), when: view },
        { keys: ['t'], says: 't', does: 'part tree', run: tree },
        { keys: ['x'], says: 'x', does: 'clash matrix', run: matrix, when: check },
        { keys: ['o'], says: 'o', does: 'print, or save as PDF, what is listed', run: print, when: check },
        { keys: ['p'], says: 'p', does: 'save a picture', run: () => toolbar.picture(), when: view },
        { keys: ['l'], says: 'l', does: 'light or dark', run: () => app.theme.toggle() },
        { keys: ['?'], says: '?', does: 'this help', run: help },
    ].filter((key) => key.when !== false);
}

function nextPlace(app) {
    const places = app.finding?.places.length ?? 0;
    if (places > 0) app.goTo((app.location + 1) % places);
}

function hide(app) {
    if (app.part >= 0) app.setHidden([app.part], !app.isHidden(app.part));
}

const writes = (element) => element.matches?.('input:not([type="range"]):not([type="checkbox"]), textarea, select');
const steers = (element) => element.matches?.('input[type="range"], [role="tab"]');

/** Listens to the table's keys; fields that are written in keep theirs. */
export function listenToKeys(table) {
    document.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
        if (document.querySelector('dialog[open]')) return;
        if (writes(event.target)) {
            if (event.key === 'Escape') event.target.blur();
            return;
        }
        if (event.key.startsWith('Arrow') && steers(event.target)) return;
        if (event.key === ' ' && event.target.matches?.('button, summary, [role="option"], [role="tab"], input')) return; // theirs
        const entry = table.find(({ keys }) => keys.includes(event.key));
        if (!entry) return;
        event.preventDefault();
        entry.run();
    });
}

/** The help as a dialog. */
export function helpDialog(tableOf) {
    const body = html('div', { class: 'help-keys' });
    const dialog = html('dialog', { class: 'help', id: 'help', 'aria-label': 'Keys and help' },
        html('div', { class: 'card-head' }, html('h2', {}, 'Keys'),
            html('button', { class: 'button quiet', type: 'button', 'aria-label': 'Close', onclick: () => dialog.close() }, icon('close'))),
        body,
        html('p', { class: 'fine' }, 'Drag to turn, right button or two fingers to move, wheel or pinch to zoom. Click a part to select it. ',
            'Part a is orange and part b is blue. Decisions stay in this browser; export them as a rules file to keep them with the model.'));
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    return () => {
        body.replaceChildren(...tableOf().flatMap(({ says, does }) => [html('kbd', {}, says), html('span', {}, does)]));
        dialog.showModal();
    };
}
