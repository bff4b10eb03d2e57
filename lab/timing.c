/* SPDX-License-Identifier: MIT */
/*
 * Timing: see timing.h. For a peer that places meshes in a separate step, each query is timed without that step.
 */
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum
{
    PROBE_COUNT = 5,
    LEAST_PASSES = 2,
    MOST_PASSES = 2000 /* fast queries run as long as slow ones: noise comes in bursts */
};

size_t lab_times_stride(const lab_engine *engine, const lab_case *c, lab_question question, double pass_ns)
{
    size_t probes = c->count < PROBE_COUNT ? c->count : PROBE_COUNT, queried = 0;
    double start = lab_cpu_now(), used = 0;
    for (; queried < probes && used < pass_ns; queried++)
    {
        lab_engine_place(engine, c, queried * c->count / probes);
        lab_engine_query(engine, c, queried * c->count / probes, question, NULL);
        used = lab_cpu_now() - start;
    }
    double estimate = used / (double)queried * (double)c->count;
    return estimate <= pass_ns ? 1 : (size_t)fmin(ceil(estimate / pass_ns), (double)c->count);
}

/* The CPU time of one pass over all poses, queries only. */
static double time_pass(const lab_engine *engine, const lab_case *c, lab_question question, size_t stride)
{
    double sum = 0, start = lab_cpu_now();
    for (size_t i = 0; i < c->count; i += stride)
    {
        if (engine->peer->place != NULL)
        {
            lab_engine_place(engine, c, i);
            start = lab_cpu_now();
        }
        lab_engine_query(engine, c, i, question, NULL);
        if (engine->peer->place != NULL)
            sum += lab_cpu_now() - start;
    }
    return engine->peer->place != NULL ? sum : lab_cpu_now() - start;
}

/* Times every query; each pose keeps its minimum. */
static void time_each(const lab_engine *engine, const lab_case *c, lab_question question, lab_times *times)
{
    for (size_t k = 0; k < times->poses; k++)
    {
        size_t pose = k * times->stride;
        lab_engine_place(engine, c, pose);
        uint64_t start = grz_clock_now();
        lab_engine_query(engine, c, pose, question, NULL);
        times->each[k] = fmin(times->each[k], (double)(grz_clock_now() - start));
    }
}

static int compare_doubles(const void *first, const void *second)
{
    const double *x = first, *y = second;
    return (*x > *y) - (*x < *y);
}

void lab_times_summarize(lab_times *times, double *each, size_t count)
{
    double sum = 0;
    qsort(each, count, sizeof *each, compare_doubles);
    for (size_t i = 0; i < count; i++)
        sum += each[i];
    times->mean = sum / (double)count;
    times->median = each[count / 2];
    times->p99 = each[(size_t)ceil(0.99 * (double)(count - 1))];
    times->worst = each[count - 1];
}

static bool summarize(lab_times *times)
{
    double *sorted = malloc(times->poses * sizeof *sorted);
    if (sorted == NULL)
        return false;
    memcpy(sorted, times->each, times->poses * sizeof *sorted);
    lab_times_summarize(times, sorted, times->poses);
    free(sorted);
    return true;
}

bool lab_times_make(lab_times *times, const lab_engine *engine, const lab_case *c, lab_question question, size_t stride,
                    double total_ns)
{
    *times = (lab_times){.stride = stride, .poses = (c->count + stride - 1) / stride, .ns_per_query = INFINITY};
    times->each = malloc(times->poses * sizeof *times->each);
    if (times->each == NULL)
        return false;
    for (size_t i = 0; i < times->poses; i++)
        times->each[i] = INFINITY;
    double start = lab_cpu_now(), used = 0;
    while (times->passes < MOST_PASSES && (used < total_ns || (times->passes < LEAST_PASSES && used < 4 * total_ns)))
    {
        double pass = time_pass(engine, c, question, stride);
        times->ns_per_query = fmin(times->ns_per_query, pass / (double)times->poses);
        time_each(engine, c, question, times);
        times->passes++;
        used = lab_cpu_now() - start;
    }
    return summarize(times);
}

void lab_times_clear(lab_times *times)
{
    free(times->each);
    *times = (lab_times){0};
}
