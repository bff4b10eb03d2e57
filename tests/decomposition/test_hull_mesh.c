/* SPDX-License-Identifier: MIT */
/* Hulls as meshes: closed, oriented and convex; flat, collinear and single points are legal meshes too. */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "graze/distance.h"
#include "graze/hull.h"
#include "graze/pair.h"
#include "graze/topology.h"
#include "support/unit.h"

enum
{
    SEED = 911,
    MOST_POINTS = 500
};

static double points[MOST_POINTS][3];

static void scatter(grz_random *random, size_t count, int size)
{
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            points[i][axis] =
                size > 0 ? (double)grz_random_below(random, (uint64_t)size) : grz_random_between(random, -1, 1);
}

static graze_mesh_facts facts_of(const graze_mesh *mesh)
{
    graze_mesh_facts facts;
    assert_int_equal(graze_mesh_examine(NULL, mesh, NULL, NULL, &facts), GRAZE_STATUS_OK);
    return facts;
}

static void hulls_are_convex_bodies_with_polygons_as_faces(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    size_t polygons = 0;
    printf("seed %d\n", SEED);
    for (int round = 0; round < TEST_ROUNDS(60); round++)
    {
        size_t count = 20 + grz_random_below(&random, 400);
        scatter(&random, count, round % 2 == 0 ? 5 : 0);
        graze_mesh *mesh = NULL, *outer = NULL;
        assert_int_equal(graze_mesh_create_hull(NULL, points[0], count, NULL, &mesh), GRAZE_STATUS_OK);
        graze_mesh_facts facts = facts_of(mesh);
        assert_true(facts.closed && facts.oriented && facts.convex && facts.flat_faces && facts.convex_faces);
        assert_true(facts.volume > 0 && graze_mesh_irregular_face_count(mesh) == 0);
        polygons += facts.faces < facts.triangles;
        assert_int_equal(graze_mesh_create_outer_hull(NULL, points[0], count, 8, NULL, &outer), GRAZE_STATUS_OK);
        graze_mesh_facts larger = facts_of(outer);
        assert_true(larger.vertices <= 8 && larger.convex && larger.volume >= facts.volume);
        graze_mesh_destroy(mesh);
        graze_mesh_destroy(outer);
    }
    assert_true(polygons >= TEST_ROUNDS(60) / 3);
}

static void flat_and_thin_hulls_are_legal_meshes(void **state)
{
    (void)state;
    static const double square[5][3] = {{0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}, {1, 1, 1}};
    static const double segment[3][3] = {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}};
    static const struct
    {
        const double *points;
        size_t count, vertices, triangles;
    } cases[3] = {{square[0], 5, 4, 4}, {segment[0], 3, 2, 1}, {segment[0], 1, 1, 1}};
    static const double near_one[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++)
    {
        graze_mesh *mesh = NULL;
        assert_int_equal(graze_mesh_create_hull(NULL, cases[i].points, cases[i].count, NULL, &mesh), GRAZE_STATUS_OK);
        assert_int_equal(graze_mesh_vertex_count(mesh), cases[i].vertices);
        assert_int_equal(graze_mesh_triangle_count(mesh), cases[i].triangles);
        graze_mesh *point = NULL;
        bool collides = false;
        assert_int_equal(graze_mesh_create_hull(NULL, near_one, 1, NULL, &point), GRAZE_STATUS_OK);
        graze_placed_mesh a = {mesh, NULL, graze_pose_identity()}, b = {point, NULL, graze_pose_identity()};
        graze_hit hit;
        assert_int_equal(graze_pair_any(NULL, &a, &b, NULL, &collides, &hit), GRAZE_STATUS_OK);
        assert_int_equal(collides, i < 2);
        graze_mesh_destroy(point);
        graze_mesh_destroy(mesh);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    double some[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}};
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_hull(NULL, some[0], 4, NULL, &mesh), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_mesh_create_hull(NULL, NULL, 0, NULL, &mesh), GRAZE_STATUS_EMPTY);
    assert_int_equal(graze_mesh_create_outer_hull(NULL, some[0], 3, 3, NULL, &mesh), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_mesh_create_outer_hull(NULL, some[0], 3, 4, NULL, &mesh), GRAZE_STATUS_OK);
    graze_mesh_destroy(mesh);
}

static bool stop(void *user, double share)
{
    (void)user;
    return share < 0;
}

static void budgets_and_progress_end_a_hull(void **state)
{
    (void)state;
    static double many[30000][3];
    grz_random random = grz_random_make(SEED + 1);
    for (size_t i = 0; i < 30000; i++)
        for (int axis = 0; axis < 3; axis++)
            many[i][axis] = grz_random_between(&random, -1, 1);
    graze_mesh *mesh = NULL;
    const graze_budget cancelling = {.progress = stop}, small = {.box_tests = 10000};
    assert_int_equal(graze_mesh_create_hull(NULL, many[0], 30000, &cancelling, &mesh), GRAZE_STATUS_CANCELLED);
    assert_int_equal(graze_mesh_create_hull(NULL, many[0], 30000, &small, &mesh), GRAZE_STATUS_UNFINISHED);
    assert_int_equal(graze_mesh_create_outer_hull(NULL, many[0], 30000, 10, &small, &mesh), GRAZE_STATUS_UNFINISHED);
    assert_null(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_are_convex_bodies_with_polygons_as_faces),
        cmocka_unit_test(flat_and_thin_hulls_are_legal_meshes),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(budgets_and_progress_end_a_hull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
