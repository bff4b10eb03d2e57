// SPDX-License-Identifier: MIT
// Small pieces of text and colour that several panels share.
import { counted, interval, number } from '../report/numbers.js';
import { severityRank } from '../report/read.js';
import { html } from './dom.js';

/** Grade of a severity for its colour: 0 the worst to 3. */
export function severityGrade(report, severity) {
    const last = Math.max(1, report.header.severities.length - 1);
    return Math.min(3, Math.round((3 * severityRank(report, severity)) / last));
}

export function severityChip(report, severity) {
    return severity && html('span', { class: `chip severity-${severityGrade(report, severity)}` }, severity);
}

/** Whether nothing is left to do about a finding in that state. */
export const isSettled = (state) => state === 'approved' || state === 'fixed';

/** Without a baseline everything is new, which says nothing: then only `always` names what is open. */
export function stateChip(report, state, always = false, assignee = '') {
    const isOpen = state === 'new' && !report.header.baseline;
    if (isOpen && !always) return null;
    return html('span', { class: `chip state-${isOpen ? 'open' : state}`, title: assignee ? `${state}: ${assignee}` : null },
        isOpen ? 'open' : state === 'assigned' && assignee ? `→ ${assignee}` : state);
}

/** The number that says most about a finding, and when it comes about where parts move. */
export function measure(finding, { units, step }) {
    return [size(finding, units), finding.time && !step && `frame ${number(finding.time[0], 5)}`].filter(Boolean).join(', ');
}

function size(finding, units) {
    if (finding.verdict === 'undecided') return finding.why;
    if (finding.depth) return `depth ${interval(finding.depth, units)}`;
    if (finding.verdict === 'too_close' && finding.gap) return `gap ${interval(finding.gap, units)}`;
    if (finding.area) return `area ${number(finding.area, 4)}${units ? `\u202f${units}²` : ''}`;
    if (finding.set.length > 2) return counted(finding.set.length, 'part');
    if (finding.pairs) return counted(finding.pairs, 'triangle pair');
    return '';
}
