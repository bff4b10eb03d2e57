/* SPDX-License-Identifier: MIT */
/* Rays, boxes and points against one placed mesh give what asking every triangle gives, exactly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/mesh_query.h"
#include "graze/scene_query.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/meshes.h"
#include "support/oracle.h"
#include "support/unit.h"

enum
{
    GRID = 5 /* coordinates of soups */
};

static graze_placed_triangle triangle_of(const graze_placed_mesh *mesh, size_t triangle)
{
    graze_placed_triangle placed = {.pose = &mesh->pose};
    for (size_t k = 0; k < 3; k++)
        placed.corners[k] =
            graze_mesh_vertices(mesh->mesh) + 3 * (size_t)graze_mesh_triangles(mesh->mesh)[3 * triangle + k];
    return placed;
}

/* A soup on a small grid, often under a pose of small integers, halves and quarters, so that questions sit on it. */
typedef struct fixture
{
    graze_mesh *mesh;
    graze_tree *tree;
    graze_placed_mesh placed;
} fixture;

static fixture make(test_random *random)
{
    test_mesh soup = {0};
    mesh_add_soup(&soup, random, 40, random_between(random, 1, 60), GRID);
    fixture f = {.mesh = mesh_create(&soup)};
    assert_int_equal(graze_tree_create(NULL, f.mesh, NULL, NULL, &f.tree), GRAZE_STATUS_OK);
    f.placed = (graze_placed_mesh){f.mesh, random_once_in(random, 3) ? NULL : f.tree, graze_pose_identity()};
    if (random_once_in(random, 2))
        for (int i = 0; i < 12; i++)
            f.placed.pose.m[i] = i % 5 == 0 ? 1 : random_once_in(random, 2) ? 0.25 * random_between(random, -4, 4) : 0;
    else if (random_once_in(random, 2))
        for (int i = 0; i < 12; i++)
            f.placed.pose.m[i] = random_real(random, -1, 1);
    return f;
}

/* A placed corner, rounded to a multiple of 1/4. */
static void aim(test_random *random, const fixture *f, double out[3])
{
    graze_placed_triangle triangle =
        triangle_of(&f->placed, (size_t)random_below(random, (int)graze_mesh_triangle_count(f->mesh)));
    graze_pose_apply(triangle.pose, triangle.corners[random_below(random, 3)], out);
    for (int axis = 0; axis < 3; axis++)
        out[axis] = 0.25 * round(4 * out[axis]);
}

static void release(fixture *f)
{
    graze_tree_destroy(f->tree);
    graze_mesh_destroy(f->mesh);
}

/* Whether a triangle shares a point with a box, by the oracle: with its surface, or a corner lies in it. */
static bool meets_box(oracle *judge, const graze_placed_triangle *triangle, const graze_box *box)
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double corners[8][3];
    for (int i = 0; i < 8; i++)
        for (int axis = 0; axis < 3; axis++)
            corners[i][axis] = (i >> axis & 1) != 0 ? box->upper[axis] : box->lower[axis];
    for (int i = 0; i < 12; i++)
    {
        graze_placed_triangle face = {{corners[faces[i][0]], corners[faces[i][1]], corners[faces[i][2]]}, NULL};
        if (oracle_triangle_triangle(judge, &face, triangle).found)
            return true;
    }
    graze_placed_point points[3] = {{box->lower, NULL}, {box->upper, NULL}, {triangle->corners[0], triangle->pose}};
    oracle_load(judge, points, 3);
    for (int axis = 0; axis < 3; axis++)
        if (oracle_loaded_compare(judge, 2, 0, axis) < 0 || oracle_loaded_compare(judge, 2, 1, axis) > 0)
            return false;
    return true;
}

