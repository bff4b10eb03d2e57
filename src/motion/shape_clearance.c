/* SPDX-License-Identifier: MIT */
/*
 * A lower bound of the distance of two moving shapes at all times; see shape_advance.h. As clearance.c does for meshes:
 * time is halved where the bound of an interval is less than half of the least distance seen so far.
 */
#include <math.h>

#include "motion/shape_advance.h"

enum
{
    MOST_GAP_HALVINGS = 20,
    MOST_GAPS = 1000
};

#define SHARE 0.5

typedef struct gap_search
{
    grz_shape_advance *advance;
    double least, nearest; /* the least bound, and the least distance in any middle */
    int distances;
    graze_status status;
} gap_search;

static void search_gaps(gap_search *s, double t0, double t1, int halvings)
{
    double bound, upper, middle = 0.5 * (t0 + t1);
    if (s->status != GRAZE_STATUS_OK || s->least <= 0)
        return;
    s->distances++;
    s->status = grz_shape_advance_gap(s->advance, t0, t1, SHARE * s->nearest, &bound, &upper);
    if (s->status != GRAZE_STATUS_OK)
        return;
    s->nearest = fmin(s->nearest, upper);
    if (bound >= SHARE * s->nearest || halvings == 0 || s->distances >= MOST_GAPS)
    {
        s->least = fmin(s->least, bound);
        return;
    }
    search_gaps(s, t0, middle, halvings - 1);
    search_gaps(s, middle, t1, halvings - 1);
}

graze_status grz_shape_advance_clearance(grz_shape_advance *a, double *out_lower)
{
    gap_search s = {.advance = a, .least = INFINITY, .nearest = INFINITY, .status = GRAZE_STATUS_OK};
    *out_lower = 0;
    search_gaps(&s, 0, 1, MOST_GAP_HALVINGS);
    if (s.status == GRAZE_STATUS_UNFINISHED)
        return GRAZE_STATUS_OK;
    if (s.status == GRAZE_STATUS_OK && s.least < INFINITY)
        *out_lower = s.least;
    return s.status;
}
