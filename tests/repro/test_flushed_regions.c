/* SPDX-License-Identifier: MIT */
/*
 * The box around a region of denormal points was the origin where denormals are flushed to zero: it was found by
 * minima and maxima in the caller's environment.
 */
#include "graze/region.h"
#include "support/environment.h"
#include "support/meshes.h"
#include "support/unit.h"

static void bounds_hold_the_points_in_every_environment(void **state)
{
    (void)state;
    test_mesh cubes[2] = {{0}, {0}};
    mesh_add_cube(&cubes[0], 1, 2, 3, 4);
    mesh_add_cube(&cubes[1], -3, 4, -5, 9);
    /* They share the curve in which the surfaces of [1, 5] x [2, 6] x [3, 7] and [-3, 6] x [4, 13] x [-5, 4] cross. */
    static const double lower[3] = {1, 4, 3}, upper[3] = {5, 6, 4};
    static const int powers[3] = {0, -1060, -1074};
    for (int i = 0; i < 3; i++)
    {
        graze_mesh *meshes[2] = {mesh_create_scaled(&cubes[0], powers[i]), mesh_create_scaled(&cubes[1], powers[i])};
        graze_placed_mesh a = {meshes[0], NULL, graze_pose_identity()}, b = {meshes[1], NULL, graze_pose_identity()};
        test_mesh box = {0};
        mesh_add_box(&box, lower, upper, false);
        graze_mesh *expected = mesh_create_scaled(&box, powers[i]);
        graze_box bounds = graze_mesh_bounds(expected);
        for (int number = 0; number < ENVIRONMENTS; number++)
        {
            graze_region *region = NULL;
            saved_environment saved;
            environment_enter(&saved, number);
            graze_status status = graze_region_create(NULL, &a, &b, NULL, &region);
            environment_leave(&saved);
            assert_int_equal(status, GRAZE_STATUS_OK);
            assert_memory_equal(&region->bounds, &bounds, sizeof bounds);
            graze_region_destroy(region);
        }
        graze_mesh_destroy(expected);
        graze_mesh_destroy(meshes[0]);
        graze_mesh_destroy(meshes[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_hold_the_points_in_every_environment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
