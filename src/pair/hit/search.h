/* SPDX-License-Identifier: MIT */
/*
 * Running a question to its end or to the end of a budget, on one thread or several.
 *
 * A search begins as one part on the caller's thread. Most questions are answered there, without a single allocation.
 * What is still open after SPLIT_BOX_TESTS is cut into many parts where the context has tasks. Parts are in the order
 * in which one thread would come to them, so the first hit of the first part that has any is the same for any number of
 * threads, and all hits together are the same set.
 */
#ifndef GRZ_PAIR_HIT_SEARCH_H
#define GRZ_PAIR_HIT_SEARCH_H

#include "pair/hit/query.h"

typedef struct grz_search
{
    grz_query query;
    grz_query_part head;
    grz_query_part *parts; /* what the head was cut into, or NULL; part_count of them, allocated */
    size_t part_count;
    bool finished;
    bool expanded;                 /* whether the head was opened far enough to tell how much is done */
    double share_before, share;    /* done before and after what is counted by: */
    size_t share_total, share_low; /* pairs of the head then, and the fewest since */
} grz_search;

/* Starts a search for what search->query asks; its first fields are set. `room` is as for a part. The monitor, which
   may be NULL, concerns the start alone. On failure there is nothing to end. */
graze_status grz_search_start(grz_search *search, grz_node_pair *room, grz_monitor *monitor);

/* Goes on: OK at the end, else UNFINISHED, CANCELLED or OUT_OF_MEMORY (and then always so). */
graze_status grz_search_run(grz_search *search, const graze_budget *budget);

/* What is known so far. */
graze_pair_counts grz_search_counts(const grz_search *search);
graze_stats grz_search_stats(const grz_search *search);

/* The first hit, in the order of the search, or NULL. */
const graze_hit *grz_search_first(const grz_search *search);

/* Where in the trees the first hit is: a hint for the next query, or GRZ_NO_HINT. */
grz_traversal_hint grz_search_hint(const grz_search *search);

/* Brings all hits together in the head. False when out of memory. */
bool grz_search_join(grz_search *search);

/* The same, and writes the first `capacity` of them in order of (triangle_a, triangle_b). */
bool grz_search_write(grz_search *search, graze_hit *out_hits, size_t capacity);

void grz_search_end(grz_search *search);

#endif
