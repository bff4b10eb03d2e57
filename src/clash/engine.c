/* SPDX-License-Identifier: MIT */
/*
 * The engine of graze clash; see engine.h. Rules come first, so that unwanted pairs cost nothing; then the broad phase;
 * then separating planes, which spare most parts without clash a tree; then the narrow phase, one pair per task.
 * Findings are taken in the order of their pairs, so that the report does not depend on the number of threads.
 */
#include "clash/engine.h"

#include <string.h>

#include "base/error.h"
#include "clash/duplicates.h"
#include "clash/narrow_phase.h"
#include "clash/open_pairs.h"
#include "clash/parallel.h"
#include "clash/shape_pairs.h"
#include "clash/shape_parts.h"
#include "clash/tessellation.h"
#include "clash/through_time.h"
#include "clash/verdict_cache.h"
#include "clash/work.h"
#include "graze/distance.h"
#include "graze/region.h"

graze_status grz_clash_no_memory(const grz_clash_request *request)
{
    return grz_error(request->error, GRAZE_STATUS_OUT_OF_MEMORY, "out of memory");
}

bool grz_clash_is_interrupted(const grz_clash_request *request)
{
    return !grz_shared_monitor_may_continue(request->monitor);
}

/* In the thread that made the call the budget is checked after every test; a test counts as one box test. */
static void check_budget(const grz_clash_work *work, uint64_t finished_cost)
{
    grz_shared_monitor *shared = work->request->monitor;
    if (shared == NULL)
        return;
    if (grz_thread_self() != shared->thread)
    {
        atomic_fetch_add_explicit(&shared->others, 1, memory_order_relaxed);
        return;
    }
    shared->monitor->box_tests += 1 + atomic_exchange_explicit(&shared->others, 0, memory_order_relaxed);
    if (work->all_cost > 0)
        grz_monitor_progress(shared->monitor, (double)finished_cost / (double)work->all_cost);
    if (!grz_monitor_check(shared->monitor))
        atomic_store_explicit(&shared->stopped, true, memory_order_relaxed);
}

enum
{
    COST_OF_TEST = 40000, /* in triangles */
    BATCH = 1 << 12       /* candidates */
};

uint64_t grz_clash_cost_of(const grz_clash_work *work, const grz_clash_candidate *candidate)
{
    const grz_clash_part *parts = work->request->parts;
    return candidate->separated
               ? 1
               : COST_OF_TEST + parts[candidate->a].triangle_count + parts[candidate->b].triangle_count;
}

uint64_t grz_clash_cost_of_self(const grz_clash_work *work, size_t part)
{
    return COST_OF_TEST + 2 * (uint64_t)work->request->parts[part].triangle_count;
}

void grz_clash_report_progress(grz_clash_work *work, uint64_t cost)
{
    uint64_t finished = atomic_fetch_add(&work->finished, 1) + 1;
    uint64_t finished_cost = atomic_fetch_add(&work->finished_cost, cost) + cost;
    if (work->request->progress != NULL && !atomic_flag_test_and_set(&work->reporting))
    {
        work->request->progress(work->request->progress_user, finished, work->all);
        atomic_flag_clear(&work->reporting);
    }
    check_budget(work, finished_cost);
}

graze_clash_finding *grz_clash_add_finding(const graze_context *context, graze_clash_report *report)
{
    size_t count = report->finding_count;
    if ((count & (count - 1)) == 0) /* capacity is reached at every power of two */
    {
        graze_clash_finding *more = grz_reallocate(context, report->findings, count == 0 ? 1 : 2 * count, sizeof *more);
        if (more == NULL)
            return NULL;
        report->findings = more;
    }
    report->findings[count] = (graze_clash_finding){0};
    return &report->findings[report->finding_count++];
}

/* --- separating planes and trees --- */

