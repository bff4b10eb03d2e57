/* SPDX-License-Identifier: MIT */
/*
 * The largest sum of a common point's depths in both bodies, the lower bound of every separating translation
 * (interference.c): points that are tried for it. Any common point counts, so which are tried needs no proof.
 */
#include <math.h>
#include <string.h>

#include "pair/depth/deepest_search.h"

enum
{
    MOST_STEPS = 48 /* of the climb, each with two distances */
};

#define SMALLEST_STEP 0x1p-7 /* of the climb, as a share of the common box */

void grz_deepest_try_sum(grz_deepest_search *s, grz_simplex_ball *ball)
{
    double lower[2];
    for (int side = 0; side < 2; side++)
        lower[side] = grz_simplex_ball_measured(&s->space, ball, side)->lower;
    double sum = (lower[0] + lower[1]) * (1 - 4 * GRZ_U);
    if (!(sum > s->best.sum && sum > s->best.depth))
        return;
    if (!grz_simplex_point_inside(&s->space, 0, ball->centre, lower[0]) ||
        !grz_simplex_point_inside(&s->space, 1, ball->centre, lower[1]) || !grz_monitor_may_continue(s->pair->monitor))
        return;
    s->best.sum = sum;
    memcpy(s->sum_point, ball->centre, sizeof s->sum_point);
}

void grz_deepest_try_middle(grz_deepest_search *s)
{
    grz_simplex_ball middle;
    if (!grz_deepest_find_middle(s, &middle))
        return;
    const grz_simplex cell = {.owner = GRZ_SPACE};
    grz_deepest_try_sum(s, &middle);
    for (int side = 0; side < 2; side++)
        grz_deepest_try_point(s, &cell, side, middle.centre, grz_simplex_ball_measured(&s->space, &middle, side));
}

/* A compass search: steps along the axes of the common box, halved when none is better. */
void grz_deepest_climb_sum(grz_deepest_search *s)
{
    const grz_common_box box = grz_deepest_common_box(s);
    uint32_t hints[2] = {GRZ_NO_TRIANGLE, GRZ_NO_TRIANGLE};
    int steps = 0;
    if (!(box.extents[0].lower <= box.extents[0].upper) || !(s->best.depth > 0))
        return;
    if (!(s->best.sum > 0))
        memcpy(s->sum_point, s->best.point, sizeof s->sum_point);
    for (double share = 0.25; share >= SMALLEST_STEP && steps < MOST_STEPS && s->status == GRAZE_STATUS_OK;)
    {
        double before = s->best.sum;
        for (int way = 0; way < 6 && steps < MOST_STEPS; way++, steps++)
        {
            const interval extent = box.extents[way / 2];
            double step = (way % 2 == 0 ? share : -share) * (extent.upper - extent.lower);
            grz_simplex_ball ball = {.radius = 0};
            v3_store(v3_add(v3_load(s->sum_point), v3_scale(step, box.axes[way / 2])), ball.centre);
            for (int side = 0; side < 2; side++)
                ball.nearest[side].triangle = hints[side];
            grz_deepest_try_sum(s, &ball);
            for (int side = 0; side < 2; side++)
                hints[side] = ball.nearest[side].triangle;
        }
        share = s->best.sum > before * (1 + 0x1p-10) ? share : 0.5 * share;
    }
}
