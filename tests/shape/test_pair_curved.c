/* SPDX-License-Identifier: MIT */
/*
 * Cylinders, cones and ellipsoids against meshes of many triangles: verdict and distance are those of all triangles one
 * by one, and of the inside of solids.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/shape_query.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    ROUNDS = 150
};

typedef struct counters
{
    int pairs, collide, apart, inside;
} counters;

/* The nearest triangle, each as a shape of its own. */
static double nearest(const graze_mesh *mesh, const graze_pose *pose, const graze_placed *curved, bool *out_meet)
{
    double least = INFINITY;
    *out_meet = false;
    for (size_t t = 0; t < graze_mesh_triangle_count(mesh); t++)
    {
        double points[3][3];
        graze_shape *triangle;
        graze_shape_distance d;
        for (size_t c = 0; c < 3; c++)
            memcpy(points[c], graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * t + c],
                   sizeof points[c]);
        assert_int_equal(graze_shape_create_triangle(NULL, (const double(*)[3])points, &triangle), GRAZE_STATUS_OK);
        graze_placed placed = {triangle, *pose};
        assert_int_equal(graze_shape_pair_distance(NULL, &placed, curved, NULL, &d), GRAZE_STATUS_OK);
        *out_meet = *out_meet || d.upper == 0;
        least = fmin(least, d.distance);
        graze_shape_destroy(triangle);
    }
    return least;
}

static void check(const graze_mesh *mesh, bool solid, const graze_placed *curved, const graze_pose *pose, counters *c)
{
    graze_shape *shape;
    graze_shape_distance d;
    graze_verdict verdict;
    bool meet;
    assert_int_equal(graze_shape_create_mesh(NULL, mesh, NULL, solid, &shape), GRAZE_STATUS_OK);
    graze_placed placed = {shape, *pose};
    double least = nearest(mesh, pose, curved, &meet);
    assert_int_equal(graze_shape_pair_any(NULL, &placed, curved, NULL, &verdict, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_shape_pair_distance(NULL, &placed, curved, NULL, &d), GRAZE_STATUS_OK);
    bool inside = solid && verdict == GRAZE_VERDICT_YES && !meet;
    assert_true(d.found && d.lower <= d.distance && d.distance <= d.upper);
    if (inside)
        assert_true(d.upper == 0 && d.triangle_a == GRAZE_NO_TRIANGLE);
    else
    {
        assert_true(fabs(d.distance - least) <= 1e-9 && d.triangle_a < graze_mesh_triangle_count(mesh));
        assert_true(meet ? verdict == GRAZE_VERDICT_YES : verdict != GRAZE_VERDICT_YES);
    }
    c->pairs++;
    c->inside += inside;
    c->collide += meet;
    c->apart += verdict == GRAZE_VERDICT_NO;
    graze_shape_destroy(shape);
}

static void meshes_are_taken_triangle_by_triangle(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CONE, GRAZE_SHAPE_ELLIPSOID};
    test_random random = test_random_start("curved bodies and meshes", 51);
    counters c = {0};
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        graze_mesh *mesh;
        random_shape x;
        if (round % 2 == 0)
            assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, random_between(&random, 1, 12), 3, &mesh),
                             GRAZE_STATUS_OK);
        else
            assert_int_equal(graze_mesh_create_box(NULL, 3, 9, 2, 3, &mesh), GRAZE_STATUS_OK);
        random_shape_make(&random, kinds[round % 3], &x);
        graze_placed curved = {x.shape, random_rigid_pose(&random)};
        graze_pose pose = random_rigid_pose(&random);
        check(mesh, random_once_in(&random, 2), &curved, &pose, &c);
        random_shape_clear(&x);
        graze_mesh_destroy(mesh);
    }
    printf("%d pairs: %d meet, %d apart, %d inside\n", c.pairs, c.collide, c.apart, c.inside);
    assert_true(c.collide > c.pairs / 8 && c.apart > c.pairs / 8 && c.inside > c.pairs / 50);
}

/* A cylinder through the ground of another one: the way out is 1 along their axis, and exactly 0 across it. */
static void ways_out_have_no_negative_zeros(void **state)
{
    (void)state;
    graze_shape *cylinder;
    int along = 0;
    assert_int_equal(graze_shape_create_cylinder(NULL, 4, 8, &cylinder), GRAZE_STATUS_OK);
    for (int i = -1; i <= 1; i += 2)
    {
        const graze_placed a = {cylinder, graze_pose_identity()}, b = {cylinder, graze_pose_translation(0, 0, 3 * i)};
        graze_shape_depth depth;
        assert_int_equal(graze_shape_pair_depth(NULL, &a, &b, NULL, &depth), GRAZE_STATUS_OK);
        assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
        assert_true(fabs(depth.translation[2] - i) < 1e-9);
        for (int k = 0; k < 3; k++)
        {
            along += depth.translation[k] == 0;
            assert_true(depth.translation[k] != 0 || !signbit(depth.translation[k]));
        }
    }
    assert_int_equal(along, 4);
    graze_shape_destroy(cylinder);
}

/* Cylinders that lean by 0.8 to 0.6: the ways out of boxes around them are longer. A component of the way is 1, and
   is not lost where it is so exactly. */
static void ways_out_of_what_leans_have_all_components(void **state)
{
    (void)state;
    graze_shape *cylinder;
    int ones = 0;
    assert_int_equal(graze_shape_create_cylinder(NULL, 4, 8, &cylinder), GRAZE_STATUS_OK);
    for (int i = 0; i < 6 * 401; i++)
    {
        int across = i % 3, u = (across + 1) % 3, v = (across + 2) % 3, sign = i % 2 == 0 ? 1 : -1;
        double apart = 2.75 + 0x1.88p-43 + (i / 6 - 200) * 0x1p-52; /* depths are about 2^-43 too large */
        graze_placed a = {cylinder, {{0}}}, b;
        graze_shape_depth depth;
        a.pose.m[4 * across] = 1; /* its x axis; that of the cylinder is z */
        a.pose.m[4 * u + 1] = a.pose.m[4 * v + 2] = 0.6;
        a.pose.m[4 * v + 1] = 0.8;
        a.pose.m[4 * u + 2] = -0.8;
        b = a;
        for (int k = 0; k < 3; k++)
            b.pose.m[4 * k + 3] = apart * sign * a.pose.m[4 * k + 2];
        assert_int_equal(graze_shape_pair_depth(NULL, &a, &b, NULL, &depth), GRAZE_STATUS_OK);
        assert_int_equal(depth.overlap, GRAZE_VERDICT_YES);
        assert_true(depth.upper < 1.25 + 1e-9);
        assert_true(fabs(depth.translation[u] + sign) < 1e-9 && fabs(depth.translation[v] - 0.75 * sign) < 1e-9);
        assert_true(fabs(depth.translation[across]) < 1e-9);
        ones += fabs(depth.translation[u]) == 1;
    }
    printf("%d components of exactly 1\n", ones);
    assert_true(ones > 0);
    graze_shape_destroy(cylinder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_taken_triangle_by_triangle),
        cmocka_unit_test(ways_out_have_no_negative_zeros),
        cmocka_unit_test(ways_out_of_what_leans_have_all_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
