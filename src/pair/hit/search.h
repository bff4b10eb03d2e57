/* SPDX-License-Identifier: MIT */
/*
 * Running a query to its end or to the end of a budget, on one thread or several.
 *
 * A search begins as one part, the head, on the caller's thread. Most queries end there, without a single allocation.
 * What is left after SPLIT_BOX_TESTS is split into many parts where the context has tasks. Parts are in the order in
 * which a single thread would visit them, so the first hit of the first part that has any is the same for any number of
 * threads, and all hits together are the same set.
 */
#ifndef GRZ_PAIR_HIT_SEARCH_H
#define GRZ_PAIR_HIT_SEARCH_H

#include "pair/hit/query.h"

typedef struct grz_search
{
    grz_query query;
    grz_query_part head;
    grz_query_part *parts; /* the parts that the head was split into, or NULL; part_count of them, allocated */
    size_t part_count;
    bool finished;
    bool expanded;                 /* whether the head was opened far enough to measure progress */
    double share_before, share;    /* progress before counting began, and now */
    size_t share_total, share_low; /* node pairs of the head when counting began, and the fewest since */
} grz_search;

/* Starts a search for search->query, whose fields before `uses_trees` are set, except the poses. `room` as for
   grz_query_part_start. The monitor, which may be NULL, is used during the start alone. On failure there is nothing to
   end. */
graze_status grz_search_start(grz_search *search, grz_node_pair *room, grz_monitor *monitor);

/* Runs or resumes: OK at the end, else UNFINISHED, CANCELLED or OUT_OF_MEMORY (which is final). */
graze_status grz_search_run(grz_search *search, const graze_budget *budget);

/* Results so far. */
graze_pair_counts grz_search_counts(const grz_search *search);
graze_stats grz_search_stats(const grz_search *search);

/* The first hit, in the order of the search, or NULL. */
const graze_hit *grz_search_first(const grz_search *search);

/* The leaves of the first hit: a hint for the next query, or GRZ_NO_HINT. */
grz_traversal_hint grz_search_hint(const grz_search *search);

/* Merges the hits of all parts into the head's buffer. False when out of memory. */
bool grz_search_join(grz_search *search);

/* The same, and writes the first `capacity` of them in order of (triangle_a, triangle_b). */
bool grz_search_write(grz_search *search, graze_hit *out_hits, size_t capacity);

void grz_search_end(grz_search *search);

#endif
