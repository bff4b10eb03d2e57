/* SPDX-License-Identifier: MIT */
/*
 * The engine of graze clash; see clash_engine.h. Rules come first, since what nobody asks for is not looked at; then
 * boxes; then pairs of meshes, one a task. Findings lie at the place of their pair, so that the report is the same for
 * any number of threads.
 */
#include "clash_engine.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "clash_pair.h"
#include "clash_same.h"
#include "graze/broad.h"
#include "graze/region.h"
#include "graze/self.h"

/* A pair that comes into question, and what came out. */
typedef struct candidate
{
    uint32_t a, b;
    bool done;
    graze_status status;
    clash_finding finding;
} candidate;

typedef struct run
{
    const clash_request *request;
    clash_report *report;
    size_t *set_of; /* parts that are the same: see clash_same.h */
    candidate *candidates;
    size_t count, capacity;
    atomic_uint_fast64_t finished;
    atomic_flag telling; /* one thread at a time tells of progress */
} run;

static exit_code no_memory(const clash_request *request)
{
    return complain(request->console, EXIT_INTERNAL, "out of memory");
}

static bool is_possible(const clash_part *a, const clash_part *b)
{
    return (a->in_a && b->in_b) || (a->in_b && b->in_a);
}

static bool add_candidate(run *r, size_t a, size_t b)
{
    if (r->count == r->capacity)
    {
        size_t capacity = r->capacity == 0 ? 1024 : 2 * r->capacity;
        candidate *more = realloc(r->candidates, capacity * sizeof *more);
        if (more == NULL)
            return false;
        r->candidates = more;
        r->capacity = capacity;
    }
    r->candidates[r->count++] = (candidate){.a = (uint32_t)a, .b = (uint32_t)b};
    return true;
}

