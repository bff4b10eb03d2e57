// SPDX-License-Identifier: MIT
// Icons, drawn in a field of 20 by 20 with the colour of the text. Those of verdicts show two bodies and how they lie.
import { svg } from './dom.js';

const paths = {
    home: 'M3.5 9.5 10 4l6.5 5.5M5.5 8.5V16h9V8.5',
    frame: 'M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M10 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
    measure: 'M2.500 13.500 13.500 2.500l4 4-11 11zM6 10l1.500 1.500M8.500 7.500 11 10M11 5l1.500 1.500',
    print: 'M6 7.500v-5h8v5M6 14H3V7.500h14V14h-3M6 11.500h8v6H6z',
    grid: 'M3 3h14v14H3zM3 7.700h14M3 12.300h14M7.700 3v14M12.300 3v14',
    section: 'M10 2.5 16.5 6v8L10 17.500 3.5 14V6zM2 17 18 3',
    wireframe: 'M10 2.5 16.5 6v8L10 17.500 3.5 14V6zM3.5 6l6.500 3.500L16.500 6M10 9.500v8M3.5 14l6.500-4.500 6.500 4.500',
    around: 'M7 7h9.500v9.500H7zM3.500 13V3.500H13',
    marks: 'M3 14c3.500-9 6 2 8.500-3S15 5.500 17 5.500M10 10.500a1.500 1.500 0 1 0 .1 0',
    display: 'M3 6h7M14 6h3M3 14h3M10 14h7M12 4a2 2 0 1 0 .01 0M8 12a2 2 0 1 0 .01 0',
    picture: 'M3 6.500h3L7.500 4.500h5L14 6.500h3v9.500H3zM10 8.500a2.700 2.700 0 1 0 .01 0',
    help: 'M7.500 7.500a2.500 2.500 0 1 1 3.700 2.200c-.9.5-1.200 1-1.200 2M10 14.600v.2M10 2.500a7.500 7.500 0 1 0 .01 0',
    sun: 'M10 6.500a3.500 3.500 0 1 0 .01 0M10 1.800v1.700M10 16.500v1.700M1.800 10h1.700M16.500 10h1.700M4.200 4.200l1.200 1.200M14.600 14.600l1.200 1.200M4.200 15.800l1.200-1.200M14.600 5.400l1.200-1.200',
    moon: 'M16.500 11.800A7 7 0 0 1 8.200 3.500a7 7 0 1 0 8.300 8.300z',
    export: 'M10 12.500V3M6.500 6.300 10 2.800l3.500 3.500M4 11.500V16.500h12v-5',
    close: 'M5 5l10 10M15 5 5 15',
    previous: 'M5 12.500l5-5 5 5',
    next: 'M5 7.500l5 5 5-5',
    eye: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 7.800a2.200 2.200 0 1 0 .01 0',
    hidden: 'M3 3l14 14M5 6.500C3 8 2 10 2 10s3 5 8 5c1.200 0 2.300-.3 3.300-.7M8.500 5.100C9 5 9.500 5 10 5c5 0 8 5 8 5s-.7 1.300-2 2.500',
    branch: 'M7.500 5l5 5-5 5',
    check: 'M4 10.500l4 4 8-9',
    warning: 'M10 3l7.500 13.500h-15zM10 8v4M10 14.200v.2',
    flip: 'M10 2.500v15M7 6.500 3 10l4 3.500zM13 6.500l4 3.500-4 3.500z',
    play: 'M6 3.500v13l10-6.500z',
    pause: 'M6.500 4v12M13.500 4v12',
    impact: 'M4 4l4.200 4.200M16 4l-4.200 4.200M4 16l4.200-4.200M16 16l-4.200-4.200M10 2v3.500M10 14.500V18M2 10h3.500M14.500 10H18',
    search: 'M8.500 3.500a5 5 0 1 0 .01 0M12.200 12.200 16.500 16.500',
};

/** A line icon. */
export function icon(name) {
    return svg('svg', { class: 'icon', viewBox: '0 0 20 20', 'aria-hidden': 'true' }, svg('path', { d: paths[name] }));
}

const bodies = {
    contains: [[10, 10, 7.5], [11.5, 10.5, 3]],
    crosses: [[7, 10, 5], [13, 10, 5]],
    touches: [[6, 10, 4.2], [14.3, 10, 4.2]],
    too_close: [[5.3, 10, 3.6], [14.7, 10, 3.6]],
    duplicate: [[9.2, 9.2, 6], [10.8, 10.8, 6]],
};

/** The icon of a verdict: a in orange, b in blue. */
export function verdictIcon(verdict) {
    const root = svg('svg', { class: 'icon verdict-icon', viewBox: '0 0 20 20', 'aria-hidden': 'true' });
    if (verdict === 'self') root.append(svg('path', { d: 'M3 15c4 0 12-3 12-8a4 4 0 0 0-8 0c0 5 6 8 10 8', class: 'body-a' }));
    else if (verdict === 'undecided')
        root.append(svg('circle', { cx: 7.5, cy: 10, r: 5.5, class: 'body-a', 'stroke-dasharray': '3 2.4' }),
            svg('path', { d: 'M12 7.500a2.500 2.500 0 1 1 3.700 2.200c-.9.5-1.200 1-1.200 2M14.500 14.600v.2', class: 'body-b' }));
    else bodies[verdict].forEach(([cx, cy, r], k) => root.append(svg('circle', { cx, cy, r, class: k === 0 ? 'body-a' : 'body-b' })));
    return root;
}
