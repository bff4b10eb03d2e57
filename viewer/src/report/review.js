// SPDX-License-Identifier: MIT
// What readers decided about findings: open, assigned to somebody, fixed, or approved with a reason; with a comment.
// Decisions lie over what the tool wrote, are kept in the browser's storage where there is one, and leave the page as a
// rules file for the next run. An approval remembers what was approved, and lapses when the finding is worse than that.

const prefix = 'graze:review:';

/** States a finding can be given, and their words. */
export const reviewStates = { open: 'Open', assigned: 'Assigned', fixed: 'Fixed', approved: 'Approved' };

/** As the tool ranks them (src/clash/comparison.c); what is undecided is weaker than all others. */
const verdictRank = { too_close: 1, touches: 2, crosses: 3, contains: 4, duplicate: 5, self: 6 };

/** The numbers of a finding that an approval is about; of duplicates the parts, too. */
export function approvedValues({ verdict, depth, gap, point, set }) {
    return { verdict, depth, gap, point, ...(verdict === 'duplicate' && { set }) };
}

/** Why a finding is worse than what was approved, or '' where it is not. Intervals that overlap may be equal. */
export function worseThan(finding, { verdict, depth, gap, set }) {
    const change = verdict ? (verdictRank[finding.verdict] ?? 0) - (verdictRank[verdict] ?? 0) : 0;
    if (change !== 0) return change > 0 ? `was ${verdict.replace('_', ' ')}` : '';
    if (depth && finding.depth && depth[1] != null && finding.depth[0] > depth[1]) return 'deeper than approved';
    if (gap && finding.gap && finding.gap[1] != null && finding.gap[1] < gap[0]) return 'closer than approved';
    if (set && finding.verdict === 'duplicate' && finding.set.length > set.length) return 'more parts than approved';
    return '';
}

/** A decision as it lies in the storage; those of earlier pages said no more than approved or not. */
function readDecision(kept) {
    if (typeof kept?.approved === 'boolean')
        return { state: kept.approved ? 'approved' : 'open', assignee: '', comment: kept.reason ?? '' };
    return kept?.state in reviewStates ? { assignee: '', comment: '', ...kept } : null;
}

export class Review {
    /** @param storage  localStorage, or null where the browser refuses it */
    constructor(report, storage) {
        this.report = report;
        this.storage = storage;
        this.key = prefix + report.header.key;
        this.decisions = this.load();
        this.onChange = () => {};
    }

    load() {
        try {
            const kept = Object.entries(JSON.parse(this.storage?.getItem(this.key) ?? '{}'));
            return new Map(kept.map(([id, decision]) => [id, readDecision(decision)]).filter(([, decision]) => decision));
        } catch {
            return new Map();
        }
    }

    /** What the tool wrote of a finding. */
    given(finding) {
        if (finding.state === 'approved') return { state: 'approved', assignee: finding.review?.assignee ?? '', comment: finding.reason };
        return finding.review ?? { state: 'open', assignee: '', comment: '' };
    }

    /**
     * A finding as it stands: what was decided here, else what the tool wrote. `state` is that of the review where there is
     * one, else that against the baseline (new, known, worse); `review` is one of reviewStates.
     */
    of(finding) {
        const decision = this.decisions.get(finding.id);
        const { state, assignee, comment } = decision ?? this.given(finding);
        const lapsed = decision?.state === 'approved' ? worseThan(finding, decision) : '';
        const review = lapsed ? 'open' : state;
        const against = finding.state === 'approved' ? 'known' : finding.state;
        return { state: review === 'open' ? against : review, review, assignee, comment, lapsed, edited: decision != null };
    }

    approve(finding, reason) {
        this.decide(finding, { state: 'approved', comment: reason });
    }

    reopen(finding) {
        this.decide(finding, { state: 'open', comment: '', assignee: '' });
    }

    /** Changes some of {state, assignee, comment} of a finding. */
    decide(finding, change) {
        const { review, assignee, comment } = this.of(finding);
        const next = { state: review, assignee, comment, ...change };
        const given = this.given(finding);
        const same = ['state', 'assignee', 'comment'].every((field) => next[field] === given[field]);
        if (same) this.decisions.delete(finding.id);
        else this.decisions.set(finding.id, next.state === 'approved' ? { ...next, ...approvedValues(finding) } : next);
        this.save();
        this.onChange(finding);
    }

    /** Whether the decisions survive closing the page. */
    save() {
        try {
            if (!this.storage) return false;
            if (this.decisions.size === 0) this.storage.removeItem(this.key);
            else this.storage.setItem(this.key, JSON.stringify(Object.fromEntries(this.decisions)));
            return true;
        } catch {
            return false;
        }
    }

    get edited() {
        return this.decisions.size;
    }

    /** Everybody a finding is assigned to, for completing names. */
    get assignees() {
        return [...new Set(this.report.findings.map((finding) => this.of(finding).assignee).filter(Boolean))].sort();
    }

    /**
     * Every finding approved now and all that was decided, as the rules file the tool reads. A tool that writes version 1
     * knows neither the numbers of approvals nor reviews: it gets the latter under a key that it leaves alone.
     */
    rules() {
        const { parts, findings, version } = this.report;
        const now = findings.map((finding) => ({ finding, ...this.of(finding) }));
        const approve = now.filter(({ review }) => review === 'approved').map(({ finding, comment }) => {
            const { verdict, depth, gap, point, set } = approvedValues(finding);
            const values = version < 2 ? {} : { depth, gap, point, set: set?.map((part) => parts[part].name) };
            return {
                id: finding.id, a: parts[finding.a].name, b: parts[finding.b].name, reason: comment, verdict,
                ...Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)),
            };
        });
        const review = now.filter((entry) => entry.review !== 'open' || entry.assignee || entry.comment)
            .map(({ finding, review: state, assignee, comment }) => ({ id: finding.id, state, assignee, comment }));
        return { graze: 'rules', version: 1, approve, ...(review.length > 0 && { [version < 2 ? 'x-review' : 'review']: review }) };
    }
}

/** The browser's storage, or null: some browsers refuse it to pages opened from disk. */
export function storageOf(window) {
    try {
        const storage = window.localStorage;
        storage.setItem('graze:try', '1');
        storage.removeItem('graze:try');
        return storage;
    } catch {
        return null;
    }
}
