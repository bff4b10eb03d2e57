/* SPDX-License-Identifier: MIT */
/*
 * Coordinates just below zero were rounded to -0 in a region, others to 0. Such points were one point of it, and which
 * zero it got depended on the order of the arguments. Found by the fuzzer of pairs.
 */
#include <math.h>
#include <string.h>

#include "graze/region.h"
#include "support/meshes.h"
#include "support/unit.h"

static graze_mesh *two_triangles(void)
{
    static const double corners[6][3] = {{3277, -32768, -32768}, {147456, 49152, 20480}, {81920, 147456, 20480},
                                         {32768, 65536, 0},      {98304, 131072, 0},     {98304, 65536, 0}};
    static const uint32_t indices[6] = {0, 1, 2, 3, 4, 5};
    double vertices[6][3];
    for (int i = 0; i < 6; i++)
        for (int axis = 0; axis < 3; axis++)
            vertices[i][axis] = ldexp(corners[i][axis], -1074);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices[0];
    def.vertex_count = 6;
    def.corners = indices;
    def.corner_count = 6;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void swapped_arguments_give_the_same_zeros(void **state)
{
    (void)state;
    graze_mesh *mesh = two_triangles();
    graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = a;
    b.pose.m[9] = -0x1p-1074; /* shears it by far less than a unit */
    graze_region *region, *swapped;
    assert_int_equal(graze_region_create(NULL, &a, &b, NULL, &region), GRAZE_STATUS_OK);
    assert_int_equal(graze_region_create(NULL, &b, &a, NULL, &swapped), GRAZE_STATUS_OK);
    assert_true(region->curve_count > 0 && region->curve_count == swapped->curve_count);
    size_t count = region->curve_starts[region->curve_count];
    assert_int_equal(count, swapped->curve_starts[swapped->curve_count]);
    assert_memory_equal(region->curve_points, swapped->curve_points, 3 * count * sizeof(double));
    size_t zeros = 0;
    for (size_t i = 0; i < 3 * count; i++)
    {
        zeros += region->curve_points[i] == 0;
        assert_false(region->curve_points[i] == 0 && signbit(region->curve_points[i]));
    }
    assert_true(zeros > 0);
    graze_region_destroy(region);
    graze_region_destroy(swapped);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(swapped_arguments_give_the_same_zeros)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
