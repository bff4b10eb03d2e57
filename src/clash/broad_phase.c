/* SPDX-License-Identifier: MIT */
/*
 * The broad phase: candidate pairs are those that --a and --b allow, that no rule ignores, and whose AABBs are within
 * the clearance. Equal parts (duplicates.h) are one proxy in the broad phase, so that n of them are not n (n - 1) / 2
 * pairs. Pairs within such a set need no test: kinds of parts (part_kinds.h) tell which of them are wanted.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clash/narrow_phase.h"
#include "clash/part_kinds.h"
#include "clash/swept_box.h"
#include "clash/work.h"
#include "graze/broad_phase.h"

/* Parts by set: set s, whose smallest part is s, has the members members[starts[s]] to members[starts[s + 1] - 1]. */
typedef struct part_sets
{
    size_t *starts, *members;
} part_sets;

static bool list_sets(const grz_clash_work *work, part_sets *out_sets)
{
    size_t count = work->request->part_count, total = 0;
    const graze_context *context = work->request->context;
    part_sets sets = {grz_allocate_zeroed(context, count + 2, sizeof *sets.starts),
                      grz_allocate_zeroed(context, count + 1, sizeof *sets.members)};
    *out_sets = sets;
    if (sets.starts == NULL || sets.members == NULL)
        return false;
    size_t *ends = sets.starts + 1; /* counts at first, then the current end of each set */
    for (size_t i = 0; i < count; i++)
        ends[work->set_of[i]]++;
    for (size_t i = 0; i < count; i++)
    {
        size_t own = ends[i];
        ends[i] = total;
        total += own;
    }
    for (size_t i = 0; i < count; i++)
        sets.members[ends[work->set_of[i]]++] = i;
    return true;
}

static bool add_candidate(grz_clash_work *work, size_t a, size_t b)
{
    const grz_clash_part *parts = work->request->parts;
    if (work->count == work->capacity)
    {
        size_t capacity = work->capacity == 0 ? 1024 : 2 * work->capacity;
        grz_clash_candidate *more = grz_reallocate(work->request->context, work->candidates, capacity, sizeof *more);
        if (more == NULL)
            return false;
        work->candidates = more;
        work->capacity = capacity;
    }
    bool swapped = strcmp(parts[a].name, parts[b].name) > 0;
    work->candidates[work->count++] =
        (grz_clash_candidate){.a = (uint32_t)(swapped ? b : a), .b = (uint32_t)(swapped ? a : b)};
    return true;
}

static bool list_ignoring(grz_clash_work *work)
{
    const grz_clash_request *request = work->request;
    size_t rule_count = grz_clash_rules_ignore_count(request->rules),
           count = grz_clash_interest_count(request->interest);
    graze_clash_ignored *ignored = grz_allocate_zeroed(request->context, rule_count + count + 1, sizeof *ignored);
    if (ignored == NULL)
        return false;
    for (size_t i = 0; i < rule_count; i++)
        ignored[i] = grz_clash_rules_ignore_entry(request->rules, i);
    for (size_t i = 0; i < count; i++)
        ignored[rule_count + i] = grz_clash_interest_entry(request->interest, i);
    work->report->ignored = ignored;
    work->report->ignored_count = rule_count + count;
    return true;
}

/* Removes entries of scenes that ignore no pair: a scene has many that might, unlike a rules file. */
static void drop_idle(graze_clash_report *report, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < report->ignored_count; i++)
        if (report->ignored[i].count > 0)
            report->ignored[kept++] = report->ignored[i];
    report->ignored_count = kept;
}

/* Counts the possible pairs, and those of them that are ignored. */
static bool count_pairs(grz_clash_work *work, const grz_clash_kinds *kinds)
{
    const grz_clash_request *request = work->request;
    graze_clash_counts *counts = &work->report->counts;
    size_t in_a = 0, in_b = 0, in_both = 0;
    if (!list_ignoring(work))
        return false;
    for (size_t i = 0; i < request->part_count; i++)
    {
        in_a += request->parts[i].in_a;
        in_b += request->parts[i].in_b;
        in_both += request->parts[i].in_a && request->parts[i].in_b;
    }
    /* |A| |B| ordered pairs, less those of a part with itself, and less those within both sets that come twice. */
    counts->pairs_possible = (uint64_t)in_a * in_b - in_both - (uint64_t)in_both * (in_both - (in_both > 0)) / 2;
    if (!grz_clash_kinds_count_ignored(kinds, request, work->report->ignored, &counts->pairs_ignored))
        return false;
    drop_idle(work->report, grz_clash_rules_ignore_count(request->rules));
    return true;
}

/* AABB, over all frames, enlarged by half the largest clearance, so that AABBs of parts within the clearance overlap,
 * and at least by the part's resolution, so that AABBs of parts within the sum of theirs do. */
