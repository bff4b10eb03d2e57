/* SPDX-License-Identifier: MIT */
/*
 * A face i j i of a part is a segment; where it reaches into another part it touches it, and bounds nothing. Its points
 * counted for the penetration depth all the same: two cubes that overlap by 1 had a depth of 20, certified, where a
 * spike of one reached 20 into the other. With an inconsistently oriented part the spike also made cubes overlap that
 * are apart, or not, by the order of its corners.
 */
#include <math.h>

#include "graze/depth.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    LABELLINGS = 8 /* of the three corners of a segment; the first and the last are points */
};

/* A cube of side 40 at the origin with a spike that ends at (x, 20, 20). */
static test_mesh make_spiked(double x, int labels)
{
    test_mesh spiked = {0};
    mesh_add_cube(&spiked, 0, 0, 0, 40);
    uint32_t points[2] = {mesh_add_vertex(&spiked, 40, 40, 40), mesh_add_vertex(&spiked, x, 20, 20)};
    mesh_add_triangle(&spiked, points[labels & 1], points[labels >> 1 & 1], points[labels >> 2 & 1]);
    return spiked;
}

typedef struct answers
{
    graze_verdict overlap;
    graze_depth depth;
} answers;

static answers ask(const test_mesh *a, const test_mesh *b, bool with_trees)
{
    graze_placed_mesh placed[2] = {{mesh_create(a), NULL, graze_pose_identity()},
                                   {mesh_create(b), NULL, graze_pose_identity()}};
    graze_tree *trees[2] = {NULL, NULL};
    for (int i = 0; i < 2 && with_trees; i++)
    {
        assert_int_equal(graze_tree_create(NULL, placed[i].mesh, NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        placed[i].tree = trees[i];
    }
    answers found;
    assert_int_equal(graze_pair_overlap(NULL, &placed[0], &placed[1], NULL, &found.overlap), GRAZE_STATUS_OK);
    assert_int_equal(graze_pair_depth(NULL, &placed[0], &placed[1], NULL, &found.depth), GRAZE_STATUS_OK);
    assert_int_equal(found.depth.overlap, found.overlap);
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(trees[i]);
        graze_mesh_destroy((graze_mesh *)placed[i].mesh);
    }
    return found;
}

static void a_spike_makes_nothing_deeper(void **state)
{
    (void)state;
    test_mesh block = {0};
    mesh_add_cube(&block, 39, 0, 0, 40);
    for (int labels = 1; labels < LABELLINGS - 1; labels++)
        for (int trees = 0; trees < 2; trees++)
        {
            test_mesh spiked = make_spiked(59, labels);
            answers found = ask(&spiked, &block, trees != 0);
            assert_int_equal(found.overlap, GRAZE_VERDICT_YES);
            assert_true(found.depth.lower > 0.9 && found.depth.lower <= 1);
            assert_true(found.depth.upper >= 1 && found.depth.upper < 1.1);
        }
}

static void a_spike_of_an_inconsistently_oriented_part_proves_no_overlap(void **state)
{
    (void)state;
    test_mesh block = {0};
    mesh_add_cube(&block, 45, 0, 0, 40);
    for (int labels = 1; labels < LABELLINGS - 1; labels++)
        for (int trees = 0; trees < 2; trees++)
        {
            test_mesh spiked = make_spiked(65, labels), turned = block;
            mesh_disorient(&turned);
            answers found = ask(&spiked, &turned, trees != 0);
            assert_int_equal(found.overlap, GRAZE_VERDICT_UNKNOWN);
            assert_true(found.depth.lower == 0);
        }
}

/* A face whose corners are one point counts where it lies inside, and is as deep as it lies. */
static void a_point_is_as_deep_as_it_lies(void **state)
{
    (void)state;
    test_mesh block = {0}, point = {0};
    mesh_add_cube(&block, 0, 0, 0, 40);
    uint32_t at = mesh_add_vertex(&point, 5, 20, 20);
    mesh_add_triangle(&point, at, at, at);
    answers found = ask(&point, &block, false);
    assert_int_equal(found.overlap, GRAZE_VERDICT_YES);
    assert_true(fabs(found.depth.lower - 5) < 0.1 && found.depth.upper >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spike_makes_nothing_deeper),
        cmocka_unit_test(a_spike_of_an_inconsistently_oriented_part_proves_no_overlap),
        cmocka_unit_test(a_point_is_as_deep_as_it_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