static void separate_candidate(void *argument, size_t index)
{
    grz_clash_work *work = argument;
    grz_clash_candidate *c = &work->candidates[index];
    if (grz_clash_is_interrupted(work->request))
        return;
    const grz_clash_part *a = &work->request->parts[c->a], *b = &work->request->parts[c->b];
    if (a->is_shape || b->is_shape || a->motions != NULL || b->motions != NULL)
        return;
    double reach = grz_clash_reach_of(a, b, grz_clash_rules_limits(work->request->rules, c->a, c->b).clearance);
    /* shortcut: planes-between-parts */
    if (graze_pair_find_separating_plane(&a->placed, &b->placed, reach, &c->separated, NULL) != GRAZE_STATUS_OK)
        c->separated = false;
}

graze_status grz_clash_work_build_trees(grz_clash_work *work)
{
    const grz_clash_request *request = work->request;
    bool *marked = grz_allocate_zeroed(request->context, request->part_count + 1, sizeof *marked);
    if (marked == NULL)
        return grz_clash_no_memory(request);
    grz_clash_parallel_for(request->context, work->count, separate_candidate, work);
    for (size_t i = 0; i < work->count; i++)
    {
        const grz_clash_candidate *c = &work->candidates[i];
        work->all_cost += grz_clash_cost_of(work, c);
        marked[c->a] = marked[c->a] || !c->separated;
        marked[c->b] = marked[c->b] || !c->separated;
    }
    for (size_t i = 0; i < request->part_count; i++)
    {
        if (!grz_clash_wants_self_test(request, i))
            continue;
        work->all_cost += grz_clash_cost_of_self(work, i);
        marked[i] = true;
    }
    graze_status status = GRAZE_STATUS_OK;
    if (request->owner != NULL && !grz_clash_is_interrupted(request))
        status = grz_clash_parts_build_trees(request->context, request->owner, marked, request->error);
    if (status == GRAZE_STATUS_OK && request->owner != NULL && !grz_clash_is_interrupted(request))
        status = grz_clash_parts_make_shapes(request->context, request->owner, marked, request->error);
    grz_release(request->context, marked);
    return status;
}

/* --- narrow phase --- */

/* Stores a finding with its candidate. */
static void keep(const graze_context *context, grz_clash_candidate *c, graze_clash_finding *finding)
{
    c->finding = grz_allocate(context, 1, sizeof *c->finding);
    if (c->finding == NULL)
    {
        grz_clash_release_finding(context, finding);
        c->status = GRAZE_STATUS_OUT_OF_MEMORY;
        return;
    }
    *c->finding = *finding;
    c->finding->a = c->a;
    c->finding->b = c->b;
}

graze_status grz_clash_judge(const grz_clash_request *request, const grz_clash_part *a, const grz_clash_part *b,
                             const grz_clash_limits *limits, graze_clash_finding *finding)
{
    graze_status status = grz_clash_settle_open(request->context, a, b, limits, request->assume_closed, finding);
    if (status == GRAZE_STATUS_OK && request->tessellation)
        status = grz_clash_judge_facets(request->context, a, b, finding);
    bool is_ruled = strcmp(limits->depth_rule, "default") != 0 || limits->is_severity_ruled[GRAZE_CLASH_CROSSES];
    finding->tolerated = finding->within_tessellation && !is_ruled;
    finding->severity = finding->tolerated ? GRAZE_CLASH_INFO : limits->severity[finding->verdict];
    return status;
}

/* The finding of a pair, judged, to be released by the caller. */
static graze_status find(const grz_clash_work *work, const grz_clash_part *a, const grz_clash_part *b,
                         graze_clash_finding *finding)
{
    const grz_clash_request *request = work->request;
    grz_clash_limits limits =
        grz_clash_rules_limits(request->rules, (size_t)(a - request->parts), (size_t)(b - request->parts));
    if (request->frame_count > 0)
        return grz_clash_test_through_time(request, a, b, &limits, finding);
    grz_clash_narrow_phase how = {request->context, work->verdict_cache, request->regions};
    graze_status status = a->is_shape || b->is_shape ? grz_clash_test_shapes(&how, a, b, &limits, finding)
                                                     : grz_clash_test_pair(&how, a, b, &limits, finding);
    return status == GRAZE_STATUS_OK ? grz_clash_judge(request, a, b, &limits, finding) : status;
}

