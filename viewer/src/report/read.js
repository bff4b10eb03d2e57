// SPDX-License-Identifier: MIT
// Reads the report out of the page: the JSON in #graze-report, with every optional field filled in, so that the rest of
// the viewer never asks whether something is there. viewer/README.md and report.schema.json define the format.
// Indices are checked here; a report that contradicts itself is refused with a sentence, not drawn wrongly.
// Version 2 of the format adds keys to version 1; both are read, and what is missing is null.
import { extentOf } from './extent.js';
import { readTrack } from './motion.js';

/** Order of the verdicts, strongest first, and their words. */
export const verdicts = {
    contains: { word: 'Contains', many: 'contained', tells: 'b lies inside a' },
    crosses: { word: 'Crosses', many: 'crossing', tells: 'the surfaces go through each other' },
    duplicate: { word: 'Duplicate', many: 'duplicate', tells: 'same shape in the same place' },
    self: { word: 'Self-crossing', many: 'self-crossing', tells: 'the part crosses itself' },
    touches: { word: 'Touches', many: 'touching', tells: 'the surfaces meet without crossing' },
    too_close: { word: 'Too close', many: 'too close', tells: 'the gap is below the clearance' },
    undecided: { word: 'Undecided', many: 'undecided', tells: 'the meshes do not say whether the bodies clash' },
};

/** Versions of the format that this page reads. */
const versions = [1, 2];

export class ReportError extends Error {}

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

function isIndex(value, count) {
    return Number.isInteger(value) && value >= 0 && value < count;
}

function readHeader(raw) {
    const header = raw.header ?? {};
    return {
        tool: header.tool ?? 'graze',
        created: header.created ?? null,
        title: header.title ?? '',
        key: header.key ?? (header.inputs ?? []).map((input) => input.path).join('|'),
        units: header.units ?? '',
        up: header.up === 'y' ? 'y' : 'z',
        verdict: header.verdict ?? null,
        incomplete: header.incomplete ?? null,
        inputs: header.inputs ?? [],
        tolerances: header.tolerances ?? {},
        rules: [header.rules ?? []].flat(), // one file, or a list of them
        baseline: header.baseline ?? null,
        counts: header.counts ?? {},
        frames: header.frames ?? 0, // 0: nothing moves
        step: header.step ?? '', // what leads from one to the next
        severities: header.severities ?? ['critical', 'major', 'minor', 'info'],
    };
}

function readPart(raw, index, geometryCount, frames) {
    const path = raw.path?.length ? raw.path : [raw.name];
    for (const field of ['geometry', 'reduced'])
        if (raw[field] != null && !isIndex(raw[field], geometryCount))
            throw new ReportError(`part ${index} names geometry ${raw[field]}, which is not there`);
    if (!(raw.box?.length === 6 && raw.box.every(Number.isFinite)))
        throw new ReportError(`part ${index} has no box`);
    return {
        index,
        name: raw.name,
        path,
        label: path[path.length - 1],
        triangles: raw.triangles ?? 0,
        box: raw.box,
        closed: raw.closed ?? null,
        file: raw.file ?? null,
        transform: raw.transform ?? identity,
        geometry: raw.geometry ?? null,
        reduced: raw.reduced ?? null,
        piece: raw.piece ?? 0,
        track: readTrack(raw.track, frames),
        hidden: raw.hidden === true,
        findings: [],
    };
}

function readFinding(raw, index, parts) {
    const a = raw.a;
    const b = raw.b ?? raw.a;
    if (!isIndex(a, parts.length) || !isIndex(b, parts.length))
        throw new ReportError(`finding ${raw.id ?? index} names a part that is not there`);
    if (!(raw.verdict in verdicts)) throw new ReportError(`finding ${raw.id ?? index} has the verdict "${raw.verdict}"`);
    const set = raw.set?.length ? raw.set : a === b ? [a] : [a, b];
    if (!set.every((part) => isIndex(part, parts.length)))
        throw new ReportError(`finding ${raw.id ?? index} names a part that is not there`);
    return {
        index,
        id: raw.id,
        a,
        b,
        set,
        verdict: raw.verdict,
        pairs: raw.pairs ?? null,
        depth: raw.depth ?? null,
        depthGrade: raw.depth_grade ?? null,
        depthLine: raw.depth_line ?? null,
        gap: raw.gap ?? null,
        gapGrade: raw.gap_grade ?? null,
        gapPoints: raw.gap_points ?? null,
        point: raw.point ?? null,
        box: raw.box ?? null,
        area: raw.area ?? null,
        contact: raw.contact ?? null,
        curves: raw.curves ?? [],
        curvesLeftOut: raw.curves_left_out ?? 0,
        rule: raw.rule ?? '',
        severity: raw.severity ?? '',
        state: raw.state ?? 'new',
        reason: raw.reason ?? '',
        change: raw.change ?? '',
        ...readMeasures(raw),
        review: readReview(raw.review),
    };
}

