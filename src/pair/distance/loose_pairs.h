/* SPDX-License-Identifier: MIT */
/*
 * Pairs of triangles that may be the nearest and whose distance doubles leave loose. They wait until the search has
 * ended, since mostly many share one distance, as where two faces are parallel: then one plane settles them all. See
 * loose_pairs.c.
 */
#ifndef GRZ_PAIR_DISTANCE_LOOSE_PAIRS_H
#define GRZ_PAIR_DISTANCE_LOOSE_PAIRS_H

#include "base/array.h"
#include "base/budget_monitor.h"
#include "pair/distance/triangle_distance.h"

typedef struct grz_loose_pairs
{
    GRZ_ARRAY(grz_closest_pair) pairs;
    double distance, upper; /* the least of all that were added; INFINITY: none */
} grz_loose_pairs;

grz_loose_pairs grz_loose_pairs_none(void);

/* Whether a pair in doubles may wait: its points are known, and it does not meet, or likely not. */
bool grz_pair_may_wait(const grz_measure_frame *frame, const grz_closest_pair *gap);

/* False when out of memory. */
bool grz_loose_pairs_add(grz_loose_pairs *loose, const graze_context *context, const grz_closest_pair *gap);

/* Takes a pair that was measured; returns false to stop. */
typedef bool (*grz_loose_function)(void *user, const grz_closest_pair *gap);

/* Measures the pairs that may be nearer than `most`, the least upper bound of all pairs, but for those that a plane
   shows to be no nearer than one that was measured, up to 2^-36 of the distance. Returns a lower bound of the distances
   of all. What is measured does not depend on the order in which pairs were added. When the monitor (may be NULL) stops
   it, the result means nothing. */
double grz_loose_pairs_settle(grz_loose_pairs *loose, grz_measure_frame *frame, double most, grz_loose_function take,
                              void *user, grz_monitor *monitor);

void grz_loose_pairs_release(grz_loose_pairs *loose, const graze_context *context);

#endif
