// SPDX-License-Identifier: MIT
// A gearbox of some forty parts with one planted fault of every kind, for looking at and for the tests.
import { boundsOfCurves, crossing } from './meet.mjs';
import { bolt, boundsOf, box, gear, moved, ring, turned, wall } from './shapes.mjs';
import { blockOf, hashOf } from './write.mjs';

/** Collects parts; `at` moves the whole assembly, as a site plan would. */
class Assembly {
    constructor(at) {
        this.at = at;
        this.parts = [];
        this.meshes = [];
        this.blocks = [];
        this.geometries = [];
    }

    geometry(mesh, options) {
        const { about, bytes } = blockOf(mesh, options);
        this.geometries.push(about);
        return this.blocks.push(bytes) - 1;
    }

    /** A part from a mesh in its own frame, placed by a translation; `shared` reuses a geometry. */
    add(path, mesh, place = [0, 0, 0], { shared = null, full = true, closed = true, file = 0 } = {}) {
        const where = place.map((x, k) => x + this.at[k]);
        const world = moved(mesh, where);
        const number = full ? shared ?? this.geometry(mesh, { closed }) : null;
        this.meshes.push(world);
        this.parts.push({
            name: path.join('/'), path, triangles: mesh.indices.length / 3, box: boundsOf(world), closed, file,
            transform: [1, 0, 0, where[0], 0, 1, 0, where[1], 0, 0, 1, where[2]],
            geometry: number,
        });
        return this.parts.length - 1;
    }
}

const shaftProfile = (lengths, radii, start) => {
    const profile = [];
    let x = start;
    lengths.forEach((length, k) => {
        profile.push([x, radii[k]], [x + length, radii[k]]);
        x += length;
    });
    return profile;
};

function housing(assembly) {
    const at = {};
    const fields = [-85, -14, 42, 115];
    at.base = assembly.add(['gearbox', 'housing', 'base plate'], box([-130, -95, -112], [130, 125, -100]));
    at.left = assembly.add(['gearbox', 'housing', 'wall, input side'], wall([-112, -96], fields, [-100, 96], [[-40, 23.5], [13.2, 28.3], [74.6, 32.3]]));
    at.right = assembly.add(['gearbox', 'housing', 'wall, output side'], wall([96, 112], fields, [-100, 96], [[-40, 26.3], [13.2, 28.3], [74.6, 32.3]]));
    at.front = assembly.add(['gearbox', 'housing', 'side plate, front'], box([-96, -85, -100], [96, -77, 96]));
    at.back = assembly.add(['gearbox', 'housing', 'side plate, back'], box([-96, 107, -100], [96, 115, 96]));
    at.cover = assembly.add(['gearbox', 'housing', 'cover'], box([-116, -89, 96], [116, 119, 106]));
    at.plug = assembly.add(['gearbox', 'housing', 'filler plug'], moved(turned([[0, 9], [14, 9], [14, 14], [22, 14]], 32), [0, 0, 0], 'z'), [40, 60, 92]);
    return at;
}

function trains(assembly) {
    const at = { gears: [], shafts: [], rings: [] };
    const axes = [['input', -40, 14], ['intermediate', 13.2, 16], ['output', 74.6, 20]];
    for (const [name, y, radius] of axes) {
        const profile = shaftProfile([40, 60, 70, 60, 40], [0.8 * radius, radius, 1.15 * radius, radius, 0.8 * radius], -135);
        at.shafts.push(assembly.add(['gearbox', 'shafts', `${name} shaft`], turned(profile, 56), [0, y, 0]));
    }
    const wheels = [
        ['pinion z17', 17, 2.5, -40, -40, 0], ['wheel z25', 25, 2.5, 13.2, -40, 0],
        ['pinion z19', 19, 2.6, 13.2, 45, 0], ['wheel z29', 29, 2.6, 74.6, 45, 0],
    ];
    for (const [name, teeth, module, y, x, turn] of wheels) {
        const radius = y === -40 ? 16.1 : y === 13.2 ? 18.4 : 23;
        at.gears.push(assembly.add(['gearbox', 'gears', name], gear(teeth, module, radius, 26, turn), [x, y, 0]));
    }
    for (const [k, [name, y, radius]] of axes.entries())
        for (const [side, x] of [['input side', -104], ['output side', 104]]) {
            const outer = ring([[-6, radius + 7], [6, radius + 7], [6, radius + 12], [-6, radius + 12]], 56);
            const inner = ring([[-6, radius * 0.8], [6, radius * 0.8], [6, radius + 3], [-6, radius + 3]], 56);
            const shared = (kind) => (x > 0 ? assembly.parts[at.rings[4 * k + kind]].geometry : null);
            at.rings.push(assembly.add(['gearbox', 'bearings', `${name}, ${side}`, 'outer ring'], outer, [x, y, 0], { shared: shared(0) }));
            at.rings.push(assembly.add(['gearbox', 'bearings', `${name}, ${side}`, 'inner ring'], inner, [x, y, 0], { shared: shared(1) }));
        }
    return at;
}

