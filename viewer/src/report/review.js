// SPDX-License-Identifier: MIT
// What a reader decided about findings: approved with a reason, or opened again. Decisions lie over what the tool wrote,
// are kept in the browser's storage where there is one, and leave the page as a rules file for the next run.

const prefix = 'graze:review:';

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
            const kept = JSON.parse(this.storage?.getItem(this.key) ?? '{}');
            return new Map(Object.entries(kept).filter(([, value]) => typeof value?.approved === 'boolean'));
        } catch {
            return new Map();
        }
    }

    /** State and reason of a finding: what was decided here, else what the tool wrote. */
    of(finding) {
        const decision = this.decisions.get(finding.id);
        if (!decision) return { state: finding.state, reason: finding.reason, edited: false };
        if (decision.approved) return { state: 'approved', reason: decision.reason ?? '', edited: true };
        return { state: finding.state === 'approved' ? 'known' : finding.state, reason: '', edited: true };
    }

    approve(finding, reason) {
        this.decide(finding, { approved: true, reason });
    }

    reopen(finding) {
        this.decide(finding, { approved: false });
    }

    decide(finding, decision) {
        const same = decision.approved
            ? finding.state === 'approved' && finding.reason === decision.reason
            : finding.state !== 'approved';
        if (same) this.decisions.delete(finding.id);
        else this.decisions.set(finding.id, decision);
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

    /** Every finding approved now, as the rules file the tool reads. */
    rules() {
        const { parts, findings } = this.report;
        const approve = findings
            .map((finding) => ({ finding, ...this.of(finding) }))
            .filter(({ state }) => state === 'approved')
            .map(({ finding, reason }) => ({
                id: finding.id, a: parts[finding.a].name, b: parts[finding.b].name, reason,
            }));
        return { graze: 'rules', version: 1, approve };
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
