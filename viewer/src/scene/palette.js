// SPDX-License-Identifier: MIT
// Colours of the 3D view, dark and light. A is orange and B is blue everywhere, in the view, the card and the section;
// the pair stays apart for colour-blind readers too. What marks a clash is kept away from both.

const shared = {
    curve: '#ff2e88',
    overlap: '#e5263d',
};

export const palettes = {
    dark: {
        ...shared,
        background: '#14171c',
        backgroundTop: '#20252d',
        parts: ['#aab2bd', '#9aa7b8', '#b3b0a6', '#a3b0ab', '#aea9b5', '#98a4a6'],
        a: '#f2993a',
        b: '#4f9df7',
        chosen: '#5ad1b8',
        ghost: '#8fa3bd',
        ghostStrength: 1,
        edge: '#0c0e12',
        edgeOpacity: 0.55,
        ghostEdge: '#9fb4cf',
        ghostEdgeOpacity: 0.13,
        halo: '#14171c',
        point: '#ffffff',
        depth: '#ffe14d',
        gap: '#4df0c0',
        measure: '#e9a6ff',
    },
    light: {
        ...shared,
        background: '#e9edf2',
        backgroundTop: '#fbfcfd',
        parts: ['#c3cad3', '#b6c2d0', '#cbc8be', '#bac7c2', '#c6c1cd', '#b1bdbf'],
        a: '#ef8e25',
        b: '#3c8bea',
        chosen: '#23b397',
        ghost: '#5a6b82',
        ghostStrength: 0.8,
        edge: '#1d242e',
        edgeOpacity: 0.5,
        ghostEdge: '#4a5a70',
        ghostEdgeOpacity: 0.14,
        halo: '#ffffff',
        point: '#1b2027',
        depth: '#7a3e00',
        gap: '#00705a',
        measure: '#8a1fc0',
    },
};

/** How many colours parts have. */
export const partColors = palettes.dark.parts.length;
