/* SPDX-License-Identifier: MIT */
/* The nearest triangle to a point: its bounds hold, with and without a tree, also far from the origin and on the
 * surface. */
#include "pair/depth/nearest_triangle.h"

#include <stdio.h>

#include "base/random.h"
#include "graze/distance.h"
#include "graze/mesh_query.h"
#include "pair/distance/triangle_distance.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 4711
};

/* A point near the mesh, or a placed vertex of it. */
static void choose_point(grz_random *random, const graze_placed_mesh *placed, double point[3])
{
    size_t vertex = grz_random_below(random, graze_mesh_vertex_count(placed->mesh));
    graze_pose_apply(&placed->pose, graze_mesh_vertices(placed->mesh) + 3 * vertex, point);
    bool on_it = grz_random_below(random, 8) == 0;
    for (int axis = 0; axis < 3 && !on_it; axis++)
        point[axis] += grz_random_between(random, -0.5, 0.5);
}

static void bounds_contain_the_distance(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    placed_shapes *shapes = placed_shapes_create();
    size_t on_surface = 0, tight = 0, asked = 0, stored = 0;
    for (int round = 0; round < 400; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES);
        graze_placed_mesh placed = {shapes->meshes[i], round % 3 == 0 ? NULL : shapes->trees[i][round % 2],
                                    placed_pose(&random, round % 5 == 0 ? 1e6 : 1)};
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        double reach = grz_coordinate_bound(placed.mesh, &placed.pose) + 1, tolerance = round % 2 == 0 ? 0 : 0x1p-9;
        grz_surface surface = grz_surface_make(&body, reach, NULL);
        assert_true(round % 4 < 2 || grz_surface_make_leaves(NULL, &surface));
        stored += surface.leaves != NULL && surface.frame.unit > 0;
        for (int k = 0; k < 20; k++, asked++)
        {
            double point[3];
            graze_distance truth;
            grz_nearest_triangle nearest;
            choose_point(&random, &placed, point);
            uint32_t triangle_count = (uint32_t)graze_mesh_triangle_count(placed.mesh);
            uint32_t hint = k % 2 == 0 ? UINT32_MAX : (uint32_t)grz_random_below(&random, triangle_count);
            grz_find_nearest_triangle(&surface, point, tolerance, hint, &nearest);
            assert_int_equal(graze_placed_mesh_nearest_to_point(NULL, &placed, point, NULL, &truth), GRAZE_STATUS_OK);
            assert_true(nearest.lower <= truth.upper && truth.lower <= nearest.upper);
            on_surface += truth.upper < surface.error;
            tight += nearest.lower >= (1 - tolerance - 0x1p-10) * nearest.upper;
        }
        grz_surface_release(NULL, &surface);
        grz_placed_body_release(NULL, &body);
    }
    placed_shapes_destroy(shapes);
    printf("%zu points, %zu on the surface, %zu known to one in a thousand\n", asked, on_surface, tight);
    assert_true(on_surface > asked / 20 && tight > asked / 3 && stored > 50);
}

typedef struct found_triangles
{
    bool *found;
    size_t count;
} found_triangles;

static bool note(void *user, uint32_t triangle)
{
    found_triangles *f = user;
    f->count += !f->found[triangle];
    f->found[triangle] = true;
    return true;
}

static void all_triangles_that_meet_a_box_are_visited(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    placed_shapes *shapes = placed_shapes_create();
    size_t met_count = 0, spared = 0;
    static bool found[20000];
    static uint32_t met[20000];
    for (int round = 0; round < 100; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES), count;
        graze_placed_mesh placed = {shapes->meshes[i], round % 3 == 0 ? NULL : shapes->trees[i][round % 2],
                                    placed_pose(&random, 1)};
        size_t triangle_count = graze_mesh_triangle_count(placed.mesh);
        assert_true(triangle_count <= 20000);
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        grz_surface surface = grz_surface_make(&body, grz_coordinate_bound(placed.mesh, &placed.pose), NULL);
        double point[3];
        choose_point(&random, &placed, point);
        graze_box box = {{point[0] - 0.2, point[1] - 0.1, point[2] - 0.3}, {point[0], point[1] + 0.2, point[2] + 0.1}};
        found_triangles f = {found, 0};
        memset(found, 0, sizeof found);
        assert_true(grz_surface_visit_box(&surface, &box, note, &f));
        assert_int_equal(
            graze_placed_mesh_collide_box(NULL, &placed, &box, NULL, met, sizeof met / sizeof met[0], &count),
            GRAZE_STATUS_OK);
        for (size_t k = 0; k < count; k++)
            assert_true(found[met[k]]);
        met_count += count;
        spared += triangle_count - f.count;
        grz_placed_body_release(NULL, &body);
    }
    placed_shapes_destroy(shapes);
    assert_true(met_count > 100 && spared > 10000);
}

typedef struct limited_visits
{
    size_t count, most;
} limited_visits;

/* Says stop once, and go on if it is asked again. */
static bool stop_once(void *user, uint32_t triangle)
{
    (void)triangle;
    limited_visits *visits = user;
    return ++visits->count != visits->most;
}

static void visits_end_when_told_to(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 2);
    placed_shapes *shapes = placed_shapes_create();
    for (size_t round = 0; round < 60; round++)
    {
        size_t i = round % PLACED_SHAPES;
        graze_placed_mesh placed = {shapes->meshes[i], round % 2 == 0 ? NULL : shapes->trees[i][round / 2 % 2],
                                    placed_pose(&random, 1)};
        size_t triangle_count = graze_mesh_triangle_count(placed.mesh);
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        grz_surface surface = grz_surface_make(&body, grz_coordinate_bound(placed.mesh, &placed.pose), NULL);
        const graze_box all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
        for (size_t most = 1; most < triangle_count && most < 20; most++)
        {
            limited_visits visits = {0, most};
            assert_false(grz_surface_visit_box(&surface, &all, stop_once, &visits));
            assert_int_equal(visits.count, most);
        }
        limited_visits visits = {0, triangle_count + 1};
        assert_true(grz_surface_visit_box(&surface, &all, stop_once, &visits));
        assert_int_equal(visits.count, triangle_count);
        grz_placed_body_release(NULL, &body);
    }
    placed_shapes_destroy(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_contain_the_distance),
                                       cmocka_unit_test(all_triangles_that_meet_a_box_are_visited),
                                       cmocka_unit_test(visits_end_when_told_to)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
