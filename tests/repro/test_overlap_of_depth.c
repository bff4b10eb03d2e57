/* SPDX-License-Identifier: MIT */
/*
 * A depth said that bodies overlap where graze_pair_overlap did not know, as with an edge of four faces: it went by the
 * deep point that it had found. Both now say what one function says, and that function also asks the corners of
 * surfaces that bound no body.
 */
#include <stdio.h>

#include "graze/depth.h"
#include "support/meshes.h"
#include "support/unit.h"

typedef struct seen
{
    unsigned verdicts[3], proved; /* unknown, with a point that is deep */
} seen;

static void check(const graze_placed_mesh *a, const graze_placed_mesh *b, seen *s)
{
    graze_depth_options options = graze_depth_options_default();
    options.most_queries = 40;
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
    mesh_add_cube(&block, 0, 0, -3, 4); /* it reaches out of the block below only at its faces */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_of_four_faces_is_told_alike),
        cmocka_unit_test(small_soups_are_told_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