/* Pairs that are possible, and those of them that rules ignore. Without such rules, numbers tell. */
static bool count_pairs(run *r)
{
    const clash_request *request = r->request;
    clash_counts *counts = &r->report->counts;
    size_t rule_count = clash_rules_ignore_count(request->rules), in_a = 0, in_b = 0, in_both = 0;
    r->report->ignored = calloc(rule_count + 1, sizeof *r->report->ignored);
    if (r->report->ignored == NULL)
        return false;
    r->report->ignored_count = rule_count;
    for (size_t i = 0; i < rule_count; i++)
        r->report->ignored[i] = clash_rules_ignore_entry(request->rules, i);
    for (size_t i = 0; i < request->part_count; i++)
    {
        in_a += request->parts[i].in_a;
        in_b += request->parts[i].in_b;
        in_both += request->parts[i].in_a && request->parts[i].in_b;
    }
    /* Ordered pairs of one of A and one of B; those within both sets come up twice, and with themselves. */
    counts->pairs_possible = (uint64_t)in_a * in_b - in_both - (uint64_t)in_both * (in_both - (in_both > 0)) / 2;
    for (size_t a = 0; a < request->part_count && rule_count > 0; a++)
    {
        for (size_t b = a + 1; b < request->part_count; b++)
        {
            size_t rule;
            if (!is_possible(&request->parts[a], &request->parts[b]) ||
                !clash_rules_ignore(request->rules, a, b, &rule))
                continue;
            r->report->ignored[rule].count++;
            counts->pairs_ignored++;
        }
    }
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

/* Every pair whose boxes are near enough for its clearance, unless a rule ignores it. */
static bool take_pairs(run *r, const graze_broad *broad)
{
    size_t count, rule;
    graze_status status = graze_broad_gather(broad, NULL, 0, &count);
    graze_box_pair *pairs = malloc((count + 1) * sizeof *pairs);
    if (status == GRAZE_STATUS_OK && pairs != NULL)
        status = graze_broad_gather(broad, pairs, count, &count);
    bool done = status == GRAZE_STATUS_OK && pairs != NULL;
    for (size_t i = 0; i < count && done; i++)
    {
        const clash_part *a = &r->request->parts[pairs[i].a], *b = &r->request->parts[pairs[i].b];
        if (!is_possible(a, b) || clash_rules_ignore(r->request->rules, pairs[i].a, pairs[i].b, &rule))
            continue;
        if (clash_boxes_near(a, b, clash_rules_limits(r->request->rules, pairs[i].a, pairs[i].b).clearance))
            done = add_candidate(r, pairs[i].a, pairs[i].b);
    }
    free(pairs);
    return done;
}

static bool list_candidates(run *r)
{
    double clearance = clash_rules_largest_clearance(r->request->rules);
    graze_broad *broad = NULL;
    bool done = count_pairs(r) && graze_broad_create(r->request->context, NULL, &broad) == GRAZE_STATUS_OK;
    for (size_t i = 0; i < r->request->part_count && done; i++)
    {
        graze_box box = grown(&r->request->parts[i], clearance);
        if (r->request->parts[i].triangle_count > 0)
            done = graze_broad_insert(broad, (uint32_t)i, &box) == GRAZE_STATUS_OK;
    }
    done = done && graze_broad_update(broad, NULL) == GRAZE_STATUS_OK && take_pairs(r, broad);
    graze_broad_destroy(broad);
    clash_counts *counts = &r->report->counts;
    counts->pairs_culled = counts->pairs_possible - counts->pairs_ignored - r->count;
    return done;
}

static void tell(run *r, uint64_t finished)
{
    if (r->request->progress == NULL || atomic_flag_test_and_set(&r->telling))
        return;
    r->request->progress(r->request->progress_user, finished, r->count);
    atomic_flag_clear(&r->telling);
}

static void examine(void *argument, size_t index)
{
    run *r = argument;
    candidate *c = &r->candidates[index];
    const clash_part *a = &r->request->parts[c->a], *b = &r->request->parts[c->b];
    if (r->request->interrupted != NULL && *r->request->interrupted != 0)
        return;
    if (r->set_of[c->a] == r->set_of[c->b])
        c->finding.verdict = CLASH_CLEAR; /* a set of duplicates is one finding */
    else
    {
        clash_limits limits = clash_rules_limits(r->request->rules, c->a, c->b);
        c->status = clash_examine_pair(r->request->context, a, b, &limits, &c->finding);
        c->finding.severity = limits.severity[c->finding.verdict];
    }
    c->finding.a = c->a;
    c->finding.b = c->b;
    c->done = true;
    tell(r, atomic_fetch_add(&r->finished, 1) + 1);
}

static void run_tasks(const graze_context *context, size_t count, void (*task)(void *, size_t), void *argument)
{
    if (context->tasks.run != NULL && context->tasks.concurrency > 1)
        context->tasks.run(context->tasks.user, count, task, argument);
    else
        for (size_t i = 0; i < count; i++)
            task(argument, i);
}

static clash_finding *add_finding(clash_report *report)
{
    clash_finding *more = realloc(report->findings, (report->finding_count + 1) * sizeof *more);
    if (more == NULL)
        return NULL;
    report->findings = more;
    return &more[report->finding_count++];
}

/* Puts the part whose name comes first first. */
static void order_pair(clash_finding *f, const clash_part *parts)
{
    if (strcmp(parts[f->a].name, parts[f->b].name) <= 0)
        return;
    size_t other = f->a;
    f->a = f->b;
    f->b = other;
    f->a_in_b = !f->a_in_b;
    for (int axis = 0; axis < 3; axis++)
    {
        double swap = f->gap_points[0][axis];
        f->gap_points[0][axis] = f->gap_points[1][axis];
        f->gap_points[1][axis] = swap;
        f->depth_translation[axis] = -f->depth_translation[axis];
    }
}

static exit_code take_findings(run *r)
{
    clash_report *report = r->report;
    for (size_t i = 0; i < r->count; i++)
    {
        candidate *c = &r->candidates[i];
        if (c->done && c->status != GRAZE_STATUS_OK)
            return complain(r->request->console, exit_code_of(c->status), "'%s' and '%s' could not be checked: %s",
                            r->request->parts[c->a].name, r->request->parts[c->b].name, graze_status_text(c->status));
        report->counts.pairs_tested += c->done;
        report->counts.pairs_undecided += !c->done;
        if (!c->done || c->finding.verdict == CLASH_CLEAR)
            continue;
        clash_finding *f = add_finding(report);
        if (f == NULL)
            return no_memory(r->request);
        *f = c->finding;
        c->finding.region = NULL;
        order_pair(f, r->request->parts);
        clash_make_id(r->request->parts[f->a].name, r->request->parts[f->b].name, f->id);
    }
    return 0;
}

/* One finding for each set of equal parts of which a pair comes into question. */
static exit_code take_sets(run *r)
{
    const clash_part *parts = r->request->parts;
    for (size_t i = 0; i < r->count; i++)
    {
        const candidate *c = &r->candidates[i];
        size_t first = r->set_of[c->a], count = 0;
        if (!c->done || first != r->set_of[c->b])
            continue;
        bool known = false;
        for (size_t k = 0; k < r->report->finding_count && !known; k++)
            known = r->report->findings[k].set != NULL && r->set_of[r->report->findings[k].set[0]] == first;
        if (known)
            continue;
        clash_finding *f = add_finding(r->report);
        size_t *set = calloc(r->request->part_count, sizeof *set);
        if (f == NULL || set == NULL)
        {
            free(set);
            r->report->finding_count -= f != NULL;
            return no_memory(r->request);
        }
        for (size_t part = 0; part < r->request->part_count; part++)
        {
            if (r->set_of[part] != first)
                continue;
            size_t place = count++;
            for (; place > 0 && strcmp(parts[set[place - 1]].name, parts[part].name) > 0; place--)
                set[place] = set[place - 1];
            set[place] = part;
        }
        clash_limits limits = clash_rules_limits(r->request->rules, c->a, c->b);
        *f = (clash_finding){.a = set[0],
                             .b = set[1],
                             .set = set,
                             .set_count = count,
                             .verdict = CLASH_DUPLICATE,
                             .rule = "default",
                             .severity = limits.severity[CLASH_DUPLICATE]};
        for (int axis = 0; axis < 3; axis++)
            f->point[axis] = 0.5 * parts[set[0]].lower[axis] + 0.5 * parts[set[0]].upper[axis];
        clash_make_id(parts[set[0]].name, parts[set[1]].name, f->id);
    }
    return 0;
}

/* Parts that cross themselves. */
static exit_code take_selves(run *r)
{
    const clash_request *request = r->request;
    for (size_t i = 0; i < request->part_count && request->self; i++)
    {
        const clash_part *part = &request->parts[i];
        if (request->interrupted != NULL && *request->interrupted != 0)
        {
            r->report->complete = false;
            return 0;
        }
        graze_self_subject subject = {.mesh = part->placed.mesh, .tree = part->placed.tree};
        graze_hit hit;
        bool found = false;
        graze_pair_counts counts = {0};
        graze_status status = graze_self_any(request->context, &subject, NULL, &found, &hit);
        if (status == GRAZE_STATUS_OK && found)
            status = graze_self_count(request->context, &subject, NULL, &counts);
        if (status != GRAZE_STATUS_OK)
            return complain(request->console, exit_code_of(status), "'%s' could not be checked against itself: %s",
                            part->name, graze_status_text(status));
        if (!found)
            continue;
        graze_intersection shared;
        clash_finding *f = add_finding(r->report);
        if (f == NULL)
            return no_memory(request);
        clash_limits limits = clash_rules_limits(request->rules, i, i);
        *f = (clash_finding){.a = i,
                             .b = i,
                             .verdict = CLASH_SELF,
                             .pairs = counts.pairs,
                             .rule = "--self",
                             .severity = limits.severity[CLASH_SELF]};
        if (graze_hit_intersection(&part->placed, &part->placed, &hit, &shared) == GRAZE_STATUS_OK && shared.count > 0)
            memcpy(f->point, shared.points[0], sizeof f->point);
        clash_make_id(part->name, part->name, f->id);
    }
    return 0;
}

static exit_code finish(run *r)
{
    clash_report *report = r->report;
    bool *busy = calloc(r->request->part_count + 1, sizeof *busy);
    bool sorted = clash_sort_findings(report) && busy != NULL;
    report->counts.findings = report->finding_count;
    report->counts.parts = report->counts.parts_free = r->request->part_count;
    report->complete = report->complete && report->counts.pairs_undecided == 0;
    for (size_t i = 0; i < report->finding_count && busy != NULL; i++)
    {
        const clash_finding *f = &report->findings[i];
        busy[f->a] = busy[f->b] = true;
        for (size_t k = 0; k < f->set_count; k++)
            busy[f->set[k]] = true;
    }
    for (size_t i = 0; i < r->request->part_count; i++)
    {
        report->counts.triangles += r->request->parts[i].triangle_count;
        report->counts.parts_free -= busy != NULL && busy[i];
    }
    free(busy);
    return sorted ? 0 : no_memory(r->request);
}

static exit_code start(const clash_request *request, clash_report *report, run *r)
{
    *r = (run){.request = request, .report = report};
    atomic_init(&r->finished, 0);
    atomic_flag_clear(&r->telling);
    report->parts = request->parts;
    report->part_count = request->part_count;
    report->complete = true;
    return list_candidates(r) ? 0 : no_memory(request);
}

exit_code clash_count(const clash_request *request, clash_report *report)
{
    run r;
    exit_code code = start(request, report, &r);
    report->counts.pairs_tested = r.count;
    if (code == 0)
        code = finish(&r);
    free(r.candidates);
    return code;
}

exit_code clash_find(const clash_request *request, clash_report *report)
{
    run r;
    exit_code code = start(request, report, &r);
    size_t *set_of = calloc(request->part_count + 1, sizeof *set_of);
    if (set_of == NULL)
    {
        free(r.candidates);
        return code != 0 ? code : no_memory(request);
    }
    r.set_of = set_of;
    if (code == 0 && !clash_find_same(request->parts, request->part_count, r.set_of))
        code = no_memory(request);
    if (code == 0)
    {
        run_tasks(request->context, r.count, examine, &r);
        code = take_findings(&r);
    }
    if (code == 0)
        code = take_sets(&r);
    if (code == 0)
        code = take_selves(&r);
    if (code == 0)
        code = finish(&r);
    for (size_t i = 0; i < r.count; i++)
        graze_region_destroy(r.candidates[i].finding.region);
    free(r.candidates);
    free(set_of);
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
    free(report->problems);
    free(report->resolved);
    *report = (clash_report){0};
}
