/* SPDX-License-Identifier: MIT */
/*
 * Overlaps of two boxes on each of their fifteen axes, against the projections of their corners; the least one of them.
 * Poses whose columns lean to one another by more than rounding are refused, whichever two do.
 */
#include "convex/box_overlaps.h"

#include <math.h>
#include <stdio.h>

#include "graze/pose.h"
#include "math/vector.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    PAIRS = 500,
    AXES = 15
};

static void random_box(test_random *random, grz_box_features *features, graze_pose *pose)
{
    double axis[3], at[3];
    *features = (grz_box_features){.is_centred = random_once_in(random, 2)};
    for (int k = 0; k < 3; k++)
    {
        features->half[k] = random_real(random, 0.1, 2);
        features->centre[k] = features->is_centred ? 0 : random_real(random, -1, 1);
        features->size += features->half[k] + fabs(features->centre[k]);
        axis[k] = random_real(random, -1, 1);
        at[k] = random_real(random, -2, 2);
    }
    assert_int_equal(graze_pose_from_axis_angle(axis, random_real(random, 0, 3), at, pose), GRAZE_STATUS_OK);
}

static v3 column_of(const graze_pose *pose, uint32_t k)
{
    return v3_make(pose->m[k], pose->m[4 + k], pose->m[8 + k]);
}

/* The least and the largest coordinate of the corners along a direction. */
static void project(const grz_placed_box *box, v3 n, double out[2])
{
    out[0] = INFINITY;
    out[1] = -INFINITY;
    for (int i = 0; i < 8; i++)
    {
        double corner[3], p[3];
        for (int k = 0; k < 3; k++)
            corner[k] = box->features->centre[k] + (i >> k & 1 ? 1 : -1) * box->features->half[k];
        graze_pose_apply(box->pose, corner, p);
        double height = v3_dot(n, v3_load(p));
        out[0] = fmin(out[0], height);
        out[1] = fmax(out[1], height);
    }
}

static v3 axis_of(const grz_placed_box *a, const grz_placed_box *b, uint32_t axis)
{
    if (axis < 6)
        return axis < 3 ? column_of(a->pose, axis) : column_of(b->pose, axis - 3);
    v3 n = v3_cross(column_of(a->pose, (axis - 6) / 3), column_of(b->pose, (axis - 6) % 3));
    return v3_scale(1 / v3_length(n), n);
}

static void overlaps_are_those_of_projections(void **state)
{
    (void)state;
    test_random random = test_random_start("overlaps_are_those_of_projections", 71);
    int least_on[AXES] = {0}, apart = 0;
    for (int i = 0; i < PAIRS; i++)
    {
        grz_box_features features[2];
        graze_pose poses[2];
        grz_box_overlaps p;
        double least = INFINITY;
        uint32_t least_axis;
        for (int k = 0; k < 2; k++)
            random_box(&random, &features[k], &poses[k]);
        const grz_placed_box a = {&features[0], &poses[0]}, b = {&features[1], &poses[1]};
        assert_true(grz_box_overlaps_prepare(&a, &b, &p));
        for (uint32_t axis = 0; axis < AXES; axis++)
        {
            double of_a[2], of_b[2];
            v3 n = axis_of(&a, &b, axis);
            project(&a, n, of_a);
            project(&b, n, of_b);
            double overlap = fmin(of_a[1] - of_b[0], of_b[1] - of_a[0]);
            assert_true(fabs(grz_box_overlap_on(&p, axis) - overlap) < 1e-9);
            least = fmin(least, overlap);
        }
        assert_true(fabs(grz_box_overlap_least(&p, &least_axis) - least) < 1e-9);
        assert_true(least_axis < AXES && fabs(grz_box_overlap_on(&p, least_axis) - least) < 1e-9);
        least_on[least_axis]++;
        apart += least < 0;
    }
    printf("%d apart\n", apart);
    assert_true(apart > PAIRS / 10 && apart < PAIRS * 9 / 10);
    for (int axis = 0; axis < AXES; axis++)
        assert_true(least_on[axis] > 0);
}

static void columns_that_lean_are_refused(void **state)
{
    (void)state;
    const grz_box_features unit = {.half = {0.5, 0.5, 0.5}, .size = 1.5, .is_centred = true};
    const graze_pose here = graze_pose_identity();
    for (int entry = 0; entry < 18; entry++)
    {
        int k = entry % 9, of_b = entry / 9;
        for (int much = 0; much < 2; much++)
        {
            graze_pose pose = here;
            grz_box_overlaps p;
            pose.m[4 * (k / 3) + k % 3] += much ? 0x1p-39 : 0x1p-42;
            const grz_placed_box a = {&unit, of_b ? &here : &pose}, b = {&unit, of_b ? &pose : &here};
            assert_int_equal(grz_box_overlaps_prepare(&a, &b, &p), !much);
        }
    }
}

static void poses_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    const grz_box_features unit = {.half = {0.5, 0.5, 0.5}, .size = 1.5, .is_centred = true};
    const graze_pose here = graze_pose_identity();
    for (int entry = 0; entry < 24; entry++)
        for (int infinite = 0; infinite < 2; infinite++)
        {
            graze_pose pose = here;
            grz_box_overlaps p;
            pose.m[entry % 12] = infinite ? INFINITY : NAN;
            const grz_placed_box a = {&unit, entry < 12 ? &here : &pose}, b = {&unit, entry < 12 ? &pose : &here};
            assert_false(grz_box_overlaps_prepare(&a, &b, &p));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_are_those_of_projections),
        cmocka_unit_test(columns_that_lean_are_refused),
        cmocka_unit_test(poses_that_are_not_finite_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
