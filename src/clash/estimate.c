/* SPDX-License-Identifier: MIT */
/*
 * Estimates the time of a run from a sample: the time of a pair varies by a factor of a thousand, and no count tells
 * which pairs are slow. Pairs are sampled evenly, with a stride near the golden section, until all are done or the
 * sample has taken long enough (some pairs at least, or the first slow one would stand for all), and the time is scaled
 * by their cost (grz_clash_cost_of), not by their number; self-intersection tests likewise, by their triangles.
 */
#include "base/clock.h"
#include "clash/work.h"

enum
{
    LEAST_SAMPLE = 8 /* pairs, unless they take eight times as long */
};

static const uint64_t sample_time = UINT64_C(250000000); /* nanoseconds */

/* A stride near the golden section that is coprime to the count: it visits all, and soon covers the range evenly. */
static size_t step_of(size_t count)
{
    size_t step = (size_t)(0.6180339887498949 * (double)count);
    for (; step > 1; step--)
    {
        size_t a = count, b = step;
        while (b != 0)
        {
            size_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return step;
    }
    return 1;
}

/* Estimated seconds for all pairs. */
static double sample_pairs(grz_clash_work *work)
{
    size_t step = step_of(work->count), at = 0, taken = 0;
    uint64_t begin = grz_clock_now(), now = begin, cost = 0, all = 0;
    for (; taken < work->count && now - begin < (taken < LEAST_SAMPLE ? 8 * sample_time : sample_time); taken++)
    {
        grz_clash_test_candidate(work, at);
        cost += grz_clash_cost_of(work, &work->candidates[at]);
        at = (at + step) % work->count;
        now = grz_clock_now();
    }
    for (size_t i = 0; i < work->count; i++)
        all += grz_clash_cost_of(work, &work->candidates[i]);
    return cost > 0 ? (double)(now - begin) * 1e-9 / (double)cost * (double)all : 0;
}

graze_status grz_clash_estimate(const grz_clash_request *request, graze_clash_report *report, double *out_seconds)
{
    grz_clash_work work;
    graze_status status = grz_clash_work_start(request, report, &work);
    uint64_t begin = grz_clock_now();
    if (status == GRAZE_STATUS_OK)
        status = grz_clash_work_build_trees(&work);
    if (status == GRAZE_STATUS_OK)
    {
        *out_seconds =
            (double)(grz_clock_now() - begin) * 1e-9 + sample_pairs(&work) + grz_clash_sample_self_tests(&work);
        report->counts.pairs_tested += work.count;
        report->counts.selves_tested = grz_clash_count_self_tests(request);
        status = grz_clash_work_finish(&work);
    }
    grz_clash_work_release(&work);
    return status;
}
