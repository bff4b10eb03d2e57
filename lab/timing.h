/* SPDX-License-Identifier: MIT */
/*
 * Time of an engine's queries over a sequence of poses.
 *
 * A pass goes through the whole sequence, so that no branch predictor can learn one pose. The time of a pass is CPU
 * time of the process, so that other programs' load matters less; the best of several passes counts. For the
 * distribution single queries are timed by the wall clock in separate passes, and each pose keeps its minimum.
 */
#ifndef LAB_TIMING_H
#define LAB_TIMING_H

#include "engine.h"

typedef struct lab_times
{
    size_t stride, poses; /* every stride-th pose is queried: that many in a pass */
    size_t passes;
    double ns_per_query;             /* of the best pass */
    double mean, median, p99, worst; /* of single queries */
    double *each;                    /* minimum at each pose queried */
} lab_times;

/* The stride of poses for a pass of at most `pass_ns`. Warms up, too. */
size_t lab_times_stride(const lab_engine *engine, const lab_case *c, lab_question question, double pass_ns);

/* Times passes for about `total_ns`, at least two of each kind (one where they take very long). False when out of
 * memory. */
bool lab_times_make(lab_times *times, const lab_engine *engine, const lab_case *c, lab_question question, size_t stride,
                    double total_ns);
/* Mean, median and so on of single times, which are sorted in place. */
void lab_times_summarize(lab_times *times, double *each, size_t count);
void lab_times_clear(lab_times *times);

#endif