static void boxes_meet_the_triangles_that_the_oracle_says(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes_meet_the_triangles_that_the_oracle_says", 1);
    oracle *judge = oracle_create();
    size_t met = 0, missed = 0, inside = 0;
    for (int round = 0; round < 600; round++)
    {
        fixture f = make(&random);
        graze_box box;
        double target[3];
        aim(&random, &f, target);
        bool on_grid = !random_once_in(&random, 3);
        for (int axis = 0; axis < 3; axis++)
        {
            box.lower[axis] = target[axis];
            box.lower[axis] -= on_grid ? 0.5 * random_between(&random, 0, 8) : random_real(&random, 0, 4);
            box.upper[axis] =
                box.lower[axis] + (on_grid ? 0.5 * random_between(&random, 0, 12) : random_real(&random, 0, 6));
        }
        uint32_t triangles[64];
        size_t count, next = 0, cut;
        assert_int_equal(graze_placed_mesh_collide_box(NULL, &f.placed, &box, NULL, triangles, 64, &count),
                         GRAZE_STATUS_OK);
        for (size_t t = 0; t < graze_mesh_triangle_count(f.mesh); t++)
        {
            graze_placed_triangle triangle = triangle_of(&f.placed, t);
            bool expected = meets_box(judge, &triangle, &box);
            bool given = next < count && triangles[next] == t;
            assert_int_equal(given, expected);
            next += given;
            missed += !expected;
        }
        assert_int_equal(next, count);
        met += count;
        inside += count == graze_mesh_triangle_count(f.mesh);
        uint32_t one = UINT32_MAX;
        assert_int_equal(graze_placed_mesh_collide_box(NULL, &f.placed, &box, NULL, &one, count > 0, &cut),
                         GRAZE_STATUS_OK);
        assert_true(cut == count && one == (count > 0 ? triangles[0] : UINT32_MAX));
        release(&f);
    }
    printf("%zu met, %zu missed, %zu meshes met in all triangles\n", met, missed, inside);
    assert_true(met > 2000 && missed > 2000 && inside > 10);
    oracle_destroy(judge);
}

