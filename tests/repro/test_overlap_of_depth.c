/* SPDX-License-Identifier: MIT */
/*
 * A depth query reported overlap where graze_pair_overlap answered unknown, as with an edge of four faces: it relied on
 * the deep point that it had found. Both now use one function, which also tests the corners of surfaces that bound no
 * body.
 */
#include <stdio.h>

#include "graze/depth.h"
#include "support/meshes.h"
#include "support/unit.h"

typedef struct seen
{
    unsigned verdicts[3], proved; /* unknown, with a deep point */
} seen;

static void check(const graze_placed_mesh *a, const graze_placed_mesh *b, seen *s)
{
    graze_depth_options options = graze_depth_options_default();
    options.max_queries = 40;
    for (int swapped = 0; swapped < 2; swapped++)
    {
        graze_depth depth;
        graze_verdict verdict;
        const graze_placed_mesh *first = swapped ? b : a, *second = swapped ? a : b;
        assert_int_equal(graze_pair_depth(NULL, first, second, &options, &depth), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_overlap(NULL, first, second, NULL, &verdict), GRAZE_STATUS_OK);
        assert_int_equal(depth.overlap, verdict);
        assert_true(depth.lower == 0 || verdict != GRAZE_VERDICT_NO);
        s->verdicts[verdict]++;
        s->proved += verdict == GRAZE_VERDICT_UNKNOWN && depth.lower > 0;
    }
}

static graze_placed_mesh place(test_mesh *mesh)
{
    graze_placed_mesh placed = {mesh_create(mesh), NULL, graze_pose_identity()};
    return placed;
}

/* Two cubes that share an edge, as one mesh: that edge has four faces. */
static void add_edge_of_four(test_mesh *mesh, double x, double y, double z)
{
    mesh_add_cube(mesh, x, y, z, 1);
    mesh_add_cube(mesh, x + 1, y + 1, z, 1);
}

static void an_edge_of_four_faces_is_told_alike(void **state)
{
    (void)state;
    test_mesh body = {0}, block = {0};
    add_edge_of_four(&body, 0, 0, 0);
    mesh_add_cube(&block, 0, 0, -3, 4); /* it leaves the block below only at its faces */
    graze_placed_mesh a = place(&body), b = place(&block);
    seen s = {0};
    check(&a, &b, &s);
    assert_int_equal(s.verdicts[GRAZE_VERDICT_YES], 2);
    graze_mesh_destroy((graze_mesh *)a.mesh);
    graze_mesh_destroy((graze_mesh *)b.mesh);
}

/* Bodies on a small grid, whole or with edges of four faces, and soups. */
static void add_anything(test_mesh *mesh, test_random *random)
{
    double x = random_below(random, 3), y = random_below(random, 3), z = random_below(random, 3);
    switch (random_below(random, 4))
    {
    case 0:
        add_edge_of_four(mesh, x, y, z);
        break;
    case 1:
        mesh_add_cube(mesh, x, y, z, 1 + random_below(random, 2));
        break;
    case 2:
        mesh_add_cube(mesh, x, y, z, 2);
        mesh_add_cube(mesh, x, y, z, 2); /* everything twice */
        break;
    default:
        mesh_add_soup(mesh, random, 8, 6, 4);
        break;
    }
    if (random_below(random, 4) == 0)
        mesh_disorient(mesh);
}

static void small_soups_are_told_alike(void **state)
{
    (void)state;
    test_random random = test_random_start("small_soups_are_told_alike", 15013);
    seen s = {0};
    for (int round = 0; round < 300; round++)
    {
        test_mesh first = {0}, second = {0};
        add_anything(&first, &random);
        add_anything(&second, &random);
        graze_placed_mesh a = place(&first), b = place(&second);
        check(&a, &b, &s);
        graze_mesh_destroy((graze_mesh *)a.mesh);
        graze_mesh_destroy((graze_mesh *)b.mesh);
    }
    printf("%u no, %u yes, %u unknown, of these %u with a deep point\n", s.verdicts[GRAZE_VERDICT_NO],
           s.verdicts[GRAZE_VERDICT_YES], s.verdicts[GRAZE_VERDICT_UNKNOWN], s.proved);
    assert_true(s.verdicts[GRAZE_VERDICT_NO] > 30 && s.verdicts[GRAZE_VERDICT_YES] > 30);
    assert_true(s.verdicts[GRAZE_VERDICT_UNKNOWN] > 10 && s.proved > 0);
}

/* Blades around the z axis that meet at the origin, on one side of z = 0. */
static void add_blade(test_mesh *mesh, int i, double up)
{
    double x = i - 6.5, y = 8.0 - i;
    uint32_t first = mesh_add_vertex(mesh, 0, 0, 0);
    mesh_add_vertex(mesh, x, y, 0.125 * up);
    mesh_add_vertex(mesh, x, y, up);
    mesh_add_triangle(mesh, first, first + 1, first + 2);
}

/* Only the plane of one of the 13 triangles of A separates the two: whether it is tried must not depend on the order of
 * the two. Poses that differ in the sign of a zero give either order. A depth query guarantees that its translation
 * ends without overlap; queried again there, where the order may be the other one, the answer was unknown. */
static void planes_tried_do_not_depend_on_the_order(void **state)
{
    (void)state;
    enum
    {
        BLADES = 12
    };
    int separated = 0;
    test_mesh below = {0};
    for (int i = 0; i < BLADES; i++)
        add_blade(&below, i, -1);
    graze_placed_mesh b = place(&below);
    for (int flat = 0; flat <= BLADES; flat++)
    {
        test_mesh above = {0};
        for (int i = 0; i <= BLADES; i++)
        {
            if (i != flat)
                add_blade(&above, i, 1);
            else
            {
                uint32_t first = mesh_add_vertex(&above, 0, 0, 0);
                mesh_add_vertex(&above, 1, 0, 0);
                mesh_add_vertex(&above, 0, 1, 0);
                mesh_add_triangle(&above, first, first + 1, first + 2);
            }
        }
        graze_placed_mesh a = place(&above);
        graze_verdict verdicts[2];
        for (int first = 0; first < 2; first++)
        {
            a.pose = b.pose = graze_pose_identity();
            (first == 0 ? &a : &b)->pose.m[1] = -0.0;
            assert_int_equal(graze_pair_overlap(NULL, &a, &b, NULL, &verdicts[first]), GRAZE_STATUS_OK);
        }
        assert_int_equal(verdicts[0], verdicts[1]);
        assert_int_not_equal(verdicts[0], GRAZE_VERDICT_YES);
        separated += verdicts[0] == GRAZE_VERDICT_NO;
        graze_mesh_destroy((graze_mesh *)a.mesh);
    }
    assert_int_equal(separated, 12); /* planes tried of each side */
    graze_mesh_destroy((graze_mesh *)b.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_of_four_faces_is_told_alike),
        cmocka_unit_test(small_soups_are_told_alike),
        cmocka_unit_test(planes_tried_do_not_depend_on_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