void grz_clash_test_candidate(void *argument, size_t index)
{
    grz_clash_work *work = argument;
    grz_clash_candidate *c = &work->candidates[index];
    const grz_clash_part *a = &work->request->parts[c->a], *b = &work->request->parts[c->b];
    if (grz_clash_is_interrupted(work->request))
        return;
    if (!c->separated)
    {
        graze_clash_finding finding;
        c->status = find(work, a, b, &finding);
        c->same = c->status == GRAZE_STATUS_OK && finding.verdict == GRAZE_CLASH_DUPLICATE;
        c->changed = c->status == GRAZE_STATUS_OK && finding.within_resolution;
        c->undecided = c->status == GRAZE_STATUS_OK && finding.undecided;
        if (c->status == GRAZE_STATUS_OK && finding.verdict != GRAZE_CLASH_CLEAR && !c->same)
            keep(work->request->context, c, &finding);
        else
            grz_clash_release_finding(work->request->context, &finding);
        if (c->status == GRAZE_STATUS_CANCELLED && grz_clash_is_interrupted(work->request))
            return;
    }
    c->done = true;
    grz_clash_report_progress(work, grz_clash_cost_of(work, c));
}

static bool add_undecided(const graze_context *context, graze_clash_report *report, const grz_clash_candidate *c)
{
    size_t count = report->undecided_count;
    if ((count & (count - 1)) == 0) /* capacity is reached at every power of two */
    {
        graze_clash_undecided *more =
            grz_reallocate(context, report->undecided, count == 0 ? 1 : 2 * count, sizeof *more);
        if (more == NULL)
            return false;
        report->undecided = more;
    }
    graze_clash_undecided *pair = &report->undecided[report->undecided_count++];
    const char *why = c->finding != NULL ? c->finding->why : NULL;
    *pair = (graze_clash_undecided){.a = c->a, .b = c->b, .why = why != NULL ? why : graze_clash_undecided_reason()};
    grz_clash_make_id(report->parts[c->a].name, report->parts[c->b].name, pair->id);
    return true;
}

/* Moves the findings of some candidates into the report. */
static graze_status take_findings(grz_clash_work *work, size_t first, size_t count)
{
    graze_clash_report *report = work->report;
    const grz_clash_part *parts = work->request->parts;
    for (size_t i = first; i < first + count; i++)
    {
        grz_clash_candidate *c = &work->candidates[i];
        if (c->done && c->status != GRAZE_STATUS_OK)
            return grz_error(work->request->error, c->status, "'%s' and '%s' could not be checked: %s",
                             parts[c->a].name, parts[c->b].name, graze_status_text(c->status));
        report->counts.pairs_tested += c->done && !c->undecided;
        report->counts.resolution_changed += c->changed;
        report->counts.pairs_undecided += !c->done || c->undecided;
        if (c->undecided && !add_undecided(work->request->context, report, c))
            return grz_clash_no_memory(work->request);
        if (c->finding == NULL)
            continue;
        graze_clash_finding *f = grz_clash_add_finding(work->request->context, report);
        if (f == NULL)
            return grz_clash_no_memory(work->request);
        *f = *c->finding;
        grz_release(work->request->context, c->finding);
        c->finding = NULL;
        grz_clash_make_id(parts[f->a].name, parts[f->b].name, f->id);
    }
    return GRAZE_STATUS_OK;
}

typedef struct batch
{
    grz_clash_work *work;
    size_t first;
} batch;

static void test_in_batch(void *argument, size_t index)
{
    const batch *b = argument;
    grz_clash_test_candidate(b->work, b->first + index);
}

