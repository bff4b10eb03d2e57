/* SPDX-License-Identifier: MIT */
/*
 * Rays with directions at the low end of the range of doubles. Half of one was rounded to another direction, so that
 * boxes on the ray were missing; and objects farther along an infinite ray than the largest double were never hit.
 */
#include <math.h>
#include <stdio.h>

#include "graze/scene_query.h"
#include "support/random.h"
#include "support/unit.h"

/* The same ray, with a direction longer by a power of two, hits the same boxes. */
static void boxes_are_met_whatever_the_direction_is_long(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes_are_met_whatever_the_direction_is_long", 3);
    size_t hits = 0;
    for (int round = 0; round < 20000; round++)
    {
        double origin[3] = {0, 0, 0}, direction[3], longer[3];
        graze_box box;
        for (int axis = 0; axis < 3; axis++)
        {
            double steps = random_between(&random, 0, 9);
            direction[axis] = steps * 0x1p-1074;
            longer[axis] = steps;
            box.lower[axis] = 1e-18 * random_real(&random, -1, 9);
            box.upper[axis] = box.lower[axis] + 1e-18 * random_real(&random, 0, 2);
        }
        graze_broad_phase *broad;
        assert_int_equal(graze_broad_phase_create(NULL, NULL, &broad), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_insert(broad, 0, &box), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
        size_t count, expected;
        assert_int_equal(graze_broad_phase_cast_ray(broad, origin, longer, INFINITY, NULL, 0, &expected),
                         GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_cast_ray(broad, origin, direction, INFINITY, NULL, 0, &count),
                         GRAZE_STATUS_OK);
        assert_int_equal(count, expected);
        hits += count;
        graze_broad_phase_destroy(broad);
    }
    printf("%zu hits\n", hits);
    assert_true(hits > 200);
}

/* A triangle across the x axis. */
static graze_mesh *gate_at(double x)
{
    const double vertices[9] = {x, -1, -1, x, 1, -1, x, 0, 1};
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

static void endless_rays_reach_everything(void **state)
{
    (void)state;
    static const double cases[][3] = {
        {10, 0, 1e-310}, {10, 0, 0x1p-1074}, {1.7e308, -1.7e308, 1}, {1.7e308, -1.7e308, 0x1p-1074}, {10, 0, 1e-300}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        graze_mesh *mesh = gate_at(cases[i][0]);
        graze_scene *scene;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        graze_object_def def = graze_object_def_default();
        graze_object name;
        def.mesh = mesh;
        assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
        double origin[3] = {cases[i][1], 0, 0}, direction[3] = {cases[i][2], 0, 0};
        graze_ray_hit hit;
        size_t count;
        assert_int_equal(graze_scene_cast_ray(scene, origin, direction, INFINITY, NULL, NULL, &hit, 1, &count),
                         GRAZE_STATUS_OK);
        assert_int_equal(count, 1);
        assert_true(hit.hit.t_lower <= hit.hit.t && hit.hit.t <= hit.hit.t_upper);
        assert_true(hit.hit.point[0] == cases[i][0]);
        direction[0] = -direction[0];
        assert_int_equal(graze_scene_cast_ray(scene, origin, direction, INFINITY, NULL, NULL, &hit, 1, &count),
                         GRAZE_STATUS_OK);
        assert_int_equal(count, 0);
        graze_scene_destroy(scene);
        graze_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_met_whatever_the_direction_is_long),
                                       cmocka_unit_test(endless_rays_reach_everything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
