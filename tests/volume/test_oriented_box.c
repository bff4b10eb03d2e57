/* SPDX-License-Identifier: MIT */
/* Principal axes, and boxes tested by separating axes against points that both contain. */
#include "volume/oriented_box.h"

#include <string.h>

#include "base/random.h"
#include "support/placed_shapes.h"
#include "support/unit.h"
#include "volume/sphere.h"

static void check_orthonormal(double axes[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            double sum = 0;
            for (int j = 0; j < 3; j++)
                sum += axes[i][j] * axes[k][j];
            assert_true(fabs(sum - (i == k)) < 0x1p-48);
        }
}

static void axes_are_orthonormal_for_every_matrix(void **state)
{
    (void)state;
    grz_random random = grz_random_make(4);
    for (int round = 0; round < 3000; round++)
    {
        double m[3][3], axes[3][3];
        for (int i = 0; i < 3; i++)
            for (int k = i; k < 3; k++)
                m[i][k] = m[k][i] = round % 3 == 0 ? (double)grz_random_below(&random, 3)
                                                   : ldexp(grz_random_between(&random, -1, 1), round % 600 - 300);
        grz_principal_axes((const double(*)[3])m, axes);
        check_orthonormal(axes);
    }
    static const double not_a_number[3][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
    double axes[3][3];
    grz_principal_axes(not_a_number, axes);
    check_orthonormal(axes);
}

static void the_first_axis_is_the_longest(void **state)
{
    (void)state;
    static const double m[3][3] = {{2, 1, 0}, {1, 2, 0}, {0, 0, 0.5}};
    double axes[3][3];
    grz_principal_axes(m, axes);
    assert_true(fabs(fabs(axes[0][0] + axes[0][1]) - sqrt(2)) < 1e-12);
    assert_true(fabs(fabs(axes[2][2]) - 1) < 1e-12);
}

static grz_oriented_box_volume random_box(grz_random *random, double far)
{
    graze_pose turn = placed_pose(random, 0);
    grz_oriented_box_volume box;
    for (int i = 0; i < 3; i++)
    {
        for (int k = 0; k < 3; k++)
            box.axes[i][k] = turn.m[4 * k + i];
        box.centre[i] = grz_random_between(random, -far, far);
        box.extents[i] = grz_random_between(random, 0, 1);
    }
    return box;
}

/* The largest and smallest coordinates of a box's corners along a direction. */
static void extent_along(const grz_oriented_box_volume *box, const double direction[3], double out[2])
{
    double middle = 0, radius = 0;
    for (int i = 0; i < 3; i++)
    {
        middle += direction[i] * box->centre[i];
        radius +=
            fabs(box->axes[i][0] * direction[0] + box->axes[i][1] * direction[1] + box->axes[i][2] * direction[2]) *
            box->extents[i];
    }
    out[0] = middle - radius;
    out[1] = middle + radius;
}

/* By all 15 axes in the world. */
static bool are_disjoint(const grz_oriented_box_volume *a, const grz_oriented_box_volume *b)
{
    for (int n = 0; n < 15; n++)
    {
        double direction[3], of_a[2], of_b[2];
        const double *p = a->axes[n < 9 ? n / 3 : 0], *q = b->axes[n < 9 ? n % 3 : 0];
        for (int i = 0; i < 3; i++)
            direction[i] = n >= 12  ? b->axes[n - 12][i]
                           : n >= 9 ? a->axes[n - 9][i]
                                    : p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3];
        extent_along(a, direction, of_a);
        extent_along(b, direction, of_b);
        if (of_a[0] > of_b[1] + 1e-9 || of_b[0] > of_a[1] + 1e-9)
            return true;
    }
    return false;
}

static void separating_axes_in_a_frame_are_those_in_the_world(void **state)
{
    (void)state;
    grz_random random = grz_random_make(6);
    unsigned disjoint = 0, by_faces_only = 0, overlapping = 0;
    static const double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (unsigned round = 0; round < TEST_ROUNDS(20000u); round++)
    {
        grz_oriented_box_volume a = random_box(&random, 0.9), b = random_box(&random, 0.9);
        grz_box_placement placement;
        grz_box_placement_make(&a, &b, identity, &placement);
        bool all = grz_boxes_overlap(a.extents, b.extents, &placement, GRZ_AXES_ALL, 1e-9);
        bool faces = grz_boxes_overlap(a.extents, b.extents, &placement, GRZ_AXES_OF_FACES, 1e-9);
        bool faces_of_a = grz_boxes_overlap(a.extents, b.extents, &placement, GRZ_AXES_OF_FACES_OF_A, 1e-9);
        bool apart = are_disjoint(&a, &b);
        assert_true(all || apart); /* axes of the test are cross products of unit vectors: no longer than 1 */
        if (!apart)
            assert_true(all);
        assert_true(!all || faces);
        assert_true(!faces || faces_of_a);
        disjoint += !all;
        overlapping += all;
        by_faces_only += faces && !all;
    }
    assert_true(disjoint > TEST_ROUNDS(20000u) / 4 && overlapping > TEST_ROUNDS(20000u) / 4 && by_faces_only > 0);
}

static void spheres_overlap_when_they_touch(void **state)
{
    (void)state;
    grz_bounding_sphere a = {{0, 0, 0}, 1}, b = {{2, 0, 0}, 1}, c = {{0, 3, 0}, 0.5};
    assert_true(grz_spheres_overlap(&a, b.centre, b.radius, 0));
    b.centre[0] = 2 + 1e-12;
    assert_false(grz_spheres_overlap(&a, b.centre, b.radius, 0));
    assert_true(grz_spheres_overlap(&a, b.centre, b.radius, 1e-11));
    grz_sphere_enclose(&a, &c);
    assert_true(a.radius >= 3.5 && a.radius < 3.5 + 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_are_orthonormal_for_every_matrix),
        cmocka_unit_test(the_first_axis_is_the_longest),
        cmocka_unit_test(separating_axes_in_a_frame_are_those_in_the_world),
        cmocka_unit_test(spheres_overlap_when_they_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
