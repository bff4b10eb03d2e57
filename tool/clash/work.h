/* SPDX-License-Identifier: MIT */
/* State of a run, shared by the steps of the engine: candidate pairs (engine.c), sets of duplicates (duplicate_sets.c)
 * and self-intersection (self_intersection.c). */
#ifndef TOOL_CLASH_WORK_H
#define TOOL_CLASH_WORK_H

#include <stdatomic.h>

#include "clash/engine.h"

/* A candidate pair and its result. */
typedef struct clash_candidate
{
    uint32_t a, b;  /* a is the part whose name comes first: the result does not depend on the order of the files */
    bool separated; /* certainly, by more than the clearance */
    bool done, same, undecided;
    graze_status status;
    clash_finding *finding; /* owned; NULL: none */
} clash_candidate;

/* Two equal parts of a wanted pair. */
typedef struct clash_duplicate_pair
{
    uint32_t a, b;
    clash_severity severity;
} clash_duplicate_pair;

typedef struct clash_work
{
    const clash_request *request;
    clash_report *report;
    struct clash_verdict_cache *verdict_cache;
    size_t *set_of;             /* by part: set of equal parts, see duplicates.h */
    clash_duplicate_pair *same; /* enough pairs to connect all equal parts that wanted pairs connect */
    size_t same_count;
    clash_candidate *candidates; /* pairs of parts that are not equal */
    size_t count, capacity;
    uint64_t all; /* number of tests: pairs and self-intersection */
    atomic_uint_fast64_t finished;
    atomic_flag reporting; /* one thread at a time reports progress */
} clash_work;

/* Prints that memory is exhausted. */
exit_code clash_no_memory(const clash_request *request);

bool clash_is_interrupted(const clash_request *request);

/* Counts one more test as done. */
void clash_report_progress(clash_work *work);

/* Adds a finding, to be filled by the caller; NULL when out of memory. */
clash_finding *clash_add_finding(clash_report *report);

/* The steps of the engine. Finds candidate pairs and counts them; release in any case. */
exit_code clash_work_start(const clash_request *request, clash_report *report, clash_work *work);

/* Tests all candidates for separating planes, and builds the trees that the remaining ones need. */
exit_code clash_work_build_trees(clash_work *work);

/* Part of clash_work_start: the broad phase. False when out of memory. */
bool clash_run_broad_phase(clash_work *work);

/* The narrow phase of one candidate, as a task: `argument` is the work. */
void clash_test_candidate(void *argument, size_t index);

/* Sorts the findings and completes the counts. */
exit_code clash_work_finish(clash_work *work);
void clash_work_release(clash_work *work);

/* Adds one finding for each set of equal parts that are wanted pairs. */
exit_code clash_add_duplicates(clash_work *work);

/* Whether a part is tested for self-intersection, and how many are. */
bool clash_wants_self_test(const clash_request *request, size_t part);
uint64_t clash_count_self_tests(const clash_request *request);

/* Tests some of them and estimates the seconds that all take. */
double clash_sample_self_tests(clash_work *work);

/* Adds a finding for each part that intersects itself, and counts tested and ignored ones. */
exit_code clash_add_self_intersections(clash_work *work);

#endif
