/* SPDX-License-Identifier: MIT */
/*
 * Where the nearest triangle of a cell had two equal corners, one of which is a corner of the triangle it is compared
 * with, the search for the deepest common point read beside an array of corners, and split the cell by what was there.
 */
#include <math.h>

#include "pair/depth/simplex_search.h"
#include "support/bodies.h"
#include "support/unit.h"

static void cells_are_compared_with_triangles_of_two_equal_corners(void **state)
{
    (void)state;
    double corners[5][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {-2, 0, 0}};
    const uint32_t orders[3][6] = {{0, 1, 2, 0, 3, 4}, {0, 1, 2, 4, 0, 3}, {0, 1, 2, 3, 4, 0}};
    const double points[3][3] = {{0.5, 0, 0.1}, {0.9, 0, 0.1}, {-0.2, 0.5, 0.1}};
    for (int i = 0; i < 3; i++)
    {
        graze_mesh *mesh = body_of_triangles(corners, 5, orders[i], 2);
        graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        grz_simplex_space space = {.reach = 4};
        space.surfaces[1] = grz_surface_make(&body, 4, NULL);
        grz_simplex cell = {.owner = 0};
        for (int k = 0; k < 3; k++)
            assert_true(grz_simplex_vertex_add(&space, points[k], &cell.vertices[k]));
        double values[4] = {0, 0, 0, 0}, bound = grz_simplex_distance_bound(&space, &cell, 1, values);
        /* The third vertex lies over the second triangle, sqrt(0.3) from the first; the others 0.1 above the first,
           sqrt(0.26) and sqrt(0.82) from the second. A mixture of both triangles may bound the cell more closely. */
        assert_true(bound >= 0.1 && bound <= sqrt(0.3) + 1e-12);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(values[k]) <= sqrt(0.82) - 0.1 + 1e-12);
        grz_release(NULL, space.vertices.data);
        grz_placed_body_release(NULL, &body);
        graze_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells_are_compared_with_triangles_of_two_equal_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
