// SPDX-License-Identifier: MIT
// What the reader decides about a finding: its state, who shall do something, and a comment. A click on a state takes the
// fields along; a field that is left is kept. An approval needs a comment: its reason.
import { reviewStates } from '../report/review.js';
import { html } from './dom.js';
import { icon } from './icons.js';

const ids = { open: 'reopen', assigned: 'assign', fixed: 'fix', approved: 'approve' };

/** The form. `review` is the page's Review. */
export function decisionForm(review, finding) {
    let now = review.of(finding);
    let wanted = null; // a state that waits for its reason or its name
    let deciding = false;
    const assignee = html('input', {
        class: 'input', id: 'assignee', type: 'text', list: 'assignees', placeholder: 'Assigned to', 'aria-label': 'Assigned to',
        autocomplete: 'off', value: now.assignee,
    });
    const comment = html('textarea', {
        class: 'input', id: 'reason', rows: 2, placeholder: 'Comment; for an approval its reason', 'aria-label': 'Comment, or reason for approving',
        value: now.comment,
    });
    const hint = html('p', { class: 'decision-hint', id: 'decision-hint', role: 'status' });
    const buttons = Object.keys(reviewStates).map((state) => html('button', {
        class: 'toggle', type: 'button', id: ids[state], dataset: { state },
        onmousedown: (event) => event.preventDefault(), // the field that is written in is not left before the click counts
        onclick: () => decide(state),
    }, reviewStates[state]));

    const show = () => {
        for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.state === now.review));
        hint.replaceChildren(...(now.lapsed ? [icon('warning'), html('span', {}, `The approval lapsed: ${now.lapsed}.`)] : []));
    };
    const ask = (field, text) => {
        hint.replaceChildren(icon('warning'), html('span', {}, text));
        field.focus();
    };
    const decide = (state) => {
        wanted = state;
        const written = { assignee: assignee.value.trim(), comment: comment.value.trim() };
        if (state === 'approved' && !written.comment) return ask(comment, 'An approval needs a reason.');
        if (state === 'assigned' && !written.assignee) return ask(assignee, 'Assigned to whom?');
        wanted = null;
        deciding = true; // leaving a field keeps nothing now
        for (const field of [assignee, comment]) field.blur();
        deciding = false;
        review.decide(finding, { state, ...written });
        now = review.of(finding);
        show();
    };
    /** Keeps what was written. Who names somebody assigns it; an approval without a reason is none. */
    const keep = () => {
        const written = { assignee: assignee.value.trim(), comment: comment.value.trim() };
        if (deciding || (written.assignee === now.assignee && written.comment === now.comment)) return;
        const assigned = now.review === 'open' && written.assignee && !now.assignee;
        const opened = now.review === 'approved' && !written.comment;
        review.decide(finding, { state: wanted ?? (assigned ? 'assigned' : opened ? 'open' : now.review), ...written });
        wanted = null;
        now = review.of(finding);
        show();
    };
    for (const field of [assignee, comment]) {
        field.addEventListener('change', keep);
        field.addEventListener('keydown', (event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            if (wanted) decide(wanted);
            else field.blur();
        });
    }
    show();
    return html('div', { class: 'decision', role: 'group', 'aria-label': 'Review' },
        html('div', { class: 'segments', role: 'group', 'aria-label': 'State' }, buttons),
        hint, assignee, comment, html('datalist', { id: 'assignees' }, review.assignees.map((name) => html('option', { value: name }))));
}
