/* SPDX-License-Identifier: MIT */
/*
 * The engine of graze clash; see engine.h. Rules come first, so that unwanted pairs cost nothing; then the broad phase;
 * then separating planes, which spare most parts without clash a tree; then the narrow phase, one pair per task.
 * Findings are stored at the index of their pair, so that the report does not depend on the number of threads.
 */
#include "clash/engine.h"

#include <stdlib.h>
#include <string.h>

#include "clash/duplicates.h"
#include "clash/narrow_phase.h"
#include "clash/verdict_cache.h"
#include "clash/work.h"
#include "graze/distance.h"
#include "graze/region.h"

exit_code clash_no_memory(const clash_request *request)
{
    return report_error(request->console, EXIT_INTERNAL, "out of memory");
}

bool clash_is_interrupted(const clash_request *request)
{
    return request->interrupted != NULL && *request->interrupted != 0;
}

void clash_report_progress(clash_work *work)
{
    uint64_t finished = atomic_fetch_add(&work->finished, 1) + 1;
    if (work->request->progress == NULL || atomic_flag_test_and_set(&work->reporting))
        return;
    work->request->progress(work->request->progress_user, finished, work->all);
    atomic_flag_clear(&work->reporting);
}

clash_finding *clash_add_finding(clash_report *report)
{
    size_t count = report->finding_count;
    if ((count & (count - 1)) == 0) /* capacity is reached at every power of two */
    {
        clash_finding *more = realloc(report->findings, (count == 0 ? 1 : 2 * count) * sizeof *more);
        if (more == NULL)
            return NULL;
        report->findings = more;
    }
    report->findings[count] = (clash_finding){0};
    return &report->findings[report->finding_count++];
}

/* --- separating planes and trees --- */

static void separate_candidate(void *argument, size_t index)
{
    clash_work *work = argument;
    clash_candidate *c = &work->candidates[index];
    if (clash_is_interrupted(work->request))
        return;
    double clearance = clash_rules_limits(work->request->rules, c->a, c->b).clearance;
    /* shortcut: planes-between-parts */
    const graze_placed_mesh *a = &work->request->parts[c->a].placed, *b = &work->request->parts[c->b].placed;
    if (graze_pair_find_separating_plane(a, b, clearance, &c->separated, NULL) != GRAZE_STATUS_OK)
        c->separated = false;
}

exit_code clash_work_build_trees(clash_work *work)
{
    const clash_request *request = work->request;
    bool *marked = calloc(request->part_count + 1, sizeof *marked);
    if (marked == NULL)
        return clash_no_memory(request);
    run_tasks(request->context, work->count, separate_candidate, work);
    for (size_t i = 0; i < work->count; i++)
    {
        const clash_candidate *c = &work->candidates[i];
        marked[c->a] = marked[c->a] || !c->separated;
        marked[c->b] = marked[c->b] || !c->separated;
    }
    for (size_t i = 0; i < request->part_count; i++)
        marked[i] = marked[i] || clash_wants_self_test(request, i);
    exit_code code = 0;
    if (request->owner != NULL && !clash_is_interrupted(request))
        code = clash_parts_build_trees(request->console, request->context, request->owner, marked);
    free(marked);
    return code;
}

/* --- narrow phase --- */

/* Stores a finding with its candidate. */
static void keep(clash_candidate *c, const clash_finding *finding)
{
    c->finding = malloc(sizeof *c->finding);
    if (c->finding == NULL)
    {
        graze_region_destroy(finding->region);
        c->status = GRAZE_STATUS_OUT_OF_MEMORY;
        return;
    }
    *c->finding = *finding;
    c->finding->a = c->a;
    c->finding->b = c->b;
}

void clash_test_candidate(void *argument, size_t index)
{
    clash_work *work = argument;
    clash_candidate *c = &work->candidates[index];
    const clash_part *a = &work->request->parts[c->a], *b = &work->request->parts[c->b];
    if (clash_is_interrupted(work->request))
        return;
    if (!c->separated)
    {
        clash_limits limits = clash_rules_limits(work->request->rules, c->a, c->b);
        clash_finding finding;
        clash_narrow_phase how = {work->request->context, work->verdict_cache, work->request->regions};
        c->status = clash_test_pair(&how, a, b, &limits, &finding);
        c->same = c->status == GRAZE_STATUS_OK && finding.verdict == CLASH_DUPLICATE;
        c->undecided = c->status == GRAZE_STATUS_OK && finding.undecided;
        finding.severity = limits.severity[finding.verdict];
        if (c->status == GRAZE_STATUS_OK && finding.verdict != CLASH_CLEAR && !c->same)
            keep(c, &finding);
        else
            graze_region_destroy(finding.region);
    }
    c->done = true;
    clash_report_progress(work);
}

