/* SPDX-License-Identifier: MIT */
/* Self-intersection of parts, one per task. A part is treated as the pair of itself with itself: rules may ignore it,
 * and with --a and --b only parts of the two sets are tested. Vertices count as shared when their coordinates are
 * equal, since many files store each triangle's corners separately. */
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "clash/parallel.h"
#include "clash/work.h"
#include "graze/self.h"

static const uint64_t sample_time = UINT64_C(250000000); /* nanoseconds */

typedef struct self_answer
{
    graze_status status;
    bool done, found;
    uint64_t pairs;
    graze_hit hit;
} self_answer;

typedef struct self_work
{
    grz_clash_work *work;
    self_answer *answers; /* by part */
} self_work;

static bool is_requested(const grz_clash_request *request, size_t part)
{
    return request->self && !request->parts[part].is_shape && (request->parts[part].in_a || request->parts[part].in_b);
}

bool grz_clash_wants_self_test(const grz_clash_request *request, size_t part)
{
    size_t rule;
    return is_requested(request, part) && !grz_clash_rules_ignore(request->rules, part, part, &rule);
}

uint64_t grz_clash_count_self_tests(const grz_clash_request *request)
{
    uint64_t count = 0;
    for (size_t i = 0; i < request->part_count; i++)
        count += grz_clash_wants_self_test(request, i);
    return count;
}

static void test_part(void *argument, size_t part)
{
    self_work *s = argument;
    const grz_clash_request *request = s->work->request;
    self_answer *answer = &s->answers[part];
    if (!grz_clash_wants_self_test(request, part) || grz_clash_is_interrupted(request))
        return;
    const graze_placed_mesh *placed = &request->parts[part].placed;
    graze_self_subject subject = {.mesh = placed->mesh, .tree = placed->tree, .merge_equal_vertices = true};
    graze_pair_counts counts = {0};
    answer->status = graze_self_any(request->context, &subject, NULL, &answer->found, &answer->hit);
    if (answer->status == GRAZE_STATUS_OK && answer->found)
        answer->status = graze_self_count(request->context, &subject, NULL, &counts);
    answer->pairs = counts.pairs;
    answer->done = true;
    grz_clash_report_progress(s->work, grz_clash_cost_of_self(s->work, part));
}

double grz_clash_sample_self_tests(grz_clash_work *work)
{
    const grz_clash_request *request = work->request;
    self_work s = {work, grz_allocate_zeroed(request->context, request->part_count + 1, sizeof *s.answers)};
    double triangles = 0, all = 0;
    uint64_t begin = grz_clock_now(), now = begin;
    for (size_t i = 0; i < request->part_count && s.answers != NULL; i++)
    {
        all += is_requested(request, i) ? (double)request->parts[i].triangle_count : 0;
        if (now - begin > sample_time)
            continue;
        test_part(&s, i);
        triangles += s.answers[i].done ? (double)request->parts[i].triangle_count : 0;
        now = grz_clock_now();
    }
    grz_release(request->context, s.answers);
    return triangles > 0 ? (double)(now - begin) * 1e-9 / triangles * all : 0;
}

static graze_status add_finding(const grz_clash_work *work, size_t part, const self_answer *answer)
{
    const graze_placed_mesh *placed = &work->request->parts[part].placed;
    graze_intersection shared;
    graze_clash_finding *f = grz_clash_add_finding(work->request->context, work->report);
    if (f == NULL)
        return grz_clash_no_memory(work->request);
    *f = (graze_clash_finding){.a = part,
                               .b = part,
                               .verdict = GRAZE_CLASH_SELF,
                               .exact = GRAZE_CLASH_SELF,
                               .box = GRZ_CLASH_NO_BOX,
                               .pairs = answer->pairs,
                               .rule = "--self",
                               .severity =
                                   grz_clash_rules_limits(work->request->rules, part, part).severity[GRAZE_CLASH_SELF]};
    if (graze_hit_intersection(placed, placed, &answer->hit, &shared) == GRAZE_STATUS_OK && shared.count > 0)
        memcpy(f->point, shared.points[0], sizeof f->point);
    grz_clash_make_id(work->request->parts[part].name, work->request->parts[part].name, f->id);
    return GRAZE_STATUS_OK;
}

static graze_status take(grz_clash_work *work, const self_answer *answers)
{
    const grz_clash_request *request = work->request;
    graze_clash_counts *counts = &work->report->counts;
    for (size_t i = 0; i < request->part_count; i++)
    {
        const self_answer *answer = &answers[i];
        size_t rule;
        if (answer->status != GRAZE_STATUS_OK)
            return grz_error(request->error, answer->status, "'%s' could not be checked against itself: %s",
                             request->parts[i].name, graze_status_text(answer->status));
        bool ignored = is_requested(request, i) && grz_clash_rules_ignore(request->rules, i, i, &rule);
        if (ignored)
            work->report->ignored[rule].selves++;
        counts->selves_ignored += ignored;
        counts->selves_tested += answer->done;
        work->report->complete = work->report->complete && (answer->done || ignored || !is_requested(request, i));
        graze_status status = answer->found ? add_finding(work, i, answer) : GRAZE_STATUS_OK;
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_clash_add_self_intersections(grz_clash_work *work)
{
    if (!work->request->self)
        return GRAZE_STATUS_OK;
    self_work s = {work, grz_allocate_zeroed(work->request->context, work->request->part_count + 1, sizeof *s.answers)};
    if (s.answers == NULL)
        return grz_clash_no_memory(work->request);
    grz_clash_parallel_for(work->request->context, work->request->part_count, test_part, &s);
    graze_status status = take(work, s.answers);
    grz_release(work->request->context, s.answers);
    return status;
}
