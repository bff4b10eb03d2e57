/* SPDX-License-Identifier: MIT */
/*
 * Meshes without extent along two axes or all, and triangles that are a segment in an edge of the bounds or a point in
 * their corner: no cell had them, so that a mesh of nothing else had no piece, which graze_decomposition_create then
 * read.
 */
#include <stdio.h>

#include "graze/decomposition.h"
#include "graze/shape_query.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = 24,
    MOST = 8
};

static void create(const double (*vertices)[3], size_t vertex_count, const uint32_t *corners, size_t triangle_count,
                   graze_mesh **out_mesh)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices[0];
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.corner_count = 3 * triangle_count;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, out_mesh), GRAZE_STATUS_OK);
}

/* Whether a piece has the point, exactly. */
static bool is_covered(const graze_decomposition *d, const double point[3])
{
    graze_shape *at;
    bool covered = false;
    assert_int_equal(graze_shape_create_point(NULL, point, &at), GRAZE_STATUS_OK);
    for (size_t i = 0; i < graze_decomposition_piece_count(d) && !covered; i++)
    {
        const graze_mesh *piece = graze_decomposition_piece(d, i);
        graze_shape *hull;
        graze_verdict verdict;
        assert_int_equal(
            graze_shape_create_hull(NULL, graze_mesh_vertices(piece), graze_mesh_vertex_count(piece), NULL, &hull),
            GRAZE_STATUS_OK);
        const graze_placed a = {hull, graze_pose_identity()}, b = {at, graze_pose_identity()};
        assert_int_equal(graze_shape_pair_any(NULL, &a, &b, NULL, &verdict, NULL), GRAZE_STATUS_OK);
        covered = verdict == GRAZE_VERDICT_YES;
        graze_shape_destroy(hull);
    }
    graze_shape_destroy(at);
    return covered;
}

static size_t decompose_and_check(const double (*vertices)[3], size_t vertex_count, const uint32_t *corners,
                                  size_t triangle_count, size_t most_pieces)
{
    graze_mesh *mesh;
    graze_decomposition *d;
    graze_decomposition_options options = graze_decomposition_options_default();
    options.most_pieces = most_pieces;
    options.excess = 0.25;
    create(vertices, vertex_count, corners, triangle_count, &mesh);
    assert_int_equal(graze_decomposition_create(NULL, mesh, &options, &d), GRAZE_STATUS_OK);
    size_t count = graze_decomposition_piece_count(d);
    assert_true(count >= 1 && count <= most_pieces);
    for (size_t i = 0; i < 3 * triangle_count; i++)
        assert_true(is_covered(d, vertices[corners[i]]));
    graze_decomposition_destroy(d);
    graze_mesh_destroy(mesh);
    return count;
}

static void a_point_and_a_segment_are_one_piece(void **state)
{
    (void)state;
    static const double ends[2][3] = {{3, 1, 2}, {3, 4, 2}};
    static const uint32_t point[3] = {0, 0, 0}, segment[3] = {0, 1, 0};
    assert_int_equal(decompose_and_check(ends, 1, point, 1, 4), 1);
    decompose_and_check(ends, 2, segment, 1, 4);
}

static void a_point_in_a_corner_of_the_bounds_is_covered(void **state)
{
    (void)state;
    static const double vertices[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 2, 2}};
    static const uint32_t corners[6] = {0, 1, 2, 3, 3, 3};
    for (size_t most = 1; most <= MOST; most++)
        decompose_and_check(vertices, 4, corners, 2, most);
}

/* On a grid of three numbers most triangles are segments, points or in sides of cells. */
static void degenerate_meshes_on_a_grid_are_covered(void **state)
{
    (void)state;
    test_random random = test_random_start("flat decompositions", 1890);
    int points = 0, segments = 0;
    for (int round = 0; round < TEST_ROUNDS(ROUNDS); round++)
    {
        double vertices[6][3];
        uint32_t corners[3 * MOST];
        int extents[3], flat = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            extents[axis] = random_between(&random, 0, 2);
            flat += extents[axis] == 0;
        }
        points += flat == 3;
        segments += flat == 2;
        for (int i = 0; i < 18; i++)
            vertices[i / 3][i % 3] = random_between(&random, 0, extents[i % 3]);
        size_t count = (size_t)random_between(&random, 1, 4);
        for (size_t i = 0; i < 3 * count; i++)
            corners[i] = (uint32_t)random_below(&random, 6);
        if (round % 2 == 0) /* closed: each triangle and its back */
            for (size_t t = 0; t < count; t++)
                for (int c = 0; c < 3; c++)
                    corners[3 * (count + t) + (size_t)c] = corners[3 * t + (size_t)(2 - c)];
        decompose_and_check((const double(*)[3])vertices, 6, corners, round % 2 == 0 ? 2 * count : count,
                            (size_t)random_between(&random, 1, MOST));
    }
    printf("%d points, %d segments\n", points, segments);
    assert_true(points + segments > TEST_ROUNDS(ROUNDS) / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_and_a_segment_are_one_piece),
        cmocka_unit_test(a_point_in_a_corner_of_the_bounds_is_covered),
        cmocka_unit_test(degenerate_meshes_on_a_grid_are_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
