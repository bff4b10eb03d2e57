/* SPDX-License-Identifier: MIT */
/*
 * The probe: of spheres, which are nearly convex, it finds a vertex about as deep as the deepest of all, by measuring a
 * few; and the climb to the largest sum of two depths, which is the overlap of boxes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/generate.h"
#include "pair/depth/deepest_search.h"
#include "pair/distance/triangle_distance.h"
#include "support/bodies.h"
#include "support/unit.h"

enum
{
    SEED = 9071
};

typedef struct started
{
    grz_pair_hits hits;
    grz_located_surfaces located;
    grz_deepest_search search;
} started;

static void start(started *s, const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    memset(s, 0, sizeof *s);
    assert_int_equal(grz_pair_hits_make(NULL, a, b, NULL, NULL, NULL, &s->hits), GRAZE_STATUS_OK);
    grz_body_pair *pair = &s->hits.body_pair;
    s->located = grz_locate_surfaces(pair, &s->hits.hits);
    assert_int_equal(s->located.status, GRAZE_STATUS_OK);
    s->search.pair = pair;
    s->search.best.way.length = INFINITY;
    for (int i = 0; i < 2; i++)
        s->search.space.reach = fmax(
            s->search.space.reach, 4 * grz_coordinate_bound(pair->sides[i].placed->mesh, &pair->sides[i].placed->pose));
    for (int i = 0; i < 2; i++)
    {
        s->search.space.surfaces[i] = grz_surface_make(&pair->sides[i], s->search.space.reach, NULL);
        s->search.space.facing[i] = 1;
        s->search.locations[i] = s->located.of[i];
        size_t count = pair->sides[i].placed->mesh->vertex_count;
        s->search.vertex_of[i] = grz_allocate(NULL, count, sizeof *s->search.vertex_of[i]);
        assert_non_null(s->search.vertex_of[i]);
        memset(s->search.vertex_of[i], 0xff, count * sizeof *s->search.vertex_of[i]);
    }
}

static void end(started *s)
{
    for (int i = 0; i < 2; i++)
        grz_surface_release(NULL, &s->search.space.surfaces[i]);
    for (int i = 0; i < 2; i++)
        grz_release(NULL, s->search.vertex_of[i]);
    grz_release(NULL, s->search.space.vertices.data);
    grz_release(NULL, s->search.space.normals.data);
    grz_release(NULL, s->search.heap.cells.data);
    grz_release(NULL, s->search.boxes.data);
    grz_located_surfaces_release(NULL, &s->located);
    grz_pair_hits_release(&s->hits);
}

/* The depth of the deepest vertex of a triangle inside the other body, and how many triangles are inside. */
static double deepest_vertex(const started *s, size_t *out_inside)
{
    double most = 0;
    *out_inside = 0;
    for (int owner = 0; owner < 2; owner++)
    {
        const graze_placed_mesh *placed = s->hits.body_pair.sides[owner].placed;
        for (size_t i = 0; i < 3 * placed->mesh->triangle_count; i++)
        {
            double x[3];
            grz_nearest_triangle nearest;
            if (s->located.of[owner][i / 3] != GRZ_TRIANGLE_INSIDE)
                continue;
            ++*out_inside;
            graze_pose_apply(&placed->pose, grz_triangle_corner(placed->mesh, i / 3, i % 3), x);
            grz_find_nearest_triangle(&s->search.space.surfaces[1 - owner], x, 0, GRZ_NO_TRIANGLE, &nearest);
            most = fmax(most, nearest.upper);
        }
    }
    return most;
}

static void the_probe_finds_deep_vertices(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    size_t probed = 0, good = 0, few = 0;
    graze_mesh *sphere;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 6, &sphere), GRAZE_STATUS_OK);
    for (int round = 0; round < 60; round++)
    {
        double axis[3], at[3];
        for (int k = 0; k < 3; k++)
            axis[k] = grz_random_between(&random, -1, 1);
        double size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        double apart = grz_random_between(&random, 1.0, 1.95) / size;
        for (int k = 0; k < 3; k++)
            at[k] = apart * axis[k];
        graze_placed_mesh a = {sphere, NULL, graze_pose_identity()}, b = a;
        assert_int_equal(graze_pose_from_axis_angle(axis, 1.5, at, &b.pose), GRAZE_STATUS_OK);
        static started s;
        size_t inside;
        start(&s, &a, &b);
        double most = deepest_vertex(&s, &inside);
        s.search.max_cells = 1000;
        grz_deepest_probe(&s.search);
        assert_int_equal(s.search.status, GRAZE_STATUS_OK);
        assert_int_equal(s.search.heap.cells.count, 0);
        assert_true((s.search.best.depth > 0) == (inside > 0));
        if (inside > 0)
        {
            size_t measured = 0;
            for (size_t i = 0; i < s.search.space.vertices.count; i++)
                measured += s.search.space.vertices.data[i].measured[0] || s.search.space.vertices.data[i].measured[1];
            probed++;
            good += s.search.best.depth > 0.97 * most;
            few += 3 * measured < s.search.space.vertices.count;
            assert_true(s.search.best.depth < 2 - apart * size + 1e-9);
        }
        end(&s);
    }
    graze_mesh_destroy(sphere);
    printf("%zu probed, %zu as deep as the deepest vertex, %zu with few measured\n", probed, good, few);
    assert_true(probed > 40 && 10 * good >= 9 * probed && few > 10);
}

/* Boxes overlap by a box; the sum of the depths of its points is at most its shortest side, and that in the middle. */
static void climbing_finds_the_overlap_of_boxes(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    size_t close = 0;
    for (int round = 0; round < 60; round++)
    {
        const double lower[3] = {-5, -5, -5}, upper[3] = {5, 5, 5};
        double from[3], to[3], overlap = INFINITY;
        for (int axis = 0; axis < 3; axis++)
        {
            double side = grz_random_between(&random, 0.5, 1.5);
            from[axis] = 5 - side;
            to[axis] = from[axis] + 10;
            overlap = fmin(overlap, side);
        }
        graze_mesh *first = body_box(lower, upper), *second = body_box(from, to);
        graze_placed_mesh a = {first, NULL, graze_pose_identity()}, b = {second, NULL, graze_pose_identity()};
        static started s;
        start(&s, &a, &b);
        s.search.max_cells = 1000;
        s.search.best.depth = 0.01 * overlap; /* of a corner, say */
        for (int axis = 0; axis < 3; axis++)
            s.search.best.point[axis] = 5 - 0.01 * overlap;
        grz_deepest_climb_sum(&s.search);
        assert_int_equal(s.search.status, GRAZE_STATUS_OK);
        assert_true(s.search.best.sum <= overlap * (1 + 1e-12));
        close += s.search.best.sum > 0.9 * overlap;
        end(&s);
        graze_mesh_destroy(first);
        graze_mesh_destroy(second);
    }
    printf("%zu of 60 close to the overlap\n", close);
    assert_true(close > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_probe_finds_deep_vertices),
        cmocka_unit_test(climbing_finds_the_overlap_of_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