/** The highest corner of wheel z25, in y and z; the dipstick ends 0.4 above it. */
const tip = [13.2 + 33.75 * Math.cos((2 * Math.PI * 6.1) / 25), 33.75 * Math.sin((2 * Math.PI * 6.1) / 25)];

function smallParts(assembly) {
    const at = { bolts: [] };
    const m8 = bolt(8, 30);
    let shared = null;
    for (const [x, y] of [[-104, -83], [-52, -83], [0, -83], [52, -83], [104, -83], [-104, 113], [-52, 113], [0, 113], [52, 113], [104, 113]]) {
        const index = assembly.add(['gearbox', 'fasteners', `bolt M8x30 #${at.bolts.length + 1}`], m8, [x, y, 106], { shared, file: 1 });
        shared = assembly.parts[index].geometry;
        at.bolts.push(index);
    }
    at.twin = assembly.add(['gearbox', 'fasteners', 'bolt M8x30 #11'], m8, [52, 113, 106], { shared, file: 1 });
    at.long = assembly.add(['gearbox', 'fasteners', 'bolt M8x90'], bolt(8, 90), [-40, -40, 106], { file: 1 });
    at.washer = assembly.add(['gearbox', 'fasteners', 'washer M6'], ring([[-0.8, 3.2], [0.8, 3.2], [0.8, 6], [-0.8, 6]], 32), [5, 74.6, 0], { file: 1 });
    at.spacer = assembly.add(['gearbox', 'shafts', 'spacer'], ring([[0, 18.5], [37, 18.5], [37, 22], [0, 22]], 48), [58, 13.2, 0]);
    at.seal = assembly.add(['gearbox', 'bearings', 'shaft seal'], ring([[0, 17], [6, 27], [6, 17], [0, 27]], 48), [-124, 74.6, 0], { closed: false });
    at.dipstick = assembly.add(['gearbox', 'housing', 'dipstick'], box([-2, -2, 0], [2, 2, 88]), [-40, tip[0], tip[1] + 0.4]);
    return at;
}

const middleOf = (bounds) => [0, 1, 2].map((k) => (bounds[k] + bounds[k + 3]) / 2);

function crossingOf(assembly, a, b) {
    const { pairs, curves } = crossing(assembly.meshes[a], assembly.meshes[b]);
    const bounds = boundsOfCurves(curves);
    return { pairs, curves, box: bounds, point: curves[0].slice(0, 3) };
}

