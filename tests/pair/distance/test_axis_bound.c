/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds of triangles' distances along their axes, against distances in integers: never above them, also where
 * rounding of corners is as large as the gap; and within the error asked for where faces or edges are closest, however
 * close they are.
 */
#include "pair/distance/axis_bound.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "graze/distance.h"
#include "graze/generate.h"
#include "support/unit.h"

enum
{
    SEED = 977
};

static graze_mesh *triangle_mesh(double corners[3][3])
{
    static const uint32_t indices[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *mesh;
    def.vertices = corners;
    def.vertex_count = 3;
    def.corners = indices;
    def.corner_count = 3;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Two triangles in planes z = 0 and z = gap, or with crossing edges that far apart, both under one random pose, which
   is rounded: so the gap is known to some units in the last place only, and integers say what it is. */
static void bounds_are_below_exact_distances(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    printf("seed %d\n", SEED);
    size_t positive = 0, raised = 0, tight = 0, rounds = 4000, open = 0;
    double least_left = INFINITY; /* how far bounds stay below, in units of the last place of 1 */
    for (size_t round = 0; round < rounds; round++)
    {
        double a[3][3], b[3][3], gap = exp2(grz_random_between(&random, -49, -8)), axis[3];
        bool edges = round % 2 == 1;
        for (int i = 0; i < 3; i++)
        {
            for (int k = 0; k < 3; k++)
            {
                a[i][k] = grz_random_between(&random, -1, 1);
                b[i][k] = grz_random_between(&random, -1, 1);
            }
            axis[i] = grz_random_between(&random, -1, 1);
            a[i][2] = edges ? (i < 2 ? 0 : -1) : 0;
            b[i][2] = edges ? (i < 2 ? gap : 1) : gap;
        }
        if (edges) /* edges along x and y */
        {
            a[0][0] = b[0][1] = -1;
            a[1][0] = b[1][1] = 1;
            a[0][1] = a[1][1] = b[0][0] = b[1][0] = 0.125;
        }
        graze_pose pose;
        const double away[3] = {grz_random_between(&random, -2, 2), 0, 0};
        assert_int_equal(graze_pose_from_axis_angle(axis, 3 * axis[0], away, &pose), GRAZE_STATUS_OK);
        graze_mesh *meshes[2] = {triangle_mesh(a), triangle_mesh(b)};
        graze_placed_mesh placed[2] = {{meshes[0], NULL, pose}, {meshes[1], NULL, pose}};
        placed[1].pose.m[3] += round % 3 == 0 ? 0x1p-52 : 0; /* not the same pose */
        grz_measure_frame frame;
        grz_closest_pair rough[GRZ_LANES], exact;
        grz_triangle_pair_batch batch = {.count = 1};
        grz_measure_frame_make(&frame, NULL, &placed[0], &placed[1]);
        grz_measure_pairs_in_doubles(&frame, &batch, rough);
        exact = rough[0];
        grz_measure_open_pair(&frame, &exact);
        double before = rough[0].lower;
        bool was_open = rough[0].open;
        grz_raise_lower_bound(&frame, 0, &rough[0]);
        assert_true(rough[0].lower >= before && rough[0].lower <= exact.upper);
        if (rough[0].lower > 0)
            least_left = fmin(least_left, (exact.upper - rough[0].lower) * 0x1p52);
        assert_true(rough[0].open == (was_open && rough[0].lower == 0));
        positive += rough[0].lower > 0;
        raised += rough[0].lower > before;
        open += was_open && !rough[0].open;
        tight += exact.upper - rough[0].lower < 200 * 0x1p-52;
        graze_mesh_destroy(meshes[0]);
        graze_mesh_destroy(meshes[1]);
    }
    printf("%zu of %zu positive, %zu raised, %zu no longer open, %zu tight, %.1f units left at least\n", positive,
           rounds, raised, open, tight, least_left);
    assert_true(positive > rounds * 3 / 4 && raised > rounds / 2 && tight > rounds / 2 && open > 50);
}

/* Boxes beside each other: no pair is measured in integers where an error of 1e-12 is allowed. */
static void near_boxes_are_measured_in_doubles(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int power = -3; power >= -9; power--)
        for (int step = 0; step < 20; step++)
        {
            double gap = pow(10, power);
            graze_stats stats;
            graze_distance d;
            graze_distance_options options = graze_distance_options_default();
            options.stats = &stats;
            options.absolute_error = 1e-12;
            graze_placed_mesh a = {mesh, tree, graze_pose_identity()};
            graze_placed_mesh b = {mesh, tree, graze_pose_translation(1 + gap, 0.01 * step, 0.3)};
            assert_int_equal(graze_pair_distance(NULL, &a, &b, &options, &d), GRAZE_STATUS_OK);
            assert_true(d.upper - d.lower <= 1.1e-12 && fabs(d.distance - gap) < 1e-12);
            assert_int_equal(stats.exact_signs, 0);
        }
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_below_exact_distances),
        cmocka_unit_test(near_boxes_are_measured_in_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
