#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation testing: changes one operator, constant, comparison or bound at a time, and sees whether a quick test fails.

    mutants.py [--seed N] [--per-file N] [--count N] [--files PATTERN...] [--minutes N] [--json FILE] [--resume]
    mutants.py --known FILE --count N      some that were killed before: whether tests still notice them
    mutants.py --left --json FILE          those that survived and are not explained, once more
    mutants.py --ledger          the mutants that docs/trust.md names, each with the test named there

All mutants are compiled into one copy of the tree, in build-mutants/, and selected by a number from the environment
(docs/decisions/0008-mutants.md). One run of every test case without any tells which cases each could change; only those
are tried. tests/mutants/explained/ names survivors that change no answer. The exit code is 1 when too many others survived
in files that decide. tests/mutants/results.json has the last larger run; to go on with it:

    mutants.py --per-file 32 --patience 60 --json tests/mutants/results.json --resume
"""
import argparse
import fnmatch
import glob
import os
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from mutation import ledger
from mutation import results as store
from mutation.copy import Copy, Failure
from mutation.operators import Constants, Finder, compiled_in
from mutation.trial import Trial

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILES = ('src/exact/*.c', 'src/convex/*.c', 'src/pair/*.c', 'src/simd/*.[ch]', 'src/tree/*.c', 'src/broad/*.c', 'src/scene/*.c',
         'src/shape/*.c', 'src/decomposition/*.c', 'src/certificate/*.c', 'src/tool_path/*.c', 'src/motion/*.c',
         'src/clash/overlap_width.c') # * goes into sub-rooms
# Files whose answers reach the caller, or rule something out. The others build, steer, keep or hand on; of src/motion, whose
# sample is not finished (tests/mutants/results.md), only those whose survivors are settled are named.
DECIDING = ('src/exact/*.c', 'src/convex/*.c', 'src/simd/*_template.h', 'src/simd/contact_bits.h',
            'src/simd/distance_*.h', 'src/simd/fit_vectors.h', 'src/simd/quantized_boxes.h', 'src/tree/fit.c', 'src/tree/leaf_groups.c', 'src/pair/aabb.c',
            'src/pair/distance/aligned_frame.c', 'src/pair/distance/distance.c', 'src/pair/distance/distance_frame.c',
            'src/pair/distance/initial_bound.c', 'src/pair/distance/loose_pairs.c', 'src/pair/distance/lower_bound.c',
            'src/pair/distance/oriented_box.c', 'src/pair/distance/proximity_aabbs.c',
            'src/pair/distance/proximity_box.c', 'src/pair/distance/proximity_leaves.c',
            'src/pair/distance/proximity_sphere.c', 'src/pair/distance/proximity_trees.c',
            'src/pair/distance/tolerance.c', 'src/pair/distance/triangle_distance.c',
            'src/pair/distance/wide_pair.c', 'src/pair/hit/bvh_traversal*.c',
            'src/pair/hit/cache.c', 'src/pair/hit/contact_frame.c', 'src/pair/hit/contact_lanes.c',
            'src/pair/hit/decide_pairs.c', 'src/pair/hit/dual.c', 'src/pair/hit/leaf_cache.c', 'src/pair/hit/query.c',
            'src/pair/hit/query_part.c', 'src/pair/hit/self_collision.c',
            'src/pair/hit/small_tree.c', 'src/pair/hit/triangle_filter.c',
            'src/pair/mesh_query/cast_ray.c', 'src/pair/mesh_query/mesh_query.c',
            'src/pair/depth/critical_pairs.c', 'src/pair/depth/crossing_volume.c',
            'src/pair/depth/deepest_common_point.c', 'src/pair/depth/deepest_start.c',
            'src/pair/depth/distance_maxima.c', 'src/pair/depth/interference.c',
            'src/pair/depth/located_triangles.c', 'src/pair/depth/nearest_triangle.c',
            'src/pair/depth/normal_cones.c', 'src/pair/depth/overlap_volume.c', 'src/pair/depth/simplex_bound.c',
            'src/pair/depth/simplex_location.c', 'src/pair/depth/simplex_search.c',
            'src/pair/depth/surface_pieces.c', 'src/pair/depth/tree_point.c', 'src/pair/fixed_cache.c',
            'src/pair/relative_pose.c', 'src/pair/solid/containment.c', 'src/pair/solid/embedding.c',
            'src/pair/solid/local_overlap.c', 'src/pair/solid/overlap.c', 'src/pair/solid/point_in_mesh.c',
            'src/pair/solid/touching_plane.c', 'src/pair/support_table.c',
            'src/pair/world_tree.c', 'src/pair/derived_data.c',
            'src/certificate/*.c', 'src/tool_path/*.c', 'src/pair/contact/*.c', 'src/decomposition/*.c',
            'src/pair/hit/batch.c', 'src/pair/hit/collide.c',
            'src/pair/hit/hit_buffer.c', 'src/pair/hit/hit_groups.c', 'src/pair/hit/search_report.c',
            'src/pair/depth/deepest_probe.c', 'src/pair/depth/located_points.c', 'src/pair/depth/space_search.c',
            'src/pair/separating_plane.c', 'src/broad/axis_sweep.c', 'src/broad/candidate_overlaps.c',
            'src/broad/candidates.c', 'src/broad/dynamic_bvh.c', 'src/broad/fat_aabb.c', 'src/broad/hash_grid.c',
            'src/broad/hash_grid_method.c', 'src/broad/obb_cells.c', 'src/broad/octree.c', 'src/broad/oriented_grid.c',
            'src/broad/sweep_and_prune.c', 'src/broad/update.c', 'src/scene/contact_test.c', 'src/scene/containment.c',
            'src/scene/interest.c', 'src/scene/narrow_phase*.c', 'src/scene/promises.c', 'src/scene/support_tables.c',
            'src/scene/step_motions.c', 'src/scene/step_pairs.c', 'src/scene/world_bounds.c', 'src/clash/overlap_width.c',
            'src/shape/bounds.c', 'src/shape/box_triangle.c', 'src/shape/cast_ray.c', 'src/shape/collide.c',
            'src/shape/convex_part.c', 'src/shape/mesh_primitive.c', 'src/shape/primitive_mesh.c', 'src/shape/core.c',
            'src/shape/depth*.c', 'src/shape/dispatch.c', 'src/shape/distance.c',
            'src/shape/half_space*.c', 'src/shape/leaves.c', 'src/shape/near_triangles.c', 'src/shape/pair_*.c',
            'src/shape/placed.c', 'src/shape/plane.c', 'src/shape/results.c', 'src/shape/small_shape.c',
            'src/shape/triangles.c', 'src/motion/feature_filter.c', 'src/motion/first_impact.c', 'src/motion/impact_estimate.c',
            'src/motion/moving_arcs.c', 'src/motion/moving_pair.c', 'src/motion/points_on_lines.c',
            'src/motion/reversed_pair.c', 'src/motion/space_time_boxes.c')
LEAST = 0.95 # share of mutants of deciding files that tests should notice


def matches(file, patterns):
    return any(fnmatch.fnmatch(file, p) for p in patterns)


def read(file):
    with open(os.path.join(ROOT, file), encoding='utf-8') as source:
        return source.read()


def find_all(options):
    """Every mutant there is, by file."""
    names = sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, 'src/**/*.[ch]'), recursive=True))
    constants = Constants([read(n) for n in names])
    found = {n: Finder(n, read(n), constants).find() for n in names if matches(n, options.files or FILES)}
    return {name: mutants for name, mutants in found.items() if mutants}


def choose(options):
    """The mutants of this run, by file; the same for the same seed and sources. With --known only those that were killed
    before, each with the case that did it."""
    chosen = find_all(options)
    if options.known:
        killed = {k: r for k, r in store.load(options.known).items() if r['verdict'] in store.KILLED}
        for mutants in chosen.values():
            mutants[:] = [m for m in mutants if store.mark(m.key()) in killed]
            for m in mutants:
                m.killer = killed[store.mark(m.key())]['by']
    if options.left:
        reasons = store.explained(os.path.join(ROOT, 'tests', 'mutants', 'explained'))
        left = {k for k, r in store.load(options.json).items()
                if r['verdict'] not in store.KILLED and not store.reason_for(r['key'], reasons)}
        chosen = {name: [m for m in mutants if store.mark(m.key()) in left] for name, mutants in chosen.items()}
        return {name: mutants for name, mutants in chosen.items() if mutants}
    for name, mutants in chosen.items():
        random.Random(f'{options.seed} {name}').shuffle(mutants)
        share = options.per_file if matches(name, DECIDING) else max(1, options.per_file // 4)
        del mutants[share:]
    if options.count:
        every = [m for mutants in chosen.values() for m in mutants]
        random.Random(options.seed).shuffle(every)
        kept = set(map(id, every[:options.count]))
        chosen = {name: [m for m in mutants if id(m) in kept] for name, mutants in chosen.items()}
    return {name: mutants for name, mutants in chosen.items() if mutants}


def build(copy, chosen, tests):
    """Compiles all in; mutants on lines that do not compile are left out and returned."""
    number, first = 0, True
    for mutants in chosen.values():
        for mutant in mutants:
            number += 1
            mutant.number = number
    while True:
        changed = {name: compiled_in(read(name), [m for m in mutants if m.number])
                   for name, mutants in chosen.items()}
        copy.refresh(changed, number)
        if first:
            copy.configure()
            first = False
        places = copy.make(tests)
        if places is None:
            return [m for mutants in chosen.values() for m in mutants if not m.number]
        wrong = [m for mutants in chosen.values() for m in mutants if m.number and touches(m, places)]
        if not wrong:
            raise Failure('does not build: ' + ', '.join(f'{f}:{n}' for f, n in sorted(places)))
        for mutant in wrong:
            mutant.number = 0


def touches(mutant, places):
    first = mutant.line_span[0]
    return any((mutant.file, line) in places for line in range(first, mutant.line_span[1] + 1))


def try_all(trial, chosen, options, results, again):
    end = time.monotonic() + 60 * options.minutes if options.minutes else None
    todo = [m for mutants in chosen.values() for m in mutants
            if m.number and (store.mark(m.key()) not in results or store.mark(m.key()) in again)]
    random.Random(options.seed).shuffle(todo) # a run that ends early has seen something of every file
    todo.sort(key=lambda m: not matches(m.file, DECIDING))
    done = [0]

    def one(mutant):
        if end is not None and time.monotonic() > end:
            return
        verdict, by = trial.judge(mutant)
        result = {'file': mutant.file, 'verdict': verdict, 'by': by}
        if verdict not in store.KILLED:
            result.update(key=mutant.key(), patience=options.patience)
        results[store.mark(mutant.key())] = result
        done[0] += 1
        if done[0] % 10 == 0:
            save(options, results)
        if done[0] % 50 == 0:
            print(f'mutants: {done[0]} of {len(todo)} tried', flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, todo))
    save(options, results)


def save(options, results):
    if options.json:
        store.save(options.json, {'seed': options.seed, 'per_file': options.per_file}, dict(results))


def run_ledger(options):
    copy = Copy(ROOT, options.folder + '-ledger', options.jobs)
    entries = [e for e in ledger.read(ROOT) if not options.files or matches(e[0], options.files)]
    copy.refresh({}, 0)
    copy.configure()
    if copy.make(sorted({test for e in entries for test, _ in e[4]})) is not None:
        raise Failure('the tests do not build without any mutant')
    good = 0
    for entry in entries:
        sentence, right = ledger.judge(copy, entry)
        good += right
        print(f'{entry[0]}: {sentence}' + ('' if right else f': {entry[2]} => {entry[3]}'), flush=True)
    print(f'mutants: {good} of {len(entries)} of the ledger are noticed by their tests')
    return good == len(entries)


def run_sample(options):
    results = {}
    if (options.resume or options.report or options.left) and options.json and os.path.exists(options.json):
        results = store.load(options.json)
    if options.report:
        return report(find_all(options), results)
    chosen = choose(options)
    for name, mutants in chosen.items():
        text = read(name)
        for m in mutants:
            m.line_span = (text.count('\n', 0, m.site.start) + 1, text.count('\n', 0, m.site.end) + 1)
    print(f'mutants: {sum(map(len, chosen.values()))} in {len(chosen)} files, seed {options.seed}', flush=True)
    copy = Copy(ROOT, options.folder + ('-asan' if options.sanitize else ''), options.jobs, options.sanitize)
    tests = [t for t in copy.targets() if not options.tests or matches(t, options.tests)]
    if not any(name.startswith('src/clash/') for name in chosen):
        tests = [t for t in tests if not t.startswith('clash/')] # which notice little of other rooms
    left_out = build(copy, chosen, tests)
    print(f'mutants: built; {len(left_out)} did not compile', flush=True)
    trial = Trial(copy, options.patience, options.slice)
    for name in trial.record(tests):
        print(f'mutants: left out, as it fails by itself: {name}')
    marks = {store.mark(m.key()) for mutants in chosen.values() for m in mutants}
    again = {k for k, r in results.items() if k in marks and is_tried_again(r, options)} # they stay if the run is cut off
    trial.learn(results)
    try_all(trial, chosen, options, results, again)
    return report(chosen, results)


def is_tried_again(result, options):
    """Whether a mutant of this run that was tried before is tried again; those of other files stay as they are."""
    if result['verdict'] in store.KILLED:
        return False
    return options.again or options.left or result.get('patience', options.patience) < options.patience


def report(mutants, results):
    """Tells of these mutants that were tried; what a file of results has of other sources counts for nothing."""
    marks = {store.mark(m.key()) for file_mutants in mutants.values() for m in file_mutants}
    reasons = store.explained(os.path.join(ROOT, 'tests', 'mutants', 'explained'))
    tried = {k: r for k, r in results.items() if k in marks}
    return store.report(tried, reasons, lambda file: matches(file, DECIDING)) >= LEAST


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--per-file', type=int, default=30, help='mutants a deciding file; others get a quarter')
    parser.add_argument('--count', type=int, default=0, help='at most so many in all')
    parser.add_argument('--files', nargs='+', help='patterns of sources (with --ledger: of entries)')
    parser.add_argument('--tests', nargs='+', help='patterns of tests, such as pair/*')
    parser.add_argument('--minutes', type=float, default=0, help='stop trying after so long')
    parser.add_argument('--patience', type=float, default=40, help='seconds of tests a mutant')
    parser.add_argument('--slice', type=float, default=2, help='seconds of a long case, of which the beginning is enough')
    parser.add_argument('--json', help='where results go')
    parser.add_argument('--resume', action='store_true', help='keep what the file of --json tells')
    parser.add_argument('--known', help='only mutants that were killed in this file of results: they still must be')
    parser.add_argument('--left', action='store_true', help='only what survived in the file of --json and is not explained')
    parser.add_argument('--report', action='store_true', help='only tell what the file of --json tells')
    parser.add_argument('--again', action='store_true', help='but try what survived again, for there are new tests')
    parser.add_argument('--sanitize', action='store_true', help='with address and undefined-behaviour sanitizers')
    parser.add_argument('--ledger', action='store_true')
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 2)
    parser.add_argument('--folder', default=os.path.join(ROOT, 'build-mutants'))
    options = parser.parse_args()
    try:
        return 0 if (run_ledger if options.ledger else run_sample)(options) else 1
    except Failure as failure:
        print(f'mutants: {failure}', file=sys.stderr)
        return 2


if __name__ == '__main__':
    sys.exit(main())
