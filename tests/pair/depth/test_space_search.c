/* SPDX-License-Identifier: MIT */
/*
 * The search of space: at every stage each common point is either no deeper than what was pruned, or in a box that is
 * still to be searched, with a bound that is at least its depth. Bodies are not oriented, so that nothing is dropped
 * for lack of a maximum (test_distance_maxima.c), and their depths come from all triangles, one by one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "pair/depth/deepest_search.h"
#include "pair/distance/triangle_distance.h"
#include "support/bodies.h"
#include "support/unit.h"

enum
{
    SEED = 4471,
    POINTS = 60,
    STAGES = 40,
    ROUNDS = TEST_ROUNDS(240)
};

typedef struct started
{
    grz_pair_hits hits;
    grz_located_surfaces located;
    grz_deepest_search search;
} started;

/* With leaves, whose kernels measure eight corners at once, or without. */
static void start(started *s, const graze_placed_mesh *a, const graze_placed_mesh *b, bool leaves)
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
        assert_true(!leaves || (grz_surface_make_leaves(NULL, &s->search.space.surfaces[i]) &&
                                s->search.space.surfaces[i].leaves != NULL));
        s->search.locations[i] = s->located.of[i];
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

static graze_mesh *tetrahedron(grz_random *random)
{
    static const uint32_t faces[12] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    double corners[4][3];
    for (int i = 0; i < 12; i++)
        corners[i / 3][i % 3] = grz_random_between(random, -1, 1);
    uint32_t turned[12]; /* one face: not oriented */
    memcpy(turned, faces, sizeof turned);
    turned[0] = faces[1];
    turned[1] = faces[0];
    return body_of_triangles(corners, 4, turned, 4);
}

/* A common point: how deep, and where along the axes of the common box. */
typedef struct common_point
{
    double depths[2], along[3];
} common_point;

static double depth_of(const started *s, int side, const double x[3])
{
    const grz_surface *surface = &s->search.space.surfaces[side];
    double least = INFINITY;
    for (uint32_t t = 0; t < s->hits.body_pair.sides[side].placed->mesh->triangle_count; t++)
    {
        v3 corners[3];
        grz_surface_corners(surface, t, corners);
        least = fmin(least, grz_distance_to_triangle(surface, corners, v3_load(x)));
    }
    return least - 2 * surface->error;
}

/* Measures a point along the axes of the common box; false unless it is a common point. */
static bool measure(started *s, common_point *p)
{
    v3 sum = v3_make(0, 0, 0);
    double x[3];
    for (int axis = 0; axis < 3; axis++)
        sum = v3_add(sum, v3_scale(p->along[axis], s->search.common.axes[axis]));
    v3_store(sum, x);
    if (!grz_simplex_point_inside(&s->search.space, 0, x, 0) || !grz_simplex_point_inside(&s->search.space, 1, x, 0))
        return false;
    for (int side = 0; side < 2; side++)
        p->depths[side] = depth_of(s, side, x);
    return true;
}

static size_t find_points(grz_random *random, started *s, common_point *points)
{
    size_t count = 0;
    for (int tries = 0; tries < 2000 && count < POINTS; tries++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            const interval extent = s->search.common.extents[axis];
            points[count].along[axis] = grz_random_between(random, extent.lower, extent.upper);
        }
        count += measure(s, &points[count]);
    }
    return count;
}

/* Adds the corners of a box that are common points, a little within it. */
static size_t add_corners(started *s, const grz_space_box *box, common_point *points, size_t count)
{
    for (int k = 0; k < 8; k++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            double half = (1 - 1e-7) * box->half[axis];
            points[count].along[axis] = box->middle[axis] + ((k >> axis & 1) != 0 ? half : -half);
        }
        count += measure(s, &points[count]);
    }
    return count;
}

/* Whether a box that is still to be searched holds the point with a bound that is large enough. */
static bool is_kept(const started *s, const common_point *p, int side)
{
    for (size_t i = 0; i < s->search.heap.cells.count; i++)
    {
        const grz_simplex *cell = &s->search.heap.cells.data[i];
        const grz_space_box *box = &s->search.boxes.data[cell->vertices[0]];
        bool holds = !cell->settled[side] && cell->bound >= p->depths[side];
        for (int axis = 0; axis < 3; axis++)
            holds = holds && fabs(p->along[axis] - box->middle[axis]) <= box->half[axis] * (1 + 1e-9);
        if (holds)
            return true;
    }
    return false;
}

/* No corner of a box is farther from the surface of a side than its bound, or than what was pruned. */
static void check_bound(started *s, const grz_simplex *cell, const grz_space_box *box)
{
    for (int i = 0; i < 16; i++)
    {
        v3 sum = v3_make(0, 0, 0);
        double x[3];
        for (int axis = 0; axis < 3; axis++)
        {
            double half = (i >> axis & 1) != 0 ? box->half[axis] : -box->half[axis];
            sum = v3_add(sum, v3_scale(box->middle[axis] + half, s->search.common.axes[axis]));
        }
        v3_store(sum, x);
        double bound = cell->settled[i / 8] ? fmax(s->search.pruned, s->search.best.depth) : cell->bound;
        assert_true(depth_of(s, i / 8, x) <= bound * (1 + 1e-12));
    }
}

