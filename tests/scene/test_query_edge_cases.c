/* SPDX-License-Identifier: MIT */
/*
 * Queries of scenes and broad phases where rounding could decide: rays through a single point of a box, objects at
 * exactly the limit, points on the ends of boxes.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "graze/generate.h"
#include "graze/scene_query.h"
#include "support/random.h"
#include "support/unit.h"

/* Numbers with t way = whole - rest, where the difference needs more bits than a double has. */
static void split(uint64_t t, uint64_t way, double *out_whole, double *out_rest)
{
    __extension__ unsigned __int128 product = t;
    product = product * way;
    double rest = (double)((uint64_t)product & ((UINT64_C(1) << 30) - 1));
    *out_whole = (double)(uint64_t)(product >> 30) * 0x1p30;
    *out_rest = -rest;
}

/* The box is exactly the point origin + t direction, though no difference of coordinates is a double. */
static void a_ray_meets_the_point_it_goes_through(void **state)
{
    (void)state;
    test_random random = test_random_start("a_ray_meets_the_point_it_goes_through", 43);
    size_t rounded = 0, missed = 0;
    for (int round = 0; round < 20000; round++)
    {
        graze_broad_phase_def def = graze_broad_phase_def_default();
        def.method = (graze_broad_phase_method)(round % GRAZE_BROAD_PHASE_METHOD_COUNT);
        graze_broad_phase *broad;
        assert_int_equal(graze_broad_phase_create(NULL, &def, &broad), GRAZE_STATUS_OK);
        uint64_t t = (random_next(&random) >> 34) | 1;
        double origin[3], direction[3];
        graze_box box;
        for (int axis = 0; axis < 3; axis++)
        {
            uint64_t way = (random_next(&random) >> 24) | 1;
            double sign = random_once_in(&random, 2) ? 1 : -1, whole, rest;
            split(t, way, &whole, &rest);
            origin[axis] = sign * rest;
            direction[axis] = sign * (double)way;
            box.lower[axis] = box.upper[axis] = sign * whole;
            rounded += (whole - rest) / (double)way != (double)t;
        }
        assert_int_equal(graze_broad_phase_insert(broad, 0, &box), GRAZE_STATUS_OK);
        assert_int_equal(graze_broad_phase_update(broad, NULL), GRAZE_STATUS_OK);
        size_t count = 0;
        double limit = random_once_in(&random, 2) ? INFINITY : (double)t;
        assert_int_equal(graze_broad_phase_cast_ray(broad, origin, direction, limit, NULL, 0, &count), GRAZE_STATUS_OK);
        assert_int_equal(count, 1);
        assert_int_equal(graze_broad_phase_cast_ray(broad, origin, direction, 0.999 * (double)t, NULL, 0, &count),
                         GRAZE_STATUS_OK);
        missed += count == 0;
        graze_broad_phase_destroy(broad);
    }
    printf("%zu of 60000 quotients were rounded, %zu of 20000 shorter rays ended before\n", rounded, missed);
    assert_true(rounded > 5000 && missed == 20000);
}

/* Cubes at integer distances: the limit is the distance, or one ulp less. */
static void what_is_at_the_limit_is_near(void **state)
{
    (void)state;
    test_random random = test_random_start("what_is_at_the_limit_is_near", 47);
    graze_mesh *mesh;
    size_t found = 0, missed = 0;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &mesh), GRAZE_STATUS_OK);
    for (int round = 0; round < 300; round++)
    {
        graze_scene *scene;
        graze_object nearest_name = {0, 0};
        int objects = random_between(&random, 1, 40), nearest = random_between(&random, 1, 1000);
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        for (int i = 0; i < objects; i++)
        {
            graze_object_def def = graze_object_def_default();
            graze_object name;
            double way[3] = {0, 0, 0};
            way[random_below(&random, 3)] = nearest + 1 + (i == 0 ? 0 : random_between(&random, 1, 3000));
            def.mesh = mesh;
            def.pose = graze_pose_translation(way[0], way[1], way[2]);
            assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
            nearest_name = i == 0 ? name : nearest_name;
        }
        assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
        graze_placed_mesh asking = {mesh, NULL, graze_pose_identity()};
        for (int less = 0; less < 2; less++)
        {
            graze_nearest_object answer;
            double limit = less ? nextafter(nearest, 0) : nearest;
            assert_int_equal(graze_scene_nearest_to_mesh(scene, &asking, limit, NULL, NULL, &answer), GRAZE_STATUS_OK);
            assert_int_equal(answer.distance.found, !less);
            found += answer.distance.found;
            missed += !answer.distance.found;
            assert_true(less || answer.object.index == nearest_name.index);
        }
        graze_scene_destroy(scene);
    }
    printf("%zu found at the limit, %zu missed below it\n", found, missed);
    assert_true(found == 300 && missed == 300);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ray_meets_the_point_it_goes_through),
                                       cmocka_unit_test(what_is_at_the_limit_is_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