/* Tests all candidates, in batches: findings lie twice in memory only for the candidates of one batch. */
static graze_status test_candidates(grz_clash_work *work)
{
    graze_status status = GRAZE_STATUS_OK;
    for (size_t first = 0; first < work->count && status == GRAZE_STATUS_OK; first += BATCH)
    {
        size_t count = work->count - first < BATCH ? work->count - first : BATCH;
        batch b = {work, first};
        grz_clash_parallel_for(work->request->context, count, test_in_batch, &b);
        status = take_findings(work, first, count);
    }
    return status;
}

/* --- the whole run --- */

graze_status grz_clash_work_finish(grz_clash_work *work)
{
    graze_clash_report *report = work->report;
    size_t part_count = work->request->part_count;
    const graze_context *context = work->request->context;
    bool *busy = grz_allocate_zeroed(context, part_count + 1, sizeof *busy);
    graze_status status = grz_clash_count_triangles(context, work->request->parts, report);
    bool sorted = grz_clash_sort_findings(context, report) && grz_clash_sort_undecided(context, report) && busy != NULL;
    report->counts.findings = report->finding_count;
    report->counts.parts = report->counts.parts_free = part_count;
    report->complete = report->complete && report->counts.pairs_undecided == 0;
    for (size_t i = 0; i < report->finding_count && busy != NULL; i++)
    {
        const graze_clash_finding *f = &report->findings[i];
        busy[f->a] = busy[f->b] = true;
        for (size_t k = 0; k < f->set_count; k++)
            busy[f->set[k]] = true;
    }
    for (size_t i = 0; i < part_count; i++)
    {
        report->counts.triangles += work->request->parts[i].own_triangles;
        report->counts.parts_free -= busy != NULL && busy[i];
    }
    grz_release(context, busy);
    if (status != GRAZE_STATUS_OK)
        return grz_error(work->request->error, status, "triangles could not be counted: %s", graze_status_text(status));
    return sorted ? GRAZE_STATUS_OK : grz_clash_no_memory(work->request);
}

graze_status grz_clash_work_start(const grz_clash_request *request, graze_clash_report *report, grz_clash_work *work)
{
    *work = (grz_clash_work){.request = request, .report = report};
    atomic_init(&work->finished, 0);
    atomic_init(&work->finished_cost, 0);
    atomic_flag_clear(&work->reporting);
    report->complete = true;
    work->set_of = grz_allocate_zeroed(request->context, request->part_count + 1, sizeof *work->set_of);
    if (work->set_of == NULL ||
        !grz_clash_find_duplicates(request->context, request->parts, request->part_count, work->set_of) ||
        !grz_clash_run_broad_phase(work))
        return grz_clash_no_memory(request);
    work->verdict_cache =
        grz_clash_verdict_cache_create(request->context, work->count); /* NULL is valid and only slower */
    work->all = work->count + grz_clash_count_self_tests(request);
    return GRAZE_STATUS_OK;
}

void grz_clash_work_release(grz_clash_work *work)
{
    const graze_context *context = work->request->context;
    for (size_t i = 0; i < work->count; i++)
    {
        if (work->candidates[i].finding != NULL)
            grz_clash_release_finding(context, work->candidates[i].finding);
        grz_release(context, work->candidates[i].finding);
    }
    grz_release(context, work->candidates);
    grz_release(context, work->set_of);
    grz_release(context, work->same);
    grz_clash_verdict_cache_release(context, work->verdict_cache);
}

graze_status grz_clash_find(const grz_clash_request *request, graze_clash_report *report)
{
    grz_clash_work work;
    graze_status status = grz_clash_work_start(request, report, &work);
    if (status == GRAZE_STATUS_OK)
        status = grz_clash_work_build_trees(&work);
    if (status == GRAZE_STATUS_OK)
        status = test_candidates(&work);
    if (status == GRAZE_STATUS_OK)
        status = grz_clash_add_duplicates(&work);
    if (status == GRAZE_STATUS_OK)
        status = grz_clash_add_self_intersections(&work);
    if (request->frame_count > 0)
        grz_clash_set_first_frame(report);
    if (status == GRAZE_STATUS_OK)
        status = grz_clash_work_finish(&work);
    grz_clash_work_release(&work);
    return status;
}
