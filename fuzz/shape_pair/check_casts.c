/* SPDX-License-Identifier: MIT */
/*
 * Shape casts of the second shape: what collides at the start, at the end or halfway is hit, no later; where both
 * positions are doubles.
 */
#include <math.h>
#include <string.h>

#include "shape_case.h"

/* Halfway, where that is a double on each axis and B is no compound, whose parts are rounded again. */
static bool place_halfway(const graze_placed *start, const double to[3], graze_placed *out)
{
    *out = *start;
    for (int k = 0; k < 3; k++)
    {
        double from = start->pose.m[4 * k + 3], sum = from + to[k];
        bool exact = sum - from == to[k] && sum - to[k] == from; /* one of both differences is not rounded */
        if (!isfinite(sum) || !exact || (sum != 0 && fabs(sum) < 0x1p-1000))
            return false;
        out->pose.m[4 * k + 3] = 0.5 * sum;
    }
    return graze_shape_part_count(start->shape) == 0;
}

static graze_verdict collides(const graze_placed *a, const graze_placed *b)
{
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    graze_status status = graze_shape_pair_any(NULL, a, b, NULL, &verdict, NULL);
    return status == GRAZE_STATUS_OK ? verdict : GRAZE_VERDICT_UNKNOWN;
}

static void check_time(graze_verdict found, const graze_shape_cast_hit *hit, graze_verdict there, double t)
{
    if (there != GRAZE_VERDICT_YES)
        return;
    EXPECT(found != GRAZE_VERDICT_NO, "a cast misses a contact at %a", t);
    EXPECT(found != GRAZE_VERDICT_YES || hit->t_lower <= t, "contact at %a, before [%a, %a]", t, hit->t_lower,
           hit->t_upper);
}

void check_casts(fuzz_bytes *bytes, shape_case *c)
{
    const graze_placed *a = &c->sides[0].placed, *b = &c->sides[1].placed;
    graze_placed end = *b, middle;
    graze_verdict found;
    graze_shape_cast_hit hit;
    graze_status status;
    double to[3];
    for (int k = 0; k < 3; k++)
    {
        to[k] = take_coordinate(bytes) + (take_below(bytes, 2) != 0 ? b->pose.m[4 * k + 3] : 0);
        end.pose.m[4 * k + 3] = to[k];
    }
    IN_ENVIRONMENT(c, status, graze_shape_pair_cast(&c->context, a, b, to, NULL, &found, &hit));
    if (graze_placed_check(&end) != GRAZE_STATUS_OK)
    {
        EXPECT(status == graze_placed_check(&end), "cast to a pose that is refused: %s", graze_status_text(status));
        return;
    }
    EXPECT(status == GRAZE_STATUS_OK, "cast: %s", graze_status_text(status));
    finding_note_text("/* cast to %a %a %a */\n", to[0], to[1], to[2]);
    graze_verdict start = collides(a, b);
    if (found == GRAZE_VERDICT_YES)
    {
        EXPECT(hit.part_a < c->sides[0].leaf_count && hit.part_b < c->sides[1].leaf_count, "a cast meets no leaf");
        EXPECT(0 <= hit.t_lower && hit.t_lower <= hit.t && hit.t <= hit.t_upper && hit.t_upper <= 1,
               "t %a is not in [%a, %a]", hit.t, hit.t_lower, hit.t_upper);
        EXPECT(start != GRAZE_VERDICT_NO || hit.t_upper > 0, "contact at a start without one");
    }
    check_time(found, &hit, start, 0);
    check_time(found, &hit, collides(a, &end), 1);
    if (place_halfway(b, to, &middle))
        check_time(found, &hit, collides(a, &middle), 0.5);
}