static graze_box enlarged_aabb(const grz_clash_part *part, double clearance)
{
    graze_box box = grz_clash_reach_box(part);
    double half = fmax(0.5 * clearance, part->resolution) * (1 + 4 * DBL_EPSILON);
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = box.lower[axis] - half, upper = box.upper[axis] + half;
        box.lower[axis] = fmax(-DBL_MAX, lower - 4 * DBL_EPSILON * fabs(lower));
        box.upper[axis] = fmin(DBL_MAX, upper + 4 * DBL_EPSILON * fabs(upper));
    }
    return box;
}

/* AABB of all parts of a set; their own AABBs differ by rounding only. */
static graze_box aabb_of_set(const grz_clash_request *request, const part_sets *sets, size_t set, double clearance)
{
    graze_box all = enlarged_aabb(&request->parts[set], clearance);
    for (size_t i = sets->starts[set]; i < sets->starts[set + 1]; i++)
    {
        graze_box box = enlarged_aabb(&request->parts[sets->members[i]], clearance);
        for (int axis = 0; axis < 3; axis++)
        {
            all.lower[axis] = fmin(all.lower[axis], box.lower[axis]);
            all.upper[axis] = fmax(all.upper[axis], box.upper[axis]);
        }
    }
    return all;
}

/* Adds every pair of a part of one set and a part of another whose AABBs are within the clearance, unless it is
 * ignored. */
static bool add_pairs(grz_clash_work *work, const part_sets *sets, size_t set, size_t other)
{
    const grz_clash_request *request = work->request;
    size_t entry;
    bool done = true;
    for (size_t i = sets->starts[set]; i < sets->starts[set + 1]; i++)
        for (size_t k = sets->starts[other]; k < sets->starts[other + 1] && done; k++)
        {
            size_t a = sets->members[i], b = sets->members[k];
            if (!grz_clash_is_possible(&request->parts[a], &request->parts[b]) ||
                grz_clash_is_ignored(request, a, b, &entry))
                continue;
            double clearance = grz_clash_rules_limits(request->rules, a, b).clearance;
            double reach = grz_clash_reach_of(&request->parts[a], &request->parts[b], clearance);
            graze_box of_a = grz_clash_reach_box(&request->parts[a]), of_b = grz_clash_reach_box(&request->parts[b]);
            if (grz_clash_boxes_within(&of_a, &of_b, reach))
                done = add_candidate(work, a, b);
        }
    return done;
}

static bool add_all_pairs(grz_clash_work *work, const part_sets *sets, const graze_broad_phase *broad)
{
    size_t count = 0;
    graze_status status = graze_broad_phase_gather(broad, NULL, 0, &count);
    graze_box_pair *pairs = grz_allocate(work->request->context, count + 1, sizeof *pairs);
    if (status == GRAZE_STATUS_OK && pairs != NULL)
        status = graze_broad_phase_gather(broad, pairs, count, &count);
    bool done = status == GRAZE_STATUS_OK && pairs != NULL;
    for (size_t i = 0; i < count && done; i++)
        done = add_pairs(work, sets, pairs[i].a, pairs[i].b);
    grz_release(work->request->context, pairs);
    return done;
}

static bool find_candidates(grz_clash_work *work, const part_sets *sets)
{
    const grz_clash_request *request = work->request;
    double clearance = grz_clash_rules_largest_clearance(request->rules);
    graze_broad_phase *broad = NULL;
    bool done = graze_broad_phase_create(request->context, NULL, &broad) == GRAZE_STATUS_OK;
    for (size_t i = 0; i < request->part_count && done; i++)
    {
        if (work->set_of[i] != i || (request->parts[i].triangle_count == 0 && !request->parts[i].is_shape))
            continue;
        graze_box box = aabb_of_set(request, sets, i, clearance);
        done = graze_broad_phase_insert(broad, (uint32_t)i, &box) == GRAZE_STATUS_OK;
    }
    done = done && graze_broad_phase_update(broad, NULL) == GRAZE_STATUS_OK && add_all_pairs(work, sets, broad);
    graze_broad_phase_destroy(broad);
    return done;
}

/* --- pairs of equal parts; shortcut: clash-equal-sets --- */

/* Records two equal parts as a wanted pair, which stands for `pairs` pairs. */
static bool add_duplicate_pair(grz_clash_work *work, size_t a, size_t b, uint64_t pairs)
{
    size_t count = work->same_count;
    if ((count & (count - 1)) == 0) /* capacity is reached at every power of two */
    {
        grz_clash_duplicate_pair *more =
            grz_reallocate(work->request->context, work->same, count == 0 ? 1 : 2 * count, sizeof *more);
        if (more == NULL)
            return false;
        work->same = more;
    }
    graze_clash_severity severity = grz_clash_rules_limits(work->request->rules, a, b).severity[GRAZE_CLASH_DUPLICATE];
    work->same[work->same_count++] = (grz_clash_duplicate_pair){(uint32_t)a, (uint32_t)b, severity};
    work->report->counts.pairs_tested += pairs;
    return true;
}

