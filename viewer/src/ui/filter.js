// SPDX-License-Identifier: MIT
// Which findings the list shows, and in which order. Nothing here touches the page.
import { severityRank, verdicts } from '../report/read.js';

/** Orders the list can have; `severity` is the order of the tool. */
export const orders = {
    severity: 'Severity',
    name: 'Part name',
    depth: 'Depth, deepest first',
    gap: 'Gap, smallest first',
    pairs: 'Triangle pairs',
    state: 'State',
};

export const emptyFilter = { text: '', verdict: '', severity: '', state: '', part: -1, order: 'severity' };

const stateRank = { new: 0, known: 1, approved: 2 };

function searchText(report, finding) {
    const names = finding.set.map((part) => report.parts[part].name).join(' ');
    return `${finding.id} ${names} ${finding.rule} ${verdicts[finding.verdict].word} ${finding.verdict}`.toLowerCase();
}

export class Filter {
    constructor(report, review) {
        this.report = report;
        this.review = review;
        this.texts = report.findings.map((finding) => searchText(report, finding));
    }

    /** Whether a finding passes, `except` for one of the fields; that is how counts beside a choice are made. */
    passes(finding, filter, except = '') {
        const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
        return (except === 'text' || words.every((word) => this.texts[finding.index].includes(word)))
            && (except === 'verdict' || !filter.verdict || finding.verdict === filter.verdict)
            && (except === 'severity' || !filter.severity || finding.severity === filter.severity)
            && (except === 'state' || !filter.state || this.stateMatches(finding, filter.state))
            && (filter.part < 0 || finding.set.includes(filter.part));
    }

    stateMatches(finding, wanted) {
        const { state } = this.review.of(finding);
        return wanted === 'open' ? state !== 'approved' : state === wanted;
    }

    /** The findings to show, in order. */
    apply(filter) {
        return this.report.findings.filter((finding) => this.passes(finding, filter)).sort(this.comparator(filter.order));
    }

    comparator(order) {
        const { parts } = this.report;
        const severity = (a, b) => severityRank(this.report, a.severity) - severityRank(this.report, b.severity);
        const name = (a, b) => parts[a.a].name.localeCompare(parts[b.a].name) || parts[a.b].name.localeCompare(parts[b.b].name);
        const other = {
            severity,
            name,
            depth: (a, b) => (b.depth?.[1] ?? -1) - (a.depth?.[1] ?? -1),
            gap: (a, b) => (a.gap?.[0] ?? Infinity) - (b.gap?.[0] ?? Infinity) || 0,
            pairs: (a, b) => (b.pairs ?? 0) - (a.pairs ?? 0),
            state: (a, b) => stateRank[this.review.of(a).state] - stateRank[this.review.of(b).state],
        }[order];
        return (a, b) => other(a, b) || severity(a, b) || a.index - b.index;
    }

    /** How many findings each value of a field would show. */
    counts(filter, field) {
        const counts = new Map();
        for (const finding of this.report.findings) {
            if (!this.passes(finding, filter, field)) continue;
            const value = field === 'state' ? this.review.of(finding).state : finding[field];
            counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        return counts;
    }
}
