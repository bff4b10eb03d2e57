/* SPDX-License-Identifier: MIT */
/* What the pieces of the engine of graze clash share while they work: pairs (engine.c), sets of duplicates
 * (duplicate_sets.c) and parts against themselves (self_intersection.c). */
#ifndef TOOL_CLASH_WORK_H
#define TOOL_CLASH_WORK_H

#include <stdatomic.h>

#include "clash/engine.h"

/* A pair that comes into question, and what came out. */
typedef struct clash_candidate
{
    uint32_t a, b;  /* the part whose name comes first is first: nothing then depends on the order of the files */
    bool separated; /* for sure; see separating_plane.h */
    bool done, same, undecided;
    graze_status status;
    clash_finding *finding; /* of its own; NULL: nothing was found */
} clash_candidate;

/* Two equal parts of a pair that was asked for. */
typedef struct clash_duplicate_pair
{
    uint32_t a, b;
    clash_severity severity;
} clash_duplicate_pair;

typedef struct clash_work
{
    const clash_request *request;
    clash_report *report;
    struct clash_verdict_cache *repeats;
    size_t *set_of;             /* parts with the same triangles: see duplicates.h */
    clash_duplicate_pair *same; /* as many as connect what pairs of equal parts that were asked for connect */
    size_t same_count;
    clash_candidate *candidates; /* of parts that are not equal */
    size_t count, capacity;
    uint64_t all; /* what there is to do: pairs, and parts against themselves */
    atomic_uint_fast64_t finished;
    atomic_flag reporting; /* one thread at a time tells of progress */
} clash_work;

/* Says that memory ended. */
exit_code clash_no_memory(const clash_request *request);

bool clash_is_interrupted(const clash_request *request);

/* One more thing is done. */
void clash_report_progress(clash_work *work);

/* Room for a finding, to be filled by the caller; NULL when memory ends. */
clash_finding *clash_add_finding(clash_report *report);

/* The steps of the engine. Lists the pairs that come into question, and counts; release in any case. */
exit_code clash_work_start(const clash_request *request, clash_report *report, clash_work *work);

/* Settles the pairs that a plane parts, and builds the trees that all others need. */
exit_code clash_work_build_trees(clash_work *work);

/* A step of the first: lists pairs, and counts them. False when memory ends. */
bool clash_run_broad_phase(clash_work *work);

/* A task: `argument` is the work. */
void clash_test_candidate(void *argument, size_t index);

/* Sorts what was found, and sums up. */
exit_code clash_work_finish(clash_work *work);
void clash_work_release(clash_work *work);

/* One finding for each set of parts that are the same, of those that were asked for. */
exit_code clash_add_duplicates(clash_work *work);

/* Whether a part is to be looked at by itself, and how many are. */
bool clash_wants_self_test(const clash_request *request, size_t part);
uint64_t clash_count_self_tests(const clash_request *request);

/* Looks at some of them, and says how many seconds all will take. */
double clash_sample_self_tests(clash_work *work);

/* A finding for each part that crosses itself, and counts of those looked at and ignored. */
exit_code clash_add_self_intersections(clash_work *work);

#endif