static bool is_requested(const grz_clash_request *request, size_t a, size_t b)
{
    size_t entry;
    return grz_clash_is_possible(&request->parts[a], &request->parts[b]) &&
           !grz_clash_is_ignored(request, a, b, &entry);
}

/* Pairs of a part that entries name explicitly, with later ones and with parts not named. */
static bool add_named(grz_clash_work *work, const grz_clash_kinds *kinds, const size_t *members, size_t count,
                      size_t at)
{
    bool done = true;
    for (size_t i = 0; i < count && done; i++)
        if ((i > at || !kinds->is_named[members[i]]) && is_requested(work->request, members[at], members[i]))
            done = add_duplicate_pair(work, members[at], members[i], 1);
    return done;
}

/* A part of the set that no entry names, with its kind. */
typedef struct kind_run
{
    uint32_t kind, part;
} kind_run;

static int compare_runs(const void *left, const void *right)
{
    const kind_run *one = left, *other = right;
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    return one->part < other->part ? -1 : one->part > other->part;
}

static size_t end_of_run(const kind_run *runs, size_t count, size_t first)
{
    size_t end = first + 1;
    while (end < count && runs[end].kind == runs[first].kind)
        end++;
    return end;
}

/* All pairs within one kind, or between two, if these are wanted: then all these parts are connected. */
static bool add_kinds(grz_clash_work *work, const kind_run *a, size_t a_count, const kind_run *b, size_t b_count)
{
    bool same_kind = a == b, done = true;
    if ((same_kind && a_count < 2) || !is_requested(work->request, a[0].part, b[same_kind].part))
        return true;
    uint64_t pairs = same_kind ? (uint64_t)a_count * (a_count - 1) / 2 : (uint64_t)a_count * b_count;
    for (size_t i = same_kind; i < b_count && done; i++)
        done = add_duplicate_pair(work, a[0].part, b[i].part, i == (size_t)same_kind ? pairs : 0);
    for (size_t i = 1; i < a_count && done && !same_kind; i++)
        done = add_duplicate_pair(work, a[i].part, b[0].part, 0);
    return done;
}

static bool add_unnamed(grz_clash_work *work, kind_run *runs, size_t count)
{
    qsort(runs, count, sizeof *runs, compare_runs);
    bool done = true;
    for (size_t i = 0, end; i < count && done; i = end)
    {
        end = end_of_run(runs, count, i);
        for (size_t k = i, last; k < count && done; k = last)
        {
            last = end_of_run(runs, count, k);
            done = add_kinds(work, runs + i, end - i, runs + k, last - k);
        }
    }
    return done;
}

static bool add_set(grz_clash_work *work, const grz_clash_kinds *kinds, const size_t *members, size_t count)
{
    kind_run *runs = grz_allocate(work->request->context, count + 1, sizeof *runs);
    size_t unnamed = 0;
    bool done = runs != NULL;
    for (size_t i = 0; i < count && done; i++)
    {
        if (kinds->is_named[members[i]])
            done = add_named(work, kinds, members, count, i);
        else
            runs[unnamed++] = (kind_run){kinds->of[members[i]], (uint32_t)members[i]};
    }
    if (done && unnamed > 0)
        done = add_unnamed(work, runs, unnamed);
    grz_release(work->request->context, runs);
    return done;
}

static bool add_sets(grz_clash_work *work, const grz_clash_kinds *kinds, const part_sets *sets)
{
    bool done = true;
    for (size_t i = 0; i < work->request->part_count && done; i++)
        if (sets->starts[i + 1] - sets->starts[i] > 1)
            done = add_set(work, kinds, sets->members + sets->starts[i], sets->starts[i + 1] - sets->starts[i]);
    return done;
}

bool grz_clash_run_broad_phase(grz_clash_work *work)
{
    grz_clash_kinds kinds = {0};
    part_sets sets = {0};
    graze_clash_counts *counts = &work->report->counts;
    bool done = grz_clash_kinds_make(work->request, &kinds) && list_sets(work, &sets) && count_pairs(work, &kinds) &&
                find_candidates(work, &sets) && add_sets(work, &kinds, &sets);
    counts->pairs_culled = counts->pairs_possible - counts->pairs_ignored - work->count - counts->pairs_tested;
    grz_clash_kinds_release(work->request->context, &kinds);
    grz_release(work->request->context, sets.starts);
    grz_release(work->request->context, sets.members);
    return done;
}
