/* SPDX-License-Identifier: MIT */
/* State of a run, shared by the steps of the engine: candidate pairs (engine.c), sets of duplicates (duplicate_sets.c)
 * and self-intersection (self_intersection.c). */
#ifndef GRZ_CLASH_WORK_H
#define GRZ_CLASH_WORK_H

#include <stdatomic.h>

#include "clash/engine.h"

/* A candidate pair and its result. */
typedef struct grz_clash_candidate
{
    uint32_t a, b;  /* a is the part whose name comes first: the result does not depend on the order of the files */
    bool separated; /* certainly, by more than the clearance */
    bool done, same, undecided;
    bool changed; /* the resolution made the verdict another one */
    graze_status status;
    graze_clash_finding *finding; /* owned; NULL: none */
} grz_clash_candidate;

/* Two equal parts of a wanted pair. */
typedef struct grz_clash_duplicate_pair
{
    uint32_t a, b;
    graze_clash_severity severity;
} grz_clash_duplicate_pair;

typedef struct grz_clash_work
{
    const grz_clash_request *request;
    graze_clash_report *report;
    struct grz_clash_verdict_cache *verdict_cache;
    size_t *set_of;                 /* by part: set of equal parts, see duplicates.h */
    grz_clash_duplicate_pair *same; /* enough pairs to connect all equal parts that wanted pairs connect */
    size_t same_count;
    grz_clash_candidate *candidates; /* pairs of parts that are not equal */
    size_t count, capacity;
    uint64_t all;      /* number of tests: pairs and self-intersection */
    uint64_t all_cost; /* their estimated cost (grz_clash_cost_of), once separating planes are known */
    atomic_uint_fast64_t finished, finished_cost;
    atomic_flag reporting; /* one thread at a time reports progress */
} grz_clash_work;

/* Notes that memory is exhausted. */
graze_status grz_clash_no_memory(const grz_clash_request *request);

/* Whether the budget has stopped the run, without a check of it. */
bool grz_clash_is_interrupted(const grz_clash_request *request);

/* Counts one more test of some cost as done, and checks the budget. */
void grz_clash_report_progress(grz_clash_work *work, uint64_t cost);

/* The estimated cost of a test, in some unit. A test of two parts without a separating plane takes some 0.4 ms and 10
 * ns for each triangle, one of parts that a plane separates next to nothing. */
uint64_t grz_clash_cost_of(const grz_clash_work *work, const grz_clash_candidate *candidate);
uint64_t grz_clash_cost_of_self(const grz_clash_work *work, size_t part);

/* Adds a finding, to be filled by the caller; NULL when out of memory. */
graze_clash_finding *grz_clash_add_finding(const graze_context *context, graze_clash_report *report);

/* The steps of the engine. Finds candidate pairs and counts them; release in any case. */
graze_status grz_clash_work_start(const grz_clash_request *request, graze_clash_report *report, grz_clash_work *work);

/* Tests all candidates for separating planes, and builds the trees that the remaining ones need. */
graze_status grz_clash_work_build_trees(grz_clash_work *work);

/* Part of grz_clash_work_start: the broad phase. False when out of memory. */
bool grz_clash_run_broad_phase(grz_clash_work *work);

/* The narrow phase of one candidate, as a task: `argument` is the work. */
void grz_clash_test_candidate(void *argument, size_t index);

/* Sorts the findings and completes the counts. */
graze_status grz_clash_work_finish(grz_clash_work *work);
void grz_clash_work_release(grz_clash_work *work);

/* Adds one finding for each set of equal parts that are wanted pairs. */
graze_status grz_clash_add_duplicates(grz_clash_work *work);

/* Whether a part is tested for self-intersection, and how many are. */
bool grz_clash_wants_self_test(const grz_clash_request *request, size_t part);
uint64_t grz_clash_count_self_tests(const grz_clash_request *request);

/* Tests some of them and estimates the seconds that all take. */
double grz_clash_sample_self_tests(grz_clash_work *work);

/* Adds a finding for each part that intersects itself, and counts tested and ignored ones. */
graze_status grz_clash_add_self_intersections(grz_clash_work *work);

#endif
