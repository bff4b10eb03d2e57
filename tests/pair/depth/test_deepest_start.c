/* SPDX-License-Identifier: MIT */
/*
 * The first cells of a search for the deepest common point: the box around all common points, its middle, and
 * its halves, which are needed while a local maximum is possible in either side.
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
    SEED = 2207
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
    }
}

static void end(started *s)
{
    for (int i = 0; i < 2; i++)
        grz_surface_release(NULL, &s->search.space.surfaces[i]);
    grz_release(NULL, s->search.space.vertices.data);
    grz_release(NULL, s->search.space.normals.data);
    grz_release(NULL, s->search.heap.cells.data);
    grz_release(NULL, s->search.boxes.data);
    grz_located_surfaces_release(NULL, &s->located);
    grz_pair_hits_release(&s->hits);
}

/* The box around all triangles that are not outside, along the axes of the world. */
static graze_box box_around(const started *s)
{
    graze_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int owner = 0; owner < 2; owner++)
    {
        const graze_placed_mesh *placed = s->hits.body_pair.sides[owner].placed;
        for (size_t i = 0; i < 3 * placed->mesh->triangle_count; i++)
        {
            double x[3];
            if (s->located.of[owner][i / 3] == GRZ_TRIANGLE_OUTSIDE)
                continue;
            graze_pose_apply(&placed->pose, grz_triangle_corner(placed->mesh, i / 3, i % 3), x);
            for (int axis = 0; axis < 3; axis++)
            {
                box.lower[axis] = fmin(box.lower[axis], x[axis]);
                box.upper[axis] = fmax(box.upper[axis], x[axis]);
            }
        }
    }
    return box;
}

/* Leaves zeros where the next call has its variables: what it does not set is then a point far away. */
static void clear_stack(void)
{
    volatile char below[4096];
    for (size_t i = 0; i < sizeof below; i++)
        below[i] = 0;
}

static graze_mesh *tetrahedron(grz_random *random)
{
    static const uint32_t faces[12] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    double corners[4][3];
    for (int i = 0; i < 12; i++)
        corners[i / 3][i % 3] = grz_random_between(random, -1, 1);
    return body_of_triangles(corners, 4, faces, 4);
}

static double volume_of(const grz_deepest_search *s, const grz_simplex *cell)
{
    const double *half = s->boxes.data[cell->vertices[0]].half;
    return 8 * half[0] * half[1] * half[2];
}

/* Without a known point the axes are those of the world. */
static void cells_fill_the_box_around_common_points(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    size_t boxes = 0, filled = 0;
    for (int round = 0; round < 400; round++)
    {
        graze_mesh *first = tetrahedron(&random), *second = tetrahedron(&random);
        graze_pose far = graze_pose_translation(20, 30, 40);
        graze_placed_mesh a = {first, NULL, far}, b = {second, NULL, far};
        static started s;
        grz_simplex_ball middle;
        start(&s, &a, &b);
        graze_box box = box_around(&s);
        clear_stack();
        bool common = grz_deepest_find_middle(&s.search, &middle);
        assert_true(common == (box.lower[0] <= box.upper[0]));
        for (int axis = 0; axis < 3 && common; axis++)
            assert_true(fabs(middle.centre[axis] - 0.5 * (box.lower[axis] + box.upper[axis])) < 1e-9);
        boxes += common;
        grz_deepest_start_space(&s.search);
        assert_int_equal(s.search.status, GRAZE_STATUS_OK);
        double volume = 0, whole = 1;
        for (size_t i = 0; i < s.search.heap.cells.count; i++)
            volume += volume_of(&s.search, &s.search.heap.cells.data[i]);
        for (int axis = 0; axis < 3 && common; axis++)
            whole *= box.upper[axis] - box.lower[axis];
        if (s.search.heap.cells.count > 0)
            assert_true(fabs(volume - whole) < 1e-9 * whole);
        filled += s.search.heap.cells.count > 0;
        end(&s);
        graze_mesh_destroy(first);
        graze_mesh_destroy(second);
    }
    printf("%zu with common points, %zu with cells\n", boxes, filled);
    assert_true(boxes > 100 && filled > 50);
}

/* A block as triangles, one of them turned over if asked for. */
static graze_mesh *block_of(const double lower[3], const double upper[3], bool turned)
{
    static const uint32_t of_quad[6] = {0, 1, 2, 0, 2, 3};
    double vertices[8][3];
    uint32_t corners[36];
    body_box_vertices(vertices, lower, upper);
    for (uint32_t i = 0; i < 36; i++)
        corners[i] = body_box_corners[i / 6 * 4 + of_quad[i % 6]];
    corners[1] = body_box_corners[turned ? 2 : 1];
    corners[2] = body_box_corners[turned ? 1 : 2];
    return body_of_triangles(vertices, 8, corners, 12);
}

/* A small body just below a face of a large one: the depth in the large one has no maximum there, unless its triangles
   are not oriented alike, and that in the small one is less. */
static void a_side_without_maximum_needs_no_halves(void **state)
{
    (void)state;
    const double block[6] = {0, 0, 0, 10, 10, 10}, other[6] = {4, 5, 9, 4.25, 5.5, 9.25};
    int sides = 0;
    for (int turn = 0; turn < 4; turn++) /* poses decide which side is the first */
    {
        graze_mesh *large = block_of(block, block + 3, turn >= 2), *small = block_of(other, other + 3, false);
        static started s;
        graze_placed_mesh a = {large, NULL, graze_pose_translation(turn % 2 == 0 ? 0.5 : 0, 0, 0)};
        graze_placed_mesh b = {small, NULL, graze_pose_translation(turn % 2 == 0 ? 0 : 0.5, 0, 0)};
        start(&s, &a, &b);
        int of_large = s.hits.body_pair.sides[0].placed == &a ? 0 : 1;
        grz_deepest_start_space(&s.search);
        assert_int_equal(s.search.heap.cells.count, 1);
        grz_simplex cell = grz_simplex_heap_pop(&s.search.heap);
        grz_deepest_search_box(&s.search, &cell);
        assert_true(s.search.best.depth > 0.8 && s.search.best.side == of_large);
        assert_int_equal(s.search.heap.cells.count, turn < 2 ? 0 : 2);
        for (size_t i = 0; i < s.search.heap.cells.count; i++)
        {
            assert_false(s.search.heap.cells.data[i].settled[of_large]);
            assert_true(s.search.heap.cells.data[i].settled[1 - of_large]);
        }
        sides += of_large;
        end(&s);
        graze_mesh_destroy(large);
        graze_mesh_destroy(small);
    }
    assert_int_equal(sides, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_fill_the_box_around_common_points),
        cmocka_unit_test(a_side_without_maximum_needs_no_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