/* Triangles that are points, some units in the last place from a face of the box: intervals cannot tell. */
static void points_just_inside_a_box_are_told_from_those_just_outside(void **state)
{
    (void)state;
    test_random random = test_random_start("points_just_inside_a_box_are_told_from_those_just_outside", 8);
    oracle *judge = oracle_create();
    static const uint32_t corners[3] = {0, 0, 0};
    int inside = 0, outside = 0;
    for (int round = 0; round < 2000; round++)
    {
        double vertex[3], at[3];
        graze_placed_mesh placed;
        for (int i = 0; i < 12; i++)
            placed.pose.m[i] = random_real(&random, -1, 1);
        for (int axis = 0; axis < 3; axis++)
            vertex[axis] = random_real(&random, -1, 1);
        graze_mesh *mesh = body_of_triangles(&vertex, 1, corners, 1);
        placed.mesh = mesh;
        placed.tree = NULL;
        graze_pose_apply(&placed.pose, vertex, at);
        graze_box box = {{-8, -8, -8}, {8, 8, 8}};
        int axis = random_below(&random, 3), steps = random_between(&random, -3, 3);
        double end = at[axis];
        for (int i = 0; i < abs(steps); i++)
            end = nextafter(end, steps < 0 ? -8 : 8);
        *(random_once_in(&random, 2) ? &box.lower[axis] : &box.upper[axis]) = end;
        graze_placed_triangle triangle = triangle_of(&placed, 0);
        size_t count;
        assert_int_equal(graze_placed_mesh_collide_box(NULL, &placed, &box, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
        assert_int_equal(count, meets_box(judge, &triangle, &box));
        inside += count == 1;
        outside += count == 0;
        graze_mesh_destroy(mesh);
    }
    printf("%d inside, %d outside\n", inside, outside);
    assert_true(inside > 500 && outside > 500);
    oracle_destroy(judge);
}

/* Large meshes have nodes that lie in the box, and nodes that do not meet it. */
static void boxes_in_large_meshes_meet_what_every_triangle_says(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes_in_large_meshes_meet_what_every_triangle_says", 2);
    graze_mesh *mesh;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 12, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    size_t triangle_count = graze_mesh_triangle_count(mesh), met = 0, rounds_with_all = 0, rounds_with_none = 0;
    uint32_t *triangles = calloc(triangle_count, sizeof *triangles), *plain = calloc(triangle_count, sizeof *plain);
    graze_stats stats = {0};
    graze_pair_options options = graze_pair_options_default();
    options.stats = &stats;
    for (int round = 0; round < 60; round++)
    {
        graze_placed_mesh placed = {mesh, tree, graze_pose_identity()}, without = {mesh, NULL, placed.pose};
        for (int i = 0; i < 12; i++)
            placed.pose.m[i] = round % 4 == 0 ? placed.pose.m[i] : random_real(&random, -1, 1);
        without.pose = placed.pose;
        graze_box box;
        double size = round % 10 == 0 ? 8 : 1.5;
        for (int axis = 0; axis < 3; axis++)
        {
            box.lower[axis] = random_real(&random, -size, 0.2 * size);
            box.upper[axis] = box.lower[axis] + random_real(&random, 0.8, 1) * size * (size > 2 ? 2 : 1);
        }
        size_t count, plain_count;
        assert_int_equal(
            graze_placed_mesh_collide_box(NULL, &placed, &box, &options, triangles, triangle_count, &count),
            GRAZE_STATUS_OK);
        assert_true(stats.box_tests > 0 && stats.box_tests < triangle_count * 12);
        assert_int_equal(graze_placed_mesh_collide_box(NULL, &without, &box, NULL, plain, triangle_count, &plain_count),
                         GRAZE_STATUS_OK);
        assert_int_equal(count, plain_count);
        assert_memory_equal(triangles, plain, count * sizeof *plain);
        met += count;
        rounds_with_all += count == triangle_count;
        rounds_with_none += count == 0;
    }
    printf("%zu met; all in %zu rounds, none in %zu\n", met, rounds_with_all, rounds_with_none);
    assert_true(met > 5000 && rounds_with_all > 0 && rounds_with_none > 0);
    free(triangles);
    free(plain);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void points_lie_on_the_triangles_that_the_oracle_says(void **state)
{
    (void)state;
    test_random random = test_random_start("points_lie_on_the_triangles_that_the_oracle_says", 3);
    oracle *judge = oracle_create();
    size_t met = 0, none = 0;
    for (int round = 0; round < 600; round++)
    {
        fixture f = make(&random);
        double point[3];
        graze_placed_triangle any = triangle_of(&f.placed, 0);
        graze_pose_apply(any.pose, any.corners[random_below(&random, 3)], point); /* on it, but for rounding */
        for (int axis = 0; axis < 3 && !random_once_in(&random, 3); axis++)
            point[axis] += 0.25 * random_between(&random, -2, 2);
        uint32_t triangles[64];
        size_t count, next = 0;
        assert_int_equal(graze_placed_mesh_collide_point(NULL, &f.placed, point, NULL, triangles, 64, &count),
                         GRAZE_STATUS_OK);
        for (size_t t = 0; t < graze_mesh_triangle_count(f.mesh); t++)
        {
            graze_placed_triangle triangle = triangle_of(&f.placed, t);
            const graze_placed_point placed = {point, NULL};
            bool given = next < count && triangles[next] == t;
            assert_int_equal(given, oracle_point_in_triangle(judge, &placed, &triangle) != GRAZE_FEATURE_NONE);
            next += given;
        }
        assert_int_equal(next, count);
        met += count;
        none += count == 0;
        release(&f);
    }
    printf("%zu met, none in %zu rounds\n", met, none);
    assert_true(met > 500 && none > 50);
    oracle_destroy(judge);
}

static void rays_meet_the_first_triangle_that_segments_meet(void **state)
{
    (void)state;
    test_random random = test_random_start("rays_meet_the_first_triangle_that_segments_meet", 4);
    oracle *judge = oracle_create();
    size_t met = 0, missed = 0;
    for (int round = 0; round < 800; round++)
    {
        fixture f = make(&random);
        double origin[3], direction[3], target[3], limit = 0.5 * random_between(&random, 0, 6);
        aim(&random, &f, target);
        for (int axis = 0; axis < 3; axis++)
        {
            origin[axis] = 0.5 * random_between(&random, -10, 10);
            direction[axis] = target[axis] - origin[axis];
        }
        bool found;
        graze_mesh_ray_hit hit;
        assert_int_equal(graze_placed_mesh_cast_ray(NULL, &f.placed, origin, direction, limit, NULL, &found, &hit),
                         GRAZE_STATUS_OK);
        double start[3] = {0, 0, 0}, end[3] = {limit, 0, 0}, until[3] = {0, 0, 0};
        graze_pose pose = {{0}};
        for (int axis = 0; axis < 3; axis++)
        {
            pose.m[4 * axis] = direction[axis];
            pose.m[4 * axis + 3] = origin[axis];
        }
        until[0] = found ? hit.t_lower - 1e-9 : 0;
        graze_placed_point all[2] = {{start, &pose}, {end, &pose}}, before[2] = {{start, &pose}, {until, &pose}};
        bool expected = false, sooner = false;
        for (size_t t = 0; t < graze_mesh_triangle_count(f.mesh); t++)
        {
            graze_placed_triangle triangle = triangle_of(&f.placed, t);
            expected = expected || oracle_segment_meets_triangle(judge, all, &triangle);
            sooner = sooner || (until[0] > 0 && oracle_segment_meets_triangle(judge, before, &triangle));
        }
        assert_int_equal(found, expected);
        assert_false(sooner);
        met += found;
        missed += !found;
        if (found)
        {
            assert_true(0 <= hit.t_lower && hit.t_lower <= hit.t && hit.t <= hit.t_upper && hit.t_upper <= limit);
            assert_int_equal(hit.face, graze_mesh_triangle_face(f.mesh, hit.triangle));
            for (int axis = 0; axis < 3; axis++)
                assert_true(fabs(origin[axis] + hit.t * direction[axis] - hit.point[axis]) < 1e-12);
            graze_placed_triangle triangle = triangle_of(&f.placed, hit.triangle);
            assert_true(oracle_segment_meets_triangle(judge, all, &triangle));
        }
        release(&f);
    }
    printf("%zu met, %zu missed\n", met, missed);
    assert_true(met > 100 && missed > 100);
    oracle_destroy(judge);
}

/* One object in a scene is asked by the same code. */
static void rays_boxes_and_points_answer_as_a_scene_of_one_object(void **state)
{
    (void)state;
    test_random random = test_random_start("rays_boxes_and_points_answer_as_a_scene_of_one_object", 5);
    size_t rays = 0, boxes = 0, points = 0, near = 0;
    for (int round = 0; round < 200; round++)
    {
        fixture f = make(&random);
        graze_scene *scene;
        graze_object name;
        graze_object_def def = graze_object_def_default();
        def.mesh = f.mesh;
        def.tree = f.placed.tree;
        def.pose = f.placed.pose;
        assert_int_equal(graze_scene_create(NULL, NULL, &scene), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_add(scene, &def, &name), GRAZE_STATUS_OK);
        assert_int_equal(graze_scene_update(scene, NULL, NULL), GRAZE_STATUS_OK);
        double origin[3], direction[3], target[3];
        graze_box box;
        aim(&random, &f, target);
        aim(&random, &f, origin);
        for (int axis = 0; axis < 3; axis++)
        {
            origin[axis] += random_once_in(&random, 2) ? 0 : 0.5 * random_between(&random, -8, 8);
            box.lower[axis] = origin[axis];
            box.upper[axis] = origin[axis] + 0.5 * random_between(&random, 0, 4);
            direction[axis] = random_once_in(&random, 3) ? 0 : target[axis] - origin[axis];
        }
        graze_ray_hit in_scene;
        graze_mesh_ray_hit hit;
        bool found;
        size_t count, expected;
        assert_int_equal(graze_scene_cast_ray(scene, origin, direction, INFINITY, NULL, NULL, &in_scene, 1, &expected),
                         GRAZE_STATUS_OK);
        assert_int_equal(graze_placed_mesh_cast_ray(NULL, &f.placed, origin, direction, INFINITY, NULL, &found, &hit),
                         GRAZE_STATUS_OK);
        assert_int_equal(found, expected);
        assert_true(!found || (hit.triangle == in_scene.hit.triangle && hit.t == in_scene.hit.t &&
                               memcmp(hit.point, in_scene.hit.point, sizeof hit.point) == 0));
        rays += found;
        assert_int_equal(graze_scene_collide_box(scene, &box, NULL, NULL, NULL, 0, &expected), GRAZE_STATUS_OK);
        assert_int_equal(graze_placed_mesh_collide_box(NULL, &f.placed, &box, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
        assert_int_equal(count > 0, expected);
        boxes += count > 0;
        assert_int_equal(graze_scene_collide_point(scene, origin, NULL, NULL, NULL, 0, &expected), GRAZE_STATUS_OK);
        assert_int_equal(graze_placed_mesh_collide_point(NULL, &f.placed, origin, NULL, NULL, 0, &count),
                         GRAZE_STATUS_OK);
        assert_int_equal(count > 0, expected);
        points += count > 0;
        graze_nearest_object nearest;
        graze_distance distance;
        assert_int_equal(graze_scene_nearest_to_point(scene, origin, INFINITY, NULL, NULL, &nearest), GRAZE_STATUS_OK);
        assert_int_equal(graze_placed_mesh_nearest_to_point(NULL, &f.placed, origin, NULL, &distance), GRAZE_STATUS_OK);
        assert_true(distance.found && distance.distance == nearest.distance.distance);
        assert_int_equal(distance.distance == 0, count > 0);
        near += distance.distance > 0;
        graze_scene_destroy(scene);
        release(&f);
    }
    printf("%zu rays, %zu boxes, %zu points met; %zu points off the surface\n", rays, boxes, points, near);
    assert_true(rays > 20 && boxes > 20 && points > 10 && near > 50);
}

static void the_nearest_point_is_the_nearest_of_all_triangles(void **state)
{
    (void)state;
    test_random random = test_random_start("the_nearest_point_is_the_nearest_of_all_triangles", 6);
    static const uint32_t corners[3] = {0, 0, 0};
    size_t apart = 0;
    for (int round = 0; round < 100; round++)
    {
        fixture f = make(&random);
        double point[3], least = INFINITY;
        for (int axis = 0; axis < 3; axis++)
            point[axis] = random_real(&random, -8, 8);
        graze_distance distance;
        assert_int_equal(graze_placed_mesh_nearest_to_point(NULL, &f.placed, point, NULL, &distance), GRAZE_STATUS_OK);
        graze_mesh *query = body_of_triangles(&point, 1, corners, 1);
        for (size_t t = 0; t < graze_mesh_triangle_count(f.mesh); t++)
        {
            graze_mesh_def def = graze_mesh_def_default();
            def.vertices = graze_mesh_vertices(f.mesh);
            def.vertex_count = graze_mesh_vertex_count(f.mesh);
            def.corners = graze_mesh_triangles(f.mesh) + 3 * t;
            def.corner_count = 3;
            graze_mesh *one;
            assert_int_equal(graze_mesh_create(NULL, &def, NULL, &one), GRAZE_STATUS_OK);
            graze_placed_mesh a = {query, NULL, graze_pose_identity()}, b = {one, NULL, f.placed.pose};
            graze_distance single;
            assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &single), GRAZE_STATUS_OK);
            least = fmin(least, single.distance);
            graze_mesh_destroy(one);
        }
        assert_true(fabs(least - distance.distance) <= 1e-12);
        assert_memory_equal(distance.point_a, point, sizeof point);
        assert_true(distance.triangle_b < graze_mesh_triangle_count(f.mesh));
        apart += least > 0;
        graze_distance_options options = graze_distance_options_default();
        options.limit = 0.5 * least;
        assert_int_equal(graze_placed_mesh_nearest_to_point(NULL, &f.placed, point, &options, &distance),
                         GRAZE_STATUS_OK);
        assert_int_equal(distance.found, least == 0);
        graze_mesh_destroy(query);
        release(&f);
    }
    assert_true(apart > 50);
}

static bool cancel_later(void *user, double share)
{
    (void)share;
    return --*(int *)user >= 0;
}

/* Cancelled at every call of the progress function, and with budgets that end anywhere: it says so, leaves its results
   alone, and is right where it ends. */
static void box_queries_can_be_cancelled_and_end_with_their_budget(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 40, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    const graze_box box = {{-0.9, -0.5, -2}, {0.5, 2, 2}};
    int cancelled = 0, unfinished = 0;
    size_t expected;
    for (int with_tree = 0; with_tree < 2; with_tree++)
    {
        graze_placed_mesh placed = {mesh, with_tree != 0 ? tree : NULL, graze_pose_identity()};
        assert_int_equal(graze_placed_mesh_collide_box(NULL, &placed, &box, NULL, NULL, 0, &expected), GRAZE_STATUS_OK);
        assert_true(expected > 10000 && expected < graze_mesh_triangle_count(mesh));
        graze_status status = GRAZE_STATUS_CANCELLED;
        for (int allowed = 0; status != GRAZE_STATUS_OK; allowed++, cancelled += status == GRAZE_STATUS_CANCELLED)
        {
            int left = allowed;
            size_t count = SIZE_MAX;
            graze_pair_options options = graze_pair_options_default();
            options.budget.progress = cancel_later;
            options.budget.progress_user = &left;
            status = graze_placed_mesh_collide_box(NULL, &placed, &box, &options, NULL, 0, &count);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_CANCELLED);
            assert_true(count == (status == GRAZE_STATUS_OK ? expected : SIZE_MAX));
        }
        status = GRAZE_STATUS_UNFINISHED;
        for (uint64_t allowed = 1; status != GRAZE_STATUS_OK; allowed *= 2, unfinished += status != GRAZE_STATUS_OK)
        {
            size_t count = SIZE_MAX;
            graze_pair_options options = graze_pair_options_default();
            options.budget.box_tests = allowed;
            status = graze_placed_mesh_collide_box(NULL, &placed, &box, &options, NULL, 0, &count);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_UNFINISHED);
            assert_true(count == (status == GRAZE_STATUS_OK ? expected : SIZE_MAX));
        }
    }
    printf("cancelled %d times, unfinished %d times\n", cancelled, unfinished);
    assert_true(cancelled > 3 && unfinished > 10);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static bool note_share(void *user, double share)
{
    double *last = user;
    assert_true(share >= *last && share <= 1);
    *last = share;
    return true;
}

static void the_share_of_a_box_query_that_is_done_grows(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 40, &mesh), GRAZE_STATUS_OK);
    const graze_placed_mesh placed = {mesh, NULL, graze_pose_identity()};
    const graze_box box = {{-0.9, -0.5, -2}, {0.5, 2, 2}};
    double last = 0;
    size_t count;
    graze_pair_options options = graze_pair_options_default();
    options.budget.progress = note_share;
    options.budget.progress_user = &last;
    assert_int_equal(graze_placed_mesh_collide_box(NULL, &placed, &box, &options, NULL, 0, &count), GRAZE_STATUS_OK);
    printf("share at the last call: %g\n", last);
    assert_true(last > 0);
    graze_mesh_destroy(mesh);
}

