/* SPDX-License-Identifier: MIT */
/*
 * A lower bound on a distance for little: the search for the distance, with a bound that is always a good deal less
 * than what was found, so that few pairs have to be opened; see near.h.
 */
#include <math.h>

#include "math/interval.h"
#include "pair/near.h"

#define SHARE 0.85 /* of the distance that is enough to know */

typedef struct finding
{
    grz_gap_frame frame;
    double nearest, lower; /* the least distance and the least lower bound of all pairs measured */
    double least;
    bool lost; /* some may meet, or are too near for the gap to be worth knowing */
} finding;

static bool measure_pairs(void *user, const grz_gap_pairs *pairs, grz_near_bound *bound)
{
    finding *f = user;
    grz_gap gaps[GRZ_LANES];
    grz_gap_measure(&f->frame, pairs, gaps);
    for (unsigned i = 0; i < pairs->count; i++)
    {
        if (gaps[i].meet || !gaps[i].shifted || SHARE * gaps[i].distance < f->least)
        {
            f->lost = true;
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
    if (SHARE * f->nearest < bound->distance)
        bound->distance = SHARE * f->nearest;
    return true;
}

double grz_near_gap(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b, double least,
                    double enough, unsigned openings, grz_watch *watch)
{
    finding f = {.nearest = INFINITY, .lower = INFINITY, .least = least};
    grz_near near = {.context = context,
                     .bound = {.distance = enough},
                     .propose = measure_pairs,
                     .user = &f,
                     .shrinking = true,
                     .most_openings = openings,
                     .watch = watch};
    grz_gap_frame_make(&f.frame, context, a, b);
    if (!f.frame.usable || !grz_near_trees(&near, a, b) || near.gave_up || near.out_of_memory || f.lost ||
        !grz_watch_goes_on(watch))
        return 0;
    /* What was not proposed is farther apart than the bound. */
    /* shortcut: unseen-is-farther */
    return f.lower < near.bound.distance ? f.lower : near.bound.distance;
}
