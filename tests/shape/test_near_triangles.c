/* SPDX-License-Identifier: MIT */
/*
 * Triangles near something: with a tree and without one, those whose boxes are within a fixed reach are all visited,
 * and the nearest is found while the reach shrinks; a budget and a visitor end the search.
 */
#include "shape/near_triangles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/tree.h"
#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "shape/leaves.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    MOST_TRIANGLES = 2048,
    ROUNDS = 300
};

typedef struct visits
{
    const graze_placed_mesh *mesh;
    const graze_box *box;
    double reach, nearest;
    bool shrinks;
    unsigned most, count; /* after `most` the visitor stops */
    unsigned char seen[MOST_TRIANGLES];
} visits;

static double gap_of(const visits *v, uint32_t triangle)
{
    grz_placed_aabb around = grz_aabb_of_triangle(v->mesh->mesh, triangle, &v->mesh->pose);
    graze_box box;
    for (int k = 0; k < 3; k++)
    {
        box.lower[k] = around.axes[k].lower;
        box.upper[k] = around.axes[k].upper;
    }
    return grz_box_gap(v->box, &box);
}

static bool take(void *user, uint32_t triangle)
{
    visits *v = user;
    double gap = gap_of(v, triangle);
    assert_true(triangle < MOST_TRIANGLES && v->seen[triangle] == 0 && gap <= v->reach);
    v->seen[triangle] = 1;
    v->nearest = fmin(v->nearest, gap);
    if (v->shrinks)
        v->reach = v->nearest;
    return ++v->count < v->most;
}

static bool search(visits *v, double reach, bool shrinks, unsigned most, grz_shape_query *q)
{
    memset(v->seen, 0, sizeof v->seen);
    v->reach = reach;
    v->shrinks = shrinks;
    v->most = most;
    v->count = 0;
    v->nearest = INFINITY;
    memset(&q->stats, 0, sizeof q->stats);
    return grz_visit_near_triangles(q, v->mesh, v->box, &v->reach, take, v);
}

static graze_box random_box(test_random *random)
{
    graze_box box;
    for (int k = 0; k < 3; k++)
    {
        box.lower[k] = random_real(random, -6, 6);
        box.upper[k] = box.lower[k] + (random_once_in(random, 3) ? 0 : random_real(random, 0, 1));
    }
    return box;
}

static void check(visits *v, test_random *random, unsigned *shrunk)
{
    grz_shape_query q;
    memset(&q, 0, sizeof q);
    uint32_t count = (uint32_t)graze_mesh_triangle_count(v->mesh->mesh), within = 0;
    double reach = random_real(random, 0, 6), nearest = INFINITY;
    for (uint32_t t = 0; t < count; t++)
    {
        double gap = gap_of(v, t);
        within += gap <= reach;
        nearest = fmin(nearest, gap);
    }
    assert_true(search(v, reach, false, UINT32_MAX, &q));
    assert_int_equal(v->count, within);
    assert_true(search(v, 100, true, UINT32_MAX, &q));
    assert_true(v->nearest == nearest && v->count <= count);
    *shrunk += v->count < count / 4;
    if (within > 3)
    {
        assert_false(search(v, reach, false, 3, &q));
        assert_int_equal(v->count, 3);
    }
    /* A search that visits nothing ends with its budget too. */
    graze_budget budget = {.box_tests = 5};
    grz_monitor monitor = grz_monitor_make(&budget);
    q.monitor = &monitor;
    assert_false(search(v, -1, false, UINT32_MAX, &q));
    assert_true(v->count == 0 && q.stats.box_tests <= 6 + GRZ_TREE_WIDTH);
    monitor = grz_monitor_make(&budget);
    assert_false(search(v, 100, false, UINT32_MAX, &q));
    assert_true(v->count < count && q.stats.box_tests <= 6 + GRZ_TREE_WIDTH);
}

static void all_triangles_near_a_box_are_visited(void **state)
{
    (void)state;
    test_random random = test_random_start("near triangles", 23);
    graze_mesh *mesh;
    graze_tree *tree;
    unsigned shrunk = 0;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 4, 10, &mesh), GRAZE_STATUS_OK);
    assert_true(graze_mesh_triangle_count(mesh) <= MOST_TRIANGLES);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_placed_mesh placed = {mesh, round % 4 == 0 ? NULL : tree, graze_pose_identity()};
        graze_box box = random_box(&random);
        for (int k = 3; k < 12; k += 4)
            placed.pose.m[k] = random_real(&random, -2, 2);
        visits v = {.mesh = &placed, .box = &box};
        check(&v, &random, &shrunk);
    }
    printf("%u of %d searches left out most triangles\n", shrunk, ROUNDS);
    assert_true(shrunk > ROUNDS / 3);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_triangles_near_a_box_are_visited)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