/** What version 2 adds to a finding. */
function readMeasures(raw) {
    const locations = (raw.locations ?? []).filter(({ point, box }) => point || box).map(readPlace);
    const openEdges = (raw.open_edges ?? []).map(placeOfEdge);
    return {
        wayOut: raw.way_out ?? null,
        wayOutGrade: raw.way_out_grade ?? null,
        translation: raw.translation ?? null,
        volume: raw.volume ?? null,
        withinResolution: raw.within_resolution === true,
        withinTessellation: raw.within_tessellation === true,
        sagittas: raw.sagittas ?? null,
        exact: raw.exact ?? null,
        why: raw.why ?? '',
        time: raw.time ?? null, // of the first contact, in frames
        crossingTime: raw.crossing_time ?? null,
        measuredAt: raw.measured_at ?? null,
        locations,
        openEdges,
        places: locations.length > 1 ? locations : openEdges, // what one can fly to, one after another
    };
}

function readPlace({ point = null, box = null, depth = null, area = null, length = null, curves = [] }) {
    return { point: point ?? [0, 1, 2].map((k) => box[k] / 2 + box[k + 3] / 2), box, depth, area, length, curves: curves ?? [] };
}

/** An open edge is a point, or the two ends of the edge. */
function placeOfEdge(edge) {
    if (!Array.isArray(edge[0])) return readPlace({ point: edge });
    const [p, q] = edge;
    return readPlace({ box: [...p.map((x, k) => Math.min(x, q[k])), ...p.map((x, k) => Math.max(x, q[k]))], curves: [[...p, ...q]] });
}

/** What people decided before this run, as the rules file had it; null where nobody did. */
function readReview(raw) {
    if (!raw) return null;
    return { state: raw.state ?? 'open', assignee: raw.assignee ?? '', comment: raw.comment ?? '' };
}

/** Makes the report as the viewer knows it from the JSON as the tool wrote it. */
export function readReport(raw) {
    if (raw?.graze !== 'report') throw new ReportError('the data in this page is not a report of Graze');
    if (!versions.includes(raw.version))
        throw new ReportError(`this report has format version ${raw.version}, and this page reads versions ${versions.join(' and ')}`);
    const geometries = raw.geometries ?? [];
    const header = readHeader(raw);
    const parts = (raw.parts ?? []).map((part, index) => readPart(part, index, geometries.length, header.frames));
    const findings = (raw.findings ?? []).map((finding, index) => readFinding(finding, index, parts));
    for (const finding of findings) for (const part of finding.set) parts[part].findings.push(finding.index);
    return {
        version: raw.version,
        header,
        geometries,
        parts,
        findings,
        checked: raw.findings != null,
        problems: raw.problems ?? [],
        moves: header.frames > 1 && parts.some(({ track }) => track),
        ...extentOf(parts.map(({ box }) => box)), // origin, far
    };
}

/** Rank of a severity, 0 the worst; what is not listed comes last. */
export function severityRank(report, severity) {
    const rank = report.header.severities.indexOf(severity);
    return rank < 0 ? report.header.severities.length : rank;
}

/** The report in the page, or null where the page carries none. */
export function reportInPage(document) {
    const element = document.getElementById('graze-report');
    if (!element) return null;
    let raw;
    try {
        raw = JSON.parse(element.textContent);
    } catch (error) {
        throw new ReportError(`the data in this page is damaged: ${error.message}`);
    }
    element.remove(); // a second copy of what may be many megabytes
    return readReport(raw);
}