static void questions_that_make_no_sense_are_refused_and_empty_meshes_meet_nothing(void **state)
{
    (void)state;
    const double point[3] = {0, 0, 0}, bad[3] = {0, NAN, 0}, along[3] = {1, 0, 0};
    const graze_box box = {{0, 0, 0}, {1, 1, 1}}, inverted = {{0, 2, 0}, {1, 1, 1}},
                    endless = {{0, 0, 0}, {1, INFINITY, 1}};
    graze_mesh_def def = graze_mesh_def_default();
    graze_mesh *empty, *mesh;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &empty), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 24, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh nothing = {empty, NULL, graze_pose_identity()}, ball = {mesh, tree, nothing.pose};
    graze_placed_mesh mixed = {empty, tree, nothing.pose};
    bool found = true;
    size_t count = 9;
    graze_distance distance = {.found = true};
    assert_int_equal(graze_placed_mesh_cast_ray(NULL, &nothing, point, along, 1, NULL, &found, NULL), GRAZE_STATUS_OK);
    assert_false(found);
    assert_int_equal(graze_placed_mesh_collide_box(NULL, &nothing, &box, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(graze_placed_mesh_collide_point(NULL, &nothing, point, NULL, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(graze_placed_mesh_nearest_to_point(NULL, &nothing, point, NULL, &distance), GRAZE_STATUS_OK);
    assert_false(distance.found);

    count = 9;
    assert_int_equal(graze_placed_mesh_cast_ray(NULL, &ball, bad, along, 1, NULL, &found, NULL),
                     GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_placed_mesh_cast_ray(NULL, &ball, point, bad, 1, NULL, &found, NULL),
                     GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_placed_mesh_cast_ray(NULL, &ball, point, along, -1, NULL, &found, NULL),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_placed_mesh_cast_ray(NULL, &ball, point, along, NAN, NULL, &found, NULL),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_placed_mesh_cast_ray(NULL, &mixed, point, along, 1, NULL, &found, NULL),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_placed_mesh_collide_box(NULL, &ball, &inverted, NULL, NULL, 0, &count),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_placed_mesh_collide_box(NULL, &ball, &endless, NULL, NULL, 0, &count),
                     GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_placed_mesh_collide_box(NULL, &mixed, &box, NULL, NULL, 0, &count),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_placed_mesh_collide_point(NULL, &ball, bad, NULL, NULL, 0, &count), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_placed_mesh_collide_point(NULL, &mixed, point, NULL, NULL, 0, &count),
                     GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_placed_mesh_nearest_to_point(NULL, &ball, bad, NULL, &distance), GRAZE_STATUS_NOT_FINITE);

    assert_int_equal(count, 9);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    graze_mesh_destroy(empty);
}

/* Rounding modes and denormals: the same triangles, and rays met. */
static void answers_are_the_same_in_every_environment(void **state)
{
    (void)state;
    test_random random = test_random_start("answers_are_the_same_in_every_environment", 7);
    for (int round = 0; round < 40; round++)
    {
        fixture f = make(&random);
        double origin[3], direction[3];
        graze_box box;
        for (int axis = 0; axis < 3; axis++)
        {
            origin[axis] = box.lower[axis] = random_real(&random, -3, 3);
            box.upper[axis] = box.lower[axis] + (random_once_in(&random, 4) ? 0x1p-1074 : random_real(&random, 0, 3));
            direction[axis] = random_real(&random, -1, 1) * (round % 4 == 0 ? 0x1p-1060 : 1);
        }
        uint32_t usual[64], given[64];
        size_t usual_count, given_count;
        bool usual_found, given_found;
        graze_mesh_ray_hit usual_hit = {0}, given_hit = {0};
        assert_int_equal(graze_placed_mesh_collide_box(NULL, &f.placed, &box, NULL, usual, 64, &usual_count),
                         GRAZE_STATUS_OK);
        assert_int_equal(
            graze_placed_mesh_cast_ray(NULL, &f.placed, origin, direction, INFINITY, NULL, &usual_found, &usual_hit),
            GRAZE_STATUS_OK);
        for (int number = 1; number < ENVIRONMENTS; number++)
        {
            saved_environment saved;
            environment_enter(&saved, number);
            graze_status box_status =
                graze_placed_mesh_collide_box(NULL, &f.placed, &box, NULL, given, 64, &given_count);
            graze_status ray_status = graze_placed_mesh_cast_ray(NULL, &f.placed, origin, direction, INFINITY, NULL,
                                                                 &given_found, &given_hit);
            environment_leave(&saved);
            assert_int_equal(box_status, GRAZE_STATUS_OK);
            assert_int_equal(ray_status, GRAZE_STATUS_OK);
            assert_int_equal(given_count, usual_count);
            assert_memory_equal(given, usual, usual_count * sizeof *usual);
            assert_int_equal(given_found, usual_found);
            assert_memory_equal(&given_hit, &usual_hit, sizeof usual_hit);
        }
        release(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_meet_the_triangles_that_the_oracle_says),
        cmocka_unit_test(points_just_inside_a_box_are_told_from_those_just_outside),
        cmocka_unit_test(boxes_in_large_meshes_meet_what_every_triangle_says),
        cmocka_unit_test(points_lie_on_the_triangles_that_the_oracle_says),
        cmocka_unit_test(rays_meet_the_first_triangle_that_segments_meet),
        cmocka_unit_test(rays_boxes_and_points_answer_as_a_scene_of_one_object),
        cmocka_unit_test(the_nearest_point_is_the_nearest_of_all_triangles),
        cmocka_unit_test(box_queries_can_be_cancelled_and_end_with_their_budget),
        cmocka_unit_test(the_share_of_a_box_query_that_is_done_grows),
        cmocka_unit_test(questions_that_make_no_sense_are_refused_and_empty_meshes_meet_nothing),
        cmocka_unit_test(answers_are_the_same_in_every_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
