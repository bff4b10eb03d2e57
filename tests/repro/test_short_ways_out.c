/* SPDX-License-Identifier: MIT */
/*
 * Two copies of a part, moved by an ulp, that are flat where they meet: no common point has a known depth, and ever
 * shorter translations separated them, so the search for the shortest went on until its queries were used up: 0.15 s a
 * pair of 12 triangles in a clash report. A differential fuzzer's clock found them.
 */
#include <math.h>
#include <stdio.h>

#include "graze/depth.h"
#include "support/meshes.h"
#include "support/unit.h"

/* Two tetrahedra that share an edge, each with faces that lie on one another, and four triangles without an area. */
static test_mesh make_part(void)
{
    static const double vertices[15][3] = {{0, -2, 1},  {0, -2, 1},   {2, -2, -1}, {0, 0, -1}, {-2, -2, -1},
                                           {0, -4, -1}, {-1, -3, -3}, {1, 1, 2},   {2, 1, 2},  {1, 1, 2},
                                           {2, 1, 2},   {1, 1, 2},    {2, 1, 2},   {1, 1, 2},  {2, 1, 2}};
    static const uint32_t corners[12][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2},   {0, 2, 3},  {0, 4, 1},   {0, 1, 5},
                                            {1, 4, 5}, {0, 5, 4}, {7, 11, 13}, {7, 13, 9}, {8, 10, 14}, {8, 14, 12}};
    test_mesh part = {0};
    for (int i = 0; i < 15; i++)
        mesh_add_vertex(&part, vertices[i][0], vertices[i][1], vertices[i][2]);
    for (int i = 0; i < 12; i++)
        mesh_add_triangle(&part, corners[i][0], corners[i][1], corners[i][2]);
    return part;
}

static void ways_out_that_get_ever_shorter_are_not_followed(void **state)
{
    (void)state;
    test_mesh part = make_part();
    graze_mesh *mesh = mesh_create(&part);
    int searched = 0;
    for (int i = 1; i <= 4; i++)
    {
        graze_placed_mesh a = {mesh, NULL, graze_pose_translation(1, 0, 1)};
        graze_placed_mesh b = {mesh, NULL, graze_pose_translation(1 - i * 0x1p-53, 0, 1 - 0x1p-53)};
        graze_interference found;
        assert_int_equal(graze_pair_interference(NULL, &a, &b, NULL, &found), GRAZE_STATUS_OK);
        printf("%d: %u queries, a way out of %g\n", i, found.way_out.queries, found.way_out.upper);
        assert_true(found.way_out.queries < 100);
        searched += found.way_out.queries > 0;
        if (found.way_out.queries > 0) /* it is still known to be short */
            assert_true(found.way_out.upper < 1e-13);
    }
    assert_true(searched > 0);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ways_out_that_get_ever_shorter_are_not_followed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