/** Findings of every verdict. */
function findingsOf(assembly, house, train, small) {
    const { meshes, parts } = assembly;
    const gears = crossingOf(assembly, train.gears[2], train.gears[3]);
    const [mx, my, mz] = middleOf(gears.box);
    const deep = crossingOf(assembly, small.long, train.gears[0]);
    const [bx, by] = middleOf(deep.box);
    const wall = crossingOf(assembly, house.left, train.rings[0]);
    const spacerFace = boundsOf(meshes[small.spacer]);
    const gap = [[-40, ...tip], [-40, tip[0], tip[1] + 0.4]].map((p) => p.map((x, k) => x + assembly.at[k]));
    const high = deep.box[5] - deep.box[2];
    return [
        { a: train.gears[2], b: train.gears[3], verdict: 'crosses', ...gears, depth: [0.948, 1], depth_grade: 'bounded',
            depth_line: [[mx, my - 0.5, mz], [mx, my + 0.5, mz]], rule: 'default: no crossing', severity: 'critical', state: 'new' },
        { a: small.long, b: train.gears[0], verdict: 'crosses', ...deep, depth: [0.96 * high, high], depth_grade: 'bounded',
            depth_line: [[bx, by, deep.box[2]], [bx, by, deep.box[5]]], rule: 'default: no crossing', severity: 'critical', state: 'new' },
        { a: train.shafts[2], b: small.washer, verdict: 'contains', pairs: 0, point: middleOf(parts[small.washer].box), box: parts[small.washer].box,
            rule: 'default: no containment', severity: 'critical', state: 'new' },
        { a: house.left, b: train.rings[0], verdict: 'crosses', ...wall, depth: [2.75, 3.125], depth_grade: 'bounded',
            rule: 'group "bearings": max-depth 0.02', severity: 'major', state: 'known' },
        { a: small.bolts[8], b: small.twin, verdict: 'duplicate', pairs: parts[small.twin].triangles, point: middleOf(parts[small.twin].box),
            box: parts[small.twin].box, rule: 'default: no duplicates', severity: 'major', state: 'new' },
        { a: small.seal, b: small.seal, verdict: 'self', pairs: 192, point: [-121 + assembly.at[0], 74.6 + 22 + assembly.at[1], assembly.at[2]],
            box: parts[small.seal].box, curves: [circle([-121, 74.6, 0], 22, assembly.at)], rule: '--self', severity: 'major', state: 'new' },
        { a: small.dipstick, b: train.gears[1], verdict: 'too_close', pairs: 4, gap: [0.4, 0.4], gap_grade: 'exact', gap_points: gap,
            point: gap[0], rule: '--clearance 0.5', severity: 'minor', state: 'new' },
        { a: small.spacer, b: train.gears[2], verdict: 'touches', contact: 'face', pairs: 212, area: 445.32, gap: [0, 0], gap_grade: 'exact',
            point: [spacerFace[0], middleOf(spacerFace)[1] + 20, middleOf(spacerFace)[2]],
            box: [spacerFace[0], ...spacerFace.slice(1, 3), spacerFace[0], ...spacerFace.slice(4)],
            rule: 'default: touching is a finding', severity: 'minor', state: 'approved', reason: 'spacer seats on the hub by design' },
        ...small.bolts.slice(0, 4).map((b) => ({
            a: house.cover, b, verdict: 'touches', contact: 'face', pairs: 48, area: 127.1, gap: [0, 0], gap_grade: 'exact',
            point: [parts[b].box[0] + 8, parts[b].box[1] + 8, 106 + assembly.at[2]],
            box: [parts[b].box[0], parts[b].box[1], 106 + assembly.at[2], parts[b].box[3], parts[b].box[4], 106 + assembly.at[2]],
            rule: 'default: touching is a finding', severity: 'info', state: 'known',
        })),
    ];
}

function circle([x, y, z], radius, at) {
    const curve = [];
    for (let k = 0; k <= 48; k++) {
        const angle = (2 * Math.PI * (k % 48)) / 48;
        curve.push(x + at[0], y + radius * Math.cos(angle) + at[1], z + radius * Math.sin(angle) + at[2]);
    }
    return curve;
}

