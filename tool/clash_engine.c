/* SPDX-License-Identifier: MIT */
/*
 * The engine of graze clash; see clash_engine.h. Rules come first, since what nobody asks for is not looked at; then
 * boxes; then planes between parts, which spare most parts that are free of clash a tree; then pairs of meshes, one a
 * task. Findings lie at the place of their pair, so that the report is the same for any number of threads.
 */
#include "clash_engine.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clash_apart.h"
#include "clash_pair.h"
#include "clash_same.h"
#include "clash_work.h"
#include "graze/broad.h"
#include "graze/region.h"

exit_code clash_no_memory(const clash_request *request)
{
    return complain(request->console, EXIT_INTERNAL, "out of memory");
}

bool clash_is_interrupted(const clash_request *request)
{
    return request->interrupted != NULL && *request->interrupted != 0;
}

void clash_tell(clash_work *work)
{
    uint64_t finished = atomic_fetch_add(&work->finished, 1) + 1;
    if (work->request->progress == NULL || atomic_flag_test_and_set(&work->telling))
        return;
    work->request->progress(work->request->progress_user, finished, work->all);
    atomic_flag_clear(&work->telling);
}

clash_finding *clash_add_finding(clash_report *report)
{
    size_t count = report->finding_count;
    if ((count & (count - 1)) == 0) /* full at every power of two */
    {
        clash_finding *more = realloc(report->findings, (count == 0 ? 1 : 2 * count) * sizeof *more);
        if (more == NULL)
            return NULL;
        report->findings = more;
    }
    report->findings[count] = (clash_finding){0};
    return &report->findings[report->finding_count++];
}

/* --- which pairs come into question --- */

static bool is_possible(const clash_part *a, const clash_part *b)
{
    return (a->in_a && b->in_b) || (a->in_b && b->in_a);
}

/* Whether nobody asks for a pair, and which entry of the report's list says so: rules first, then scenes. */
static bool is_ignored(const clash_request *request, size_t a, size_t b, size_t *out_entry)
{
    if (clash_rules_ignore(request->rules, a, b, out_entry))
        return true;
    if (!clash_interest_ignores(request->interest, a, b, out_entry))
        return false;
    *out_entry += clash_rules_ignore_count(request->rules);
    return true;
}

static bool add_candidate(clash_work *work, size_t a, size_t b)
{
    const clash_part *parts = work->request->parts;
    if (work->count == work->capacity)
    {
        size_t capacity = work->capacity == 0 ? 1024 : 2 * work->capacity;
        clash_candidate *more = realloc(work->candidates, capacity * sizeof *more);
        if (more == NULL)
            return false;
        work->candidates = more;
        work->capacity = capacity;
    }
    bool swapped = strcmp(parts[a].name, parts[b].name) > 0;
    work->candidates[work->count++] =
        (clash_candidate){.a = (uint32_t)(swapped ? b : a), .b = (uint32_t)(swapped ? a : b)};
    return true;
}

static bool list_ignoring(clash_work *work)
{
    const clash_request *request = work->request;
    size_t rule_count = clash_rules_ignore_count(request->rules), count = clash_interest_count(request->interest);
    clash_ignored *ignored = calloc(rule_count + count + 1, sizeof *ignored);
    if (ignored == NULL)
        return false;
    for (size_t i = 0; i < rule_count; i++)
        ignored[i] = clash_rules_ignore_entry(request->rules, i);
    for (size_t i = 0; i < count; i++)
        ignored[rule_count + i] = clash_interest_entry(request->interest, i);
    work->report->ignored = ignored;
    work->report->ignored_count = rule_count + count;
    return true;
}

/* Leaves out what scenes might ignore, but do not: unlike a rules file they say so by many ways. */
static void drop_idle(clash_report *report, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < report->ignored_count; i++)
        if (report->ignored[i].count > 0)
            report->ignored[kept++] = report->ignored[i];
    report->ignored_count = kept;
}

