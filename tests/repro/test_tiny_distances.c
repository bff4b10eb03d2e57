/* SPDX-License-Identifier: MIT */
/*
 * Distances and tolerances at the low end of the range of doubles. A distance below 2^-1000 was known only to be below
 * 2^-990, and the middle of the two was compared with the limit: pairs within it were not found. And the smallest
 * tolerance was taken for zero where denormals are flushed.
 */
#include <math.h>
#include <stdio.h>

#include "graze/distance.h"
#include "graze/tree.h"
#include "support/environment.h"
#include "support/unit.h"

static graze_mesh *triangle_at(double z)
{
    const double vertices[9] = {0, 0, z, 1, 0, z, 0, 1, z};
    const uint32_t corners[3] = {0, 1, 2};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

/* Two parallel triangles `gap` apart: limits just below, at and just above it, in every environment. */
static void check_gap(double gap)
{
    const double limits[3] = {nextafter(gap, 0), gap, nextafter(gap, INFINITY)};
    for (int number = 0; number < ENVIRONMENTS; number++)
    {
        saved_environment saved;
        environment_enter(&saved, number);
        graze_mesh *a = triangle_at(0), *b = triangle_at(gap);
        graze_placed_mesh first = {.mesh = a, .pose = graze_pose_identity()},
                          second = {.mesh = b, .pose = graze_pose_identity()};
        bool found[3];
        uint64_t within[3], strictly[3];
        graze_distance distances[3];
        graze_distance_options options = graze_distance_options_default();
        graze_tolerance_options strict = graze_tolerance_options_default();
        strict.strict = true;
        for (int i = 0; i < 3; i++)
        {
            options.limit = limits[i];
            graze_pair_distance(NULL, &first, &second, &options, &distances[i]);
            found[i] = distances[i].found;
            graze_pair_tolerance_count(NULL, &first, &second, limits[i], NULL, &within[i]);
            graze_pair_tolerance_count(NULL, &first, &second, limits[i], &strict, &strictly[i]);
        }
        environment_leave(&saved);
        for (int i = 0; i < 3; i++)
        {
            assert_int_equal(found[i], i >= 1);
            assert_int_equal(within[i], i >= 1);
            assert_int_equal(strictly[i], i == 2);
            assert_true(distances[i].lower <= gap && gap <= distances[i].upper);
            double room = 0x1p-35 * gap + 0x1p-1069; /* denormal bounds are not lost where they are flushed */
            if (found[i])
                assert_true(distances[i].distance > 0 && distances[i].upper <= limits[i] &&
                            distances[i].upper - distances[i].lower <= room);
        }
        graze_mesh_destroy(a);
        graze_mesh_destroy(b);
    }
}

static void limits_decide_exactly_down_to_the_least_distance(void **state)
{
    (void)state;
    static const double gaps[] = {1e-302,    0x1p-1000, 0x1p-1001, 0x1.8p-1021, 0x1p-1022, 1e-310,
                                  0x1p-1072, 0x1p-1073, 0x1p-1074, 1e-200,      0.1};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        check_gap(gaps[i]);
}

static void negative_limits_are_refused_whatever_is_flushed(void **state)
{
    (void)state;
    graze_mesh *a = triangle_at(0), *b = triangle_at(1);
    graze_placed_mesh first = {.mesh = a, .pose = graze_pose_identity()},
                      second = {.mesh = b, .pose = graze_pose_identity()};
    graze_distance_options options = graze_distance_options_default();
    options.limit = -0x1p-1074;
    for (int number = 0; number < ENVIRONMENTS; number++)
    {
        saved_environment saved;
        graze_distance distance;
        uint64_t count;
        environment_enter(&saved, number);
        graze_status by_limit = graze_pair_distance(NULL, &first, &second, &options, &distance);
        graze_status by_tolerance = graze_pair_tolerance_count(NULL, &first, &second, options.limit, NULL, &count);
        environment_leave(&saved);
        assert_int_equal(by_limit, GRAZE_STATUS_BAD_ARGUMENT);
        assert_int_equal(by_tolerance, GRAZE_STATUS_BAD_ARGUMENT);
    }
    graze_mesh_destroy(a);
    graze_mesh_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_decide_exactly_down_to_the_least_distance),
        cmocka_unit_test(negative_limits_are_refused_whatever_is_flushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