/** What version 2 of the format adds, on findings that are there, and one that is undecided. */
function secondVersion(findings, parts) {
    const [teeth, deep, washer, wall, twin, seal, dipstick, spacer, ...bolts] = findings;
    const [x, y, z] = teeth.point;
    const place = (k) => ({ point: [x, y, z + 3 * k], box: [x - 1, y - 1, z + 3 * k - 1, x + 1, y + 1, z + 3 * k + 1], depth: [0.4 - 0.1 * k, 0.5 - 0.1 * k], area: 1.5, length: 6.25 });
    Object.assign(teeth, {
        depth: [0.5, 0.505], way_out: [0.948, 1], way_out_grade: 'bounded', translation: [0, 0.97, 0], volume: { value: 12.5, error: 0.125 },
        within_resolution: false, within_tessellation: false, exact: 'crosses', locations: [0, 1, 2].map(place),
    });
    Object.assign(deep, { review: { state: 'assigned', assignee: 'Mara', comment: 'shorten the bolt' } });
    Object.assign(wall, { within_tessellation: true, sagittas: [1.5, 1.75], severity: 'info' });
    Object.assign(bolts[0], { within_resolution: true, exact: 'crosses', depth: [1e-7, 2e-7] });
    const undecided = {
        a: washer.a, b: seal.a, verdict: 'undecided', why: 'shaft seal is open: 96 edges belong to one triangle only', severity: 'minor', rule: 'default',
        point: seal.point, open_edges: [seal.point, [[...seal.point], seal.point.map((c) => c + 2)]], state: 'new',
    };
    return [...findings, { id: hashOf(`undecided|${parts[washer.a].name}|${parts[seal.a].name}`).slice(0, 12), ...undecided }];
}

/**
 * The report and its blocks. Parts without a finding carry no mesh, as the tool writes them, unless `everything` is asked for.
 * @param far  one more part is so far away
 */
export function gearbox({ at = [0, 0, 0], everything = true, version = 1, far = 0 } = {}) {
    const assembly = new Assembly(at);
    const house = housing(assembly);
    const train = trains(assembly);
    const small = smallParts(assembly);
    if (far > 0) assembly.add(['gearbox', 'housing', 'lost cube'], box([-20, -20, -20], [20, 20, 20]), [far, 0, 0]);
    const first = findingsOf(assembly, house, train, small).map((finding) => {
        const names = [finding.a, finding.b].map((index) => assembly.parts[index].name).join('|');
        return { id: hashOf(`${finding.verdict}|${names}`).slice(0, 12), ...finding };
    });
    const findings = version > 1 ? secondVersion(first, assembly.parts) : first;
    const used = new Set(findings.flatMap(({ a, b }) => [a, b]));
    if (!everything) assembly.parts.forEach((part, index) => used.has(index) || (part.geometry = null));
    const { length } = assembly.parts;
    const possible = (length * (length - 1)) / 2;
    const report = {
        graze: 'report',
        version,
        header: {
            tool: 'graze 0.6.0',
            created: '2026-03-14T09:26:53Z',
            title: 'gearbox',
            units: 'mm',
            up: 'z',
            inputs: [
                { path: 'gearbox.glb', sha256: hashOf('gearbox'), size: 482_112, parts: length - 13 },
                { path: 'fasteners/m8.stl', sha256: hashOf('fasteners'), size: 18_084, parts: 13 },
            ],
            tolerances: { clearance: 0.5, allow_touch: false, max_depth: 0 },
            rules: {
                path: 'gearbox.rules.json',
                sha256: hashOf('rules'),
                ignored: [
                    { rule: 'bolt * / housing *', reason: 'bolts sit in their holes', pairs: 31 },
                    { rule: 'same parent: bearings/*', reason: 'rings of one bearing', pairs: 6 },
                ],
            },
            counts: {
                parts: length, parts_free: length - used.size, triangles: assembly.parts.reduce((sum, part) => sum + part.triangles, 0),
                pairs_possible: possible, pairs_culled: possible - 148, pairs_tested: 111, pairs_ignored: 37, pairs_undecided: version > 1 ? 1 : 0,
                findings: findings.length, ...(version > 1 && { resolution_changed: 1 }),
            },
            severities: ['critical', 'major', 'minor', 'info'],
        },
        parts: assembly.parts,
        geometries: assembly.geometries,
        findings,
        problems: [
            { part: small.seal, what: 'the mesh is not closed (96 border edges): containment was not decided for it' },
            { part: null, file: 'fasteners/m8.stl', what: 'sizes differ from gearbox.glb by about 25.4: inches instead of millimetres?' },
        ],
    };
    return { report, blocks: assembly.blocks };
}