/* Pairs that are possible, and those of them that nobody asks for. Where nothing is ignored, numbers tell. */
static bool count_pairs(clash_work *work)
{
    const clash_request *request = work->request;
    clash_counts *counts = &work->report->counts;
    size_t in_a = 0, in_b = 0, in_both = 0;
    if (!list_ignoring(work))
        return false;
    for (size_t i = 0; i < request->part_count; i++)
    {
        in_a += request->parts[i].in_a;
        in_b += request->parts[i].in_b;
        in_both += request->parts[i].in_a && request->parts[i].in_b;
    }
    /* Ordered pairs of one of A and one of B; those within both sets come up twice, and with themselves. */
    counts->pairs_possible = (uint64_t)in_a * in_b - in_both - (uint64_t)in_both * (in_both - (in_both > 0)) / 2;
    for (size_t a = 0; a < request->part_count && work->report->ignored_count > 0; a++)
    {
        for (size_t b = a + 1; b < request->part_count; b++)
        {
            size_t entry;
            if (!is_possible(&request->parts[a], &request->parts[b]) || !is_ignored(request, a, b, &entry))
                continue;
            work->report->ignored[entry].count++;
            counts->pairs_ignored++;
        }
    }
    drop_idle(work->report, clash_rules_ignore_count(request->rules));
    return true;
}

/* A box that meets those of all parts within the largest clearance, when each is as much larger as half of it. */
static graze_box grown(const clash_part *part, double clearance)
{
    graze_box box;
    double half = 0.5 * clearance * (1 + 4 * DBL_EPSILON);
    for (int axis = 0; axis < 3; axis++)
    {
        double lower = part->lower[axis] - half, upper = part->upper[axis] + half;
        box.lower[axis] = fmax(-DBL_MAX, lower - 4 * DBL_EPSILON * fabs(lower));
        box.upper[axis] = fmin(DBL_MAX, upper + 4 * DBL_EPSILON * fabs(upper));
    }
    return box;
}

/* Every pair whose boxes are near enough for its clearance, unless it is ignored. */
static bool take_pairs(clash_work *work, const graze_broad *broad)
{
    size_t count = 0, entry;
    graze_status status = graze_broad_gather(broad, NULL, 0, &count);
    graze_box_pair *pairs = malloc((count + 1) * sizeof *pairs);
    if (status == GRAZE_STATUS_OK && pairs != NULL)
        status = graze_broad_gather(broad, pairs, count, &count);
    bool done = status == GRAZE_STATUS_OK && pairs != NULL;
    for (size_t i = 0; i < count && done; i++)
    {
        const clash_part *a = &work->request->parts[pairs[i].a], *b = &work->request->parts[pairs[i].b];
        if (!is_possible(a, b) || is_ignored(work->request, pairs[i].a, pairs[i].b, &entry))
            continue;
        if (clash_boxes_near(a, b, clash_rules_limits(work->request->rules, pairs[i].a, pairs[i].b).clearance))
            done = add_candidate(work, pairs[i].a, pairs[i].b);
    }
    free(pairs);
    return done;
}

static bool list_candidates(clash_work *work)
{
    const clash_request *request = work->request;
    double clearance = clash_rules_largest_clearance(request->rules);
    graze_broad *broad = NULL;
    bool done = count_pairs(work) && graze_broad_create(request->context, NULL, &broad) == GRAZE_STATUS_OK;
    for (size_t i = 0; i < request->part_count && done; i++)
    {
        graze_box box = grown(&request->parts[i], clearance);
        if (request->parts[i].triangle_count > 0)
            done = graze_broad_insert(broad, (uint32_t)i, &box) == GRAZE_STATUS_OK;
    }
    done = done && graze_broad_update(broad, NULL) == GRAZE_STATUS_OK && take_pairs(work, broad);
    graze_broad_destroy(broad);
    clash_counts *counts = &work->report->counts;
    counts->pairs_culled = counts->pairs_possible - counts->pairs_ignored - work->count;
    return done;
}

/* --- which of them need trees --- */

