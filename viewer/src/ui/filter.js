// SPDX-License-Identifier: MIT
// Which findings the list shows, and in which order. Nothing here touches the page.
import { pairKey, partGroups } from '../report/groups.js';
import { severityRank, verdicts } from '../report/read.js';

/** Orders the list can have. */
export const orders = {
    worst: 'Worst first',
    depth: 'Depth, deepest first',
    gap: 'Gap, smallest first',
    time: 'First contact, earliest first',
    name: 'Part name',
    part: 'Part with most findings',
    state: 'State',
    pairs: 'Triangle pairs',
};

export const emptyFilter = { text: '', verdict: '', severity: '', state: '', part: -1, groups: '', order: 'worst', by: 'none' };

/** States in the order of the list: what nobody decided about comes first. */
export const states = ['worse', 'new', 'known', 'assigned', 'fixed', 'approved'];
const settled = ['fixed', 'approved'];

function searchText(report, finding) {
    const names = finding.set.map((part) => report.parts[part].name).join(' ');
    return `${finding.id} ${names} ${finding.rule} ${verdicts[finding.verdict].word} ${finding.verdict}`.toLowerCase();
}

/** Deepest first by what is certain, then by what is possible; findings without a depth come after. */
const byDepth = (a, b) => (b.depth?.[0] ?? -1) - (a.depth?.[0] ?? -1)
    || (b.depth ? b.depth[1] ?? Infinity : -1) - (a.depth ? a.depth[1] ?? Infinity : -1) || 0;
/** Smallest gap first; findings without a gap come after. */
const byGap = (a, b) => (a.gap?.[0] ?? Infinity) - (b.gap?.[0] ?? Infinity) || 0;

/** Earliest contact first; findings without a time come after. */
const byTime = (a, b) => (a.time?.[0] ?? Infinity) - (b.time?.[0] ?? Infinity) || 0;

export class Filter {
    constructor(report, review) {
        this.report = report;
        this.review = review;
        this.groups = partGroups(report);
        this.texts = report.findings.map((finding) => searchText(report, finding));
    }

    /** Whether a finding passes, `except` for one of the fields; that is how counts beside a choice are made. */
    passes(finding, filter, except = '') {
        const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
        return (except === 'text' || words.every((word) => this.texts[finding.index].includes(word)))
            && (except === 'verdict' || !filter.verdict || finding.verdict === filter.verdict)
            && (except === 'severity' || !filter.severity || finding.severity === filter.severity)
            && (except === 'state' || !filter.state || this.stateMatches(finding, filter.state))
            && (except === 'groups' || !filter.groups || pairKey(this.groups.groupOf, finding) === filter.groups)
            && (filter.part < 0 || finding.set.includes(filter.part));
    }

    stateMatches(finding, wanted) {
        const { state, assignee } = this.review.of(finding);
        if (wanted.startsWith('@')) return assignee === wanted.slice(1);
        return wanted === 'open' ? !settled.includes(state) : state === wanted;
    }

    /** The findings to show, in order. */
    apply(filter) {
        return this.report.findings.filter((finding) => this.passes(finding, filter)).sort(this.comparator(filter.order));
    }

    comparator(order) {
        const { parts, version } = this.report;
        const rank = new Map(this.report.findings.map(({ severity }) => [severity, severityRank(this.report, severity)]));
        const severity = (a, b) => rank.get(a.severity) - rank.get(b.severity);
        const most = ({ set }) => Math.max(...set.map((part) => parts[part].findings.length));
        const stateRank = (finding) => states.indexOf(this.review.of(finding).state);
        const other = {
            worst: version < 2 ? severity : (a, b) => severity(a, b) || a.index - b.index, // the tool has sorted them
            name: (a, b) => parts[a.a].name.localeCompare(parts[b.a].name) || parts[a.b].name.localeCompare(parts[b.b].name),
            part: (a, b) => most(b) - most(a),
            depth: byDepth,
            gap: byGap,
            time: byTime,
            pairs: (a, b) => (b.pairs ?? 0) - (a.pairs ?? 0),
            state: (a, b) => stateRank(a) - stateRank(b),
        }[order];
        return (a, b) => other(a, b) || severity(a, b) || byDepth(a, b) || byGap(a, b) || a.index - b.index;
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