static bool add_undecided(clash_report *report, const clash_candidate *c)
{
    size_t count = report->undecided_count;
    if ((count & (count - 1)) == 0) /* capacity is reached at every power of two */
    {
        clash_undecided *more = realloc(report->undecided, (count == 0 ? 1 : 2 * count) * sizeof *more);
        if (more == NULL)
            return false;
        report->undecided = more;
    }
    clash_undecided *pair = &report->undecided[report->undecided_count++];
    *pair = (clash_undecided){.a = c->a, .b = c->b};
    clash_make_id(report->parts[c->a].name, report->parts[c->b].name, pair->id);
    return true;
}

static exit_code take_findings(clash_work *work)
{
    clash_report *report = work->report;
    const clash_part *parts = work->request->parts;
    for (size_t i = 0; i < work->count; i++)
    {
        clash_candidate *c = &work->candidates[i];
        if (c->done && c->status != GRAZE_STATUS_OK)
            return report_error(work->request->console, exit_code_of(c->status),
                                "'%s' and '%s' could not be checked: %s", parts[c->a].name, parts[c->b].name,
                                graze_status_text(c->status));
        report->counts.pairs_tested += c->done && !c->undecided;
        report->counts.pairs_undecided += !c->done || c->undecided;
        if (c->undecided && !add_undecided(report, c))
            return clash_no_memory(work->request);
        if (c->finding == NULL)
            continue;
        clash_finding *f = clash_add_finding(report);
        if (f == NULL)
            return clash_no_memory(work->request);
        *f = *c->finding;
        free(c->finding);
        c->finding = NULL;
        clash_make_id(parts[f->a].name, parts[f->b].name, f->id);
    }
    return 0;
}

/* --- the whole run --- */

exit_code clash_work_finish(clash_work *work)
{
    clash_report *report = work->report;
    size_t part_count = work->request->part_count;
    bool *busy = calloc(part_count + 1, sizeof *busy);
    bool sorted = clash_sort_findings(report) && clash_sort_undecided(report) && busy != NULL;
    report->counts.findings = report->finding_count;
    report->counts.parts = report->counts.parts_free = part_count;
    report->complete = report->complete && report->counts.pairs_undecided == 0;
    for (size_t i = 0; i < report->finding_count && busy != NULL; i++)
    {
        const clash_finding *f = &report->findings[i];
        busy[f->a] = busy[f->b] = true;
        for (size_t k = 0; k < f->set_count; k++)
            busy[f->set[k]] = true;
    }
    for (size_t i = 0; i < part_count; i++)
    {
        report->counts.triangles += work->request->parts[i].triangle_count;
        report->counts.parts_free -= busy != NULL && busy[i];
    }
    free(busy);
    return sorted ? 0 : clash_no_memory(work->request);
}

exit_code clash_work_start(const clash_request *request, clash_report *report, clash_work *work)
{
    *work = (clash_work){.request = request, .report = report};
    atomic_init(&work->finished, 0);
    atomic_flag_clear(&work->reporting);
    report->parts = request->parts;
    report->part_count = request->part_count;
    report->complete = true;
    work->verdict_cache = clash_verdict_cache_create(); /* NULL is valid and only slower */
    work->set_of = calloc(request->part_count + 1, sizeof *work->set_of);
    if (work->set_of == NULL || !clash_find_duplicates(request->parts, request->part_count, work->set_of) ||
        !clash_run_broad_phase(work))
        return clash_no_memory(request);
    work->all = work->count + clash_count_self_tests(request);
    return 0;
}

void clash_work_release(clash_work *work)
{
    for (size_t i = 0; i < work->count; i++)
    {
        if (work->candidates[i].finding != NULL)
            graze_region_destroy(work->candidates[i].finding->region);
        free(work->candidates[i].finding);
    }
    free(work->candidates);
    free(work->set_of);
    free(work->same);
    clash_verdict_cache_release(work->verdict_cache);
}

exit_code clash_find(const clash_request *request, clash_report *report)
{
    clash_work work;
    exit_code code = clash_work_start(request, report, &work);
    if (code == 0)
        code = clash_work_build_trees(&work);
    if (code == 0)
    {
        run_tasks(request->context, work.count, clash_test_candidate, &work);
        code = take_findings(&work);
    }
    if (code == 0)
        code = clash_add_duplicates(&work);
    if (code == 0)
        code = clash_add_self_intersections(&work);
    if (code == 0)
        code = clash_work_finish(&work);
    clash_work_release(&work);
    return code;
}

void clash_report_release(clash_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++)
    {
        graze_region_destroy(report->findings[i].region);
        free(report->findings[i].set);
    }
    free(report->findings);
    free(report->ignored);
    free(report->undecided);
    free(report->problems);
    free(report->resolved);
    *report = (clash_report){0};
}