static void no_deep_common_point_is_lost(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    size_t kept = 0, pruned = 0, outside = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_mesh *first = tetrahedron(&random), *second = tetrahedron(&random);
        graze_tree *trees[2] = {NULL, NULL};
        for (int i = 0; i < 2 && round % 2 == 1; i++)
            assert_int_equal(graze_tree_create(NULL, i == 0 ? first : second, NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        graze_placed_mesh a = {first, trees[0], graze_pose_translation(3, 4, 5)};
        graze_placed_mesh b = {second, trees[1], graze_pose_translation(3.125, 4, 5)};
        static started s;
        static common_point points[POINTS + 8];
        start(&s, &a, &b, trees[0] != NULL);
        grz_deepest_start_space(&s.search);
        size_t count = s.search.heap.cells.count > 0 ? find_points(&random, &s, points) : 0;
        for (int stage = 0; stage < STAGES && count > 0 && s.search.heap.cells.count > 0; stage++)
        {
            size_t before = s.search.boxes.count;
            grz_simplex cell = grz_simplex_heap_pop(&s.search.heap);
            size_t all = add_corners(&s, &s.search.boxes.data[cell.vertices[0]], points, count);
            grz_deepest_search_box(&s.search, &cell);
            assert_int_equal(s.search.status, GRAZE_STATUS_OK);
            if (s.search.boxes.count > before)
                check_bound(&s, &cell, &s.search.boxes.data[cell.vertices[0]]);
            outside += s.search.boxes.count == before;
            for (size_t i = 0; i < 2 * all; i++)
            {
                const common_point *p = &points[i / 2];
                int side = (int)(i % 2);
                if (p->depths[side] <= fmax(s.search.pruned, s.search.best.depth) * (1 + 1e-12))
                    pruned++;
                else
                {
                    assert_true(is_kept(&s, p, side));
                    kept++;
                }
            }
        }
        end(&s);
        for (int i = 0; i < 2; i++)
            graze_tree_destroy(trees[i]);
        graze_mesh_destroy(first);
        graze_mesh_destroy(second);
    }
    printf("%zu kept, %zu not deep enough, %zu boxes without halves\n", kept, pruned, outside);
    assert_true(kept > 1000 && pruned > 1000 && outside > 100);
}

/* Leaves no numbers on the stack that a search could take for its own. */
__attribute__((noinline)) static void spoil_stack(void)
{
    volatile unsigned char room[1 << 16];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = 0xff;
}

/* Small boxes anywhere in the common box, whose centres are as deep as what is known: all eight corners count. */
static void boxes_are_as_deep_as_their_deepest_corner(void **state)
{
    (void)state;
    printf("seed %d\n", SEED + 1);
    grz_random random = grz_random_make(SEED + 1);
    size_t checked = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_mesh *meshes[2] = {tetrahedron(&random), tetrahedron(&random)};
        graze_tree *trees[2] = {NULL, NULL};
        graze_placed_mesh placed[2];
        static started s;
        for (int i = 0; i < 2; i++)
        {
            if (round % 2 == 1)
                assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
            placed[i] = (graze_placed_mesh){meshes[i], trees[i], graze_pose_translation(0.125 * i, 0, 0)};
        }
        start(&s, &placed[0], &placed[1], trees[0] != NULL);
        grz_deepest_start_space(&s.search);
        static common_point centres[POINTS];
        size_t count = s.search.boxes.count > 0 ? find_points(&random, &s, centres) : 0;
        for (size_t i = 0; i < count; i++)
        {
            grz_space_box box = s.search.boxes.data[0];
            double size = grz_random_between(&random, 0.005, 0.1);
            for (int axis = 0; axis < 3; axis++)
            {
                box.middle[axis] = centres[i].along[axis];
                box.half[axis] = size * grz_random_between(&random, 0.5, 1);
            }
            grz_simplex cell = {.bound = INFINITY, .owner = GRZ_SPACE, .vertices = {(uint32_t)s.search.boxes.count}};
            assert_true(GRZ_PUSH(NULL, &s.search.boxes, box));
            s.search.best.depth = 1.0001 * fmax(centres[i].depths[0], centres[i].depths[1]);
            s.search.pruned = 0;
            spoil_stack();
            grz_deepest_search_box(&s.search, &cell);
            assert_int_equal(s.search.status, GRAZE_STATUS_OK);
            check_bound(&s, &cell, &box);
            checked++;
        }
        end(&s);
        for (int i = 0; i < 2; i++)
        {
            graze_tree_destroy(trees[i]);
            graze_mesh_destroy(meshes[i]);
        }
    }
    printf("%zu boxes\n", checked);
    assert_true(checked > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_deep_common_point_is_lost),
                                       cmocka_unit_test(boxes_are_as_deep_as_their_deepest_corner)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
