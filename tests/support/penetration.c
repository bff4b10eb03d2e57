/* SPDX-License-Identifier: MIT */
/* Penetration depth queries with checks; see penetration.h. */
#include "support/penetration.h"

#include <math.h>

#include "support/unit.h"

graze_depth depth_of(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_depth depth;
    assert_int_equal(graze_pair_depth(NULL, a, b, NULL, &depth), GRAZE_STATUS_OK);
    return depth;
}

void check_separating_translation(const graze_placed_mesh *a, const graze_placed_mesh *b, const graze_depth *depth)
{
    for (int mover = 0; mover < 2; mover++)
    {
        graze_placed_mesh moved[2] = {*a, *b};
        double length = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double step = mover == 1 ? depth->translation[axis] : -depth->translation[axis];
            double before = moved[mover].pose.m[4 * axis + 3];
            moved[mover].pose.m[4 * axis + 3] = before + step;
            length = hypot(length, before + step - before);
        }
        assert_true(length <= depth->upper * (1 + 1e-14));
        graze_pair_counts counts;
        graze_verdict overlap;
        graze_solid_answer solid;
        assert_int_equal(graze_pair_count(NULL, &moved[0], &moved[1], NULL, &counts), GRAZE_STATUS_OK);
        assert_int_equal(counts.crossing, 0);
        assert_int_equal(graze_pair_overlap(NULL, &moved[0], &moved[1], NULL, &overlap), GRAZE_STATUS_OK);
        assert_int_equal(overlap, GRAZE_VERDICT_NO);
        assert_int_equal(graze_pair_containment(NULL, &moved[0], &moved[1], NULL, &solid), GRAZE_STATUS_OK);
        assert_true(solid.containment == GRAZE_CONTAINMENT_NONE || solid.containment == GRAZE_CONTAINMENT_UNKNOWN);
    }
}

void assert_same_depths(const graze_depth *x, const graze_depth *y)
{
    assert_int_equal(x->overlap, y->overlap);
    assert_true(x->lower == y->lower && x->upper == y->upper && x->reached == y->reached);
    assert_memory_equal(x->translation, y->translation, sizeof x->translation);
    assert_int_equal(x->inside_b, y->inside_b);
    assert_memory_equal(x->point, y->point, sizeof x->point);
    assert_memory_equal(x->nearest, y->nearest, sizeof x->nearest);
    assert_true(x->triangle_a == y->triangle_a && x->triangle_b == y->triangle_b && x->queries == y->queries);
}
