/* SPDX-License-Identifier: MIT */
/*
 * A lower bound of a distance, at low cost: the distance search, but pruning with a fixed share of the upper bound, so
 * that few pairs have to be opened; see proximity.h.
 */
#include <math.h>

#include "math/interval.h"
#include "pair/distance/proximity.h"

#define LEAST_SHARE 0.85 /* of the distance that the lower bound has to reach */

typedef struct lower_bound_search
{
    grz_measure_frame frame;
    double nearest, lower; /* the minimum distance and the minimum lower bound of all pairs measured */
    double least;
    bool failed; /* a pair meets, or is too near for the bound to be worth having */
} lower_bound_search;

static bool measure_pairs(void *user, const grz_triangle_pair_batch *pairs, grz_distance_bound *bound)
{
    lower_bound_search *f = user;
    grz_closest_pair gaps[GRZ_LANES];
    grz_measure_pairs(&f->frame, pairs, gaps);
    for (unsigned i = 0; i < pairs->count; i++)
    {
        if (gaps[i].meet || !gaps[i].shifted || LEAST_SHARE * gaps[i].distance < f->least)
        {
            f->failed = true;
            return false;
        }
        f->lower = gaps[i].lower < f->lower ? gaps[i].lower : f->lower;
        if (!(gaps[i].distance < f->nearest))
            continue;
        f->nearest = gaps[i].distance;
        bound->witnessed = true;
        for (int k = 0; k < 3; k++)
        {
            bound->point_a[k] = gaps[i].point_a[k];
            bound->point_b[k] = gaps[i].point_b[k];
        }
    }
    if (LEAST_SHARE * f->nearest < bound->distance)
        bound->distance = LEAST_SHARE * f->nearest;
    return true;
}

double grz_distance_lower_bound(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                double least, double enough, unsigned openings, grz_monitor *monitor)
{
    lower_bound_search f = {.nearest = INFINITY, .lower = INFINITY, .least = least};
    grz_proximity_search proximity = {.context = context,
                                      .bound = {.distance = enough},
                                      .propose = measure_pairs,
                                      .user = &f,
                                      .shrinking = true,
                                      .most_node_pairs = openings,
                                      .monitor = monitor};
    grz_measure_frame_make(&f.frame, context, a, b);
    if (!f.frame.usable || !grz_proximity_trees(&proximity, a, b) || proximity.gave_up || proximity.out_of_memory ||
        f.failed || !grz_monitor_may_continue(monitor))
        return 0;
    /* Pairs that were not proposed are farther apart than the bound. */
    /* shortcut: pruned-is-farther */
    return f.lower < proximity.bound.distance ? f.lower : proximity.bound.distance;
}
