/* SPDX-License-Identifier: MIT */
/*
 * The search for the first impact of two moving meshes with kernel motions.
 *
 * A space-time traversal proposes pairs of triangles in order of time. The least of their first times is the impact,
 * and what begins later is dropped. Of the pairs with that very time the first in order is kept: those whose bounds are
 * the same doubles are compared as algebraic numbers. Of bodies that meet at the start only pairs before the best one
 * in order are looked for once surfaces are known to cross.
 */
#ifndef GRZ_MOTION_IMPACT_SEARCH_H
#define GRZ_MOTION_IMPACT_SEARCH_H

#include "base/hash_map.h"
#include "motion/impact_cache.h"
#include "motion/pair_kernel.h"
#include "motion/shared_impact.h"
#include "motion/space_time.h"

/* All but the context, the meshes and `crossing` is zero before the first search. */
typedef struct grz_impact_search
{
    grz_space_time traversal;
    const graze_context *context;
    const graze_moving_mesh *a, *b;
    bool crossing;
    grz_pair_time best;
    grz_hash_map asked; /* pairs: a pair is asked for all of its time until the best one, which only falls */
    grz_shared_impact shared;
    bool ties;                     /* times were compared as algebraic numbers: so will those of further pairs be */
    grz_impact_witnesses proposed; /* the first pairs that were proposed for the start, if there are some */
    bool crosses;                  /* any pair that meets at the best time crosses right after it */
    graze_status failure;
} grz_impact_search;

/* Prepares for motions that will be in the meshes, with trees that are usable. */
void grz_impact_search_init(grz_impact_search *search, const graze_context *context, const graze_moving_mesh *a,
                            const graze_moving_mesh *b, const graze_tree *tree_a, const graze_tree *tree_b,
                            bool crossing);

/* Begins with the motions that are in the meshes now. If `witnesses` are given, pairs of triangles that are likely to
   meet at the start: whether one of them certainly crosses there. Then that is the time, and only pairs before it in
   order are in question. In the default environment, as all that follows. */
bool grz_impact_search_begin(grz_impact_search *search, const grz_impact_witnesses *witnesses);

/* Runs the search: OK, UNFINISHED, CANCELLED, OUT_OF_MEMORY. With `start_first` what meets at the start is looked for
   before all else. The monitor may be NULL. */
graze_status grz_impact_search_run(grz_impact_search *search, bool start_first, grz_monitor *monitor);

/* Writes what was found, or how far the search came. */
void grz_impact_search_result(const grz_impact_search *search, bool finished, graze_impact *out);

#endif
