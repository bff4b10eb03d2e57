// SPDX-License-Identifier: MIT
// Dark and light: as the system says, until the reader says otherwise.

const key = 'graze:theme';

export class Theme {
    constructor(storage) {
        this.storage = storage;
        this.system = window.matchMedia('(prefers-color-scheme: light)');
        this.system.addEventListener('change', () => this.apply());
        this.listeners = [];
        this.apply();
    }

    get kept() {
        const kept = this.chosen ?? this.storage?.getItem(key);
        return kept === 'dark' || kept === 'light' ? kept : null;
    }

    get name() {
        return this.kept ?? (this.system.matches ? 'light' : 'dark');
    }

    onChange(listener) {
        this.listeners.push(listener);
        listener(this.name);
    }

    toggle() {
        this.chosen = this.name === 'dark' ? 'light' : 'dark';
        try {
            this.storage?.setItem(key, this.chosen);
        } catch {
            // a full storage is no reason not to switch
        }
        this.apply();
    }

    apply() {
        document.documentElement.dataset.theme = this.name;
        for (const listener of this.listeners) listener(this.name);
    }
}