static void part_candidate(void *argument, size_t index)
{
    clash_work *work = argument;
    clash_candidate *c = &work->candidates[index];
    if (work->set_of[c->a] == work->set_of[c->b] || clash_is_interrupted(work->request))
        return;
    double clearance = clash_rules_limits(work->request->rules, c->a, c->b).clearance;
    c->apart = clash_is_apart(&work->request->parts[c->a], &work->request->parts[c->b], clearance);
}

exit_code clash_work_grow(clash_work *work)
{
    const clash_request *request = work->request;
    bool *marked = calloc(request->part_count + 1, sizeof *marked);
    if (marked == NULL)
        return clash_no_memory(request);
    run_tasks(request->context, work->count, part_candidate, work);
    for (size_t i = 0; i < work->count; i++)
    {
        const clash_candidate *c = &work->candidates[i];
        marked[c->a] = marked[c->a] || !c->apart;
        marked[c->b] = marked[c->b] || !c->apart;
    }
    for (size_t i = 0; i < request->part_count; i++)
        marked[i] = marked[i] || clash_self_is_asked(request, i);
    exit_code code = 0;
    if (request->owner != NULL && !clash_is_interrupted(request))
        code = clash_parts_grow(request->console, request->context, request->owner, marked);
    free(marked);
    return code;
}

/* --- what each of them is --- */

/* Keeps a finding at its candidate. */
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

void clash_examine_candidate(void *argument, size_t index)
{
    clash_work *work = argument;
    clash_candidate *c = &work->candidates[index];
    const clash_part *a = &work->request->parts[c->a], *b = &work->request->parts[c->b];
    if (clash_is_interrupted(work->request))
        return;
    c->same = work->set_of[c->a] == work->set_of[c->b];
    if (!c->same && !c->apart)
    {
        clash_limits limits = clash_rules_limits(work->request->rules, c->a, c->b);
        clash_finding finding;
        c->status = clash_examine_pair(work->request->context, a, b, &limits, work->request->regions, &finding);
        c->same = c->status == GRAZE_STATUS_OK && finding.verdict == CLASH_DUPLICATE;
        c->undecided = c->status == GRAZE_STATUS_OK && finding.undecided;
        finding.severity = limits.severity[finding.verdict];
        if (c->status == GRAZE_STATUS_OK && finding.verdict != CLASH_CLEAR && !c->same)
            keep(c, &finding);
        else
            graze_region_destroy(finding.region);
    }
    c->done = true;
    clash_tell(work);
}

static bool add_undecided(clash_report *report, const clash_candidate *c)
{
    size_t count = report->undecided_count;
    if ((count & (count - 1)) == 0) /* full at every power of two */
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
            return complain(work->request->console, exit_code_of(c->status), "'%s' and '%s' could not be checked: %s",
                            parts[c->a].name, parts[c->b].name, graze_status_text(c->status));
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
        c->finding->region = NULL;
        clash_make_id(parts[f->a].name, parts[f->b].name, f->id);
    }
    return 0;
}

/* --- the whole --- */

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
    atomic_flag_clear(&work->telling);
    report->parts = request->parts;
    report->part_count = request->part_count;
    report->complete = true;
    if (!list_candidates(work))
        return clash_no_memory(request);
    work->all = work->count + clash_count_selves(request);
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
}

exit_code clash_work_find_same(clash_work *work)
{
    const clash_request *request = work->request;
    work->set_of = calloc(request->part_count + 1, sizeof *work->set_of);
    bool done = work->set_of != NULL && clash_find_same(request->parts, request->part_count, work->set_of);
    return done ? 0 : clash_no_memory(request);
}

exit_code clash_find(const clash_request *request, clash_report *report)
{
    clash_work work;
    exit_code code = clash_work_start(request, report, &work);
    if (code == 0)
        code = clash_work_find_same(&work);
    if (code == 0)
        code = clash_work_grow(&work);
    if (code == 0)
    {
        run_tasks(request->context, work.count, clash_examine_candidate, &work);
        code = take_findings(&work);
    }
    if (code == 0)
        code = clash_take_sets(&work);
    if (code == 0)
        code = clash_take_selves(&work);
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
