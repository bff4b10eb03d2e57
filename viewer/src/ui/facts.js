// SPDX-License-Identifier: MIT
// What is known of a finding, as rows of name and value: the card and the printed report show the same.
import { count, interval, intervalInFull, number, point, upperBound } from '../report/numbers.js';
import { html } from './dom.js';

const grades = {
    exact: 'decided and computed exactly',
    bounded: 'the true value lies within these certified bounds',
    estimated: 'an estimate without a certified bound',
};

const grade = (name) => name && html('span', { class: `grade grade-${name}`, title: grades[name] ?? '' }, name);
const unit = (units, power = '') => (units ? `\u202f${units}${power}` : '');
const ends = (values, units) => html('span', { title: intervalInFull(values) }, interval(values, units));

function curveText(finding) {
    const closed = finding.curves.filter((c) => c.length > 6 && [0, 1, 2].every((k) => c[k] === c[c.length - 3 + k])).length;
    const text = `${finding.curves.length}${closed > 0 ? `, ${closed} closed` : ''}`;
    return finding.curvesLeftOut > 0 ? `${text}; ${count(finding.curvesLeftOut)} more left out` : text;
}

/** Why the verdict is milder than the exact finding, or might be that of the facets alone. */
function cautions(finding, units) {
    const { withinResolution, withinTessellation, exact, sagittas } = finding;
    return [
        withinResolution && ['Resolution', html('span', { class: 'caution' },
            exact ? `exactly it ${exact === 'apart' ? 'is apart' : exact}, but by no more than the files resolve` : 'no more than the files resolve')],
        withinTessellation && ['Tessellation', html('span', { class: 'caution' }, 'no deeper than the facets stand off the curved surfaces',
            sagittas && `: ${sagittas.map((s) => number(s, 3)).join(' + ')}${unit(units)}`), grade('estimated')],
        finding.why && ['Why', html('span', { class: 'caution' }, finding.why)],
        finding.openEdges.length > 0 && ['Open edges', count(finding.openEdges.length)],
    ];
}

/** When it begins, and when the rest was measured, of parts that move. */
function times({ time, crossingTime, measuredAt }, step) {
    if (!time || step) return [];
    const frames = (ends) => html('span', { title: intervalInFull(ends) }, `frame ${number(ends[0], 7)}`);
    return [
        ['First contact', frames(time), grade(time[0] === time[1] ? 'exact' : 'bounded')],
        crossingTime && crossingTime[0] !== time[0] && ['Overlap from', frames(crossingTime)],
        measuredAt != null && ['Measured at', `frame ${number(measuredAt, 7)}`],
    ];
}

/** Rows [name, ...content] of a finding. */
export function factsOf(finding, units, step = '') {
    const { translation, volume, box } = finding;
    const size = box && [0, 1, 2].map((k) => number(box[k + 3] - box[k], 4)).join(' × ');
    return [
        ...cautions(finding, units),
        ...times(finding, step),
        finding.depth && ['Depth', ends(finding.depth, units), grade(finding.depthGrade)],
        finding.wayOut && ['Way out', ends(finding.wayOut, units), grade(finding.wayOutGrade)],
        translation && ['Move b by', html('span', { class: 'digits', title: translation.join(', ') }, point(translation, 5)), unit(units)],
        finding.gap && ['Gap', ends(finding.gap, units), grade(finding.gapGrade)],
        volume && ['Volume', html('span', { title: `${volume.value} ± ${volume.error}` },
            `${number(volume.value)}${volume.error > 0 ? ` ± ${upperBound(volume.error)}` : ''}${unit(units, '³')}`)],
        finding.contact && ['Contact', finding.contact],
        finding.area != null && finding.contact === 'face' && ['Area', `${number(finding.area)}${unit(units, '²')}`, grade('estimated')],
        finding.pairs > 0 && ['Triangle pairs', count(finding.pairs)],
        finding.curves.length > 0 && ['Curves', curveText(finding)],
        size && ['Extent', `${size}${unit(units)}`],
        finding.point && ['Point', html('span', { class: 'digits', title: finding.point.join(', ') }, point(finding.point)), unit(units)],
        finding.rule && ['Rule', finding.rule],
    ].filter(Boolean);
}

/** The rows as a list. */
export function factList(rows) {
    return html('dl', { class: 'card-facts' }, rows.map(([name, ...text]) => html('div', {}, html('dt', {}, name), html('dd', {}, text))));
}

/** What one of several places of a finding measures. */
export function locationText(location, units) {
    return [
        location.depth && `depth ${interval(location.depth, units)}`,
        location.area > 0 && `area ${number(location.area, 4)}${unit(units, '²')}`,
        location.length > 0 && `length ${number(location.length, 4)}${unit(units)}`,
        location.point && `at ${point(location.point, 5)}`,
    ].filter(Boolean).join(', ');
}
