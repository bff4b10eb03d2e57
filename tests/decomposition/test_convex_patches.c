/* SPDX-License-Identifier: MIT */
/*
 * Convex patches: every triangle has no vertex of its patch in front of it, by the oracle; patches are connected and
 * numbered in order; convex bodies are one patch. Soups on grids, shapes, folded and degenerate triangles.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/decomposition.h"
#include "graze/generate.h"
#include "mesh/examine.h"
#include "support/meshes.h"
#include "support/unit.h"

enum
{
    SEED = 5150,
    MOST = 40000
};

static uint32_t patches[MOST];

static size_t find(const graze_mesh *mesh)
{
    size_t count = SIZE_MAX;
    assert_true(graze_mesh_triangle_count(mesh) <= MOST);
    assert_int_equal(graze_mesh_find_convex_patches(NULL, mesh, NULL, patches, &count), GRAZE_STATUS_OK);
    return count;
}

static const double *corner_of(const graze_mesh *mesh, size_t triangle, size_t k)
{
    return graze_mesh_vertices(mesh) + 3 * (size_t)graze_mesh_triangles(mesh)[3 * triangle + k];
}

static bool is_degenerate(const graze_mesh *mesh, size_t t)
{
    return grz_view_with_area(corner_of(mesh, t, 0), corner_of(mesh, t, 1), corner_of(mesh, t, 2)) < 0;
}

/* Brute force over all pairs of triangles of a patch. */
static void check_patches(oracle *judge, const graze_mesh *mesh, size_t count)
{
    size_t triangles = graze_mesh_triangle_count(mesh), seen = 0;
    for (size_t t = 0; t < triangles; t++)
    {
        assert_true(patches[t] <= seen && patches[t] < count);
        seen += patches[t] == seen;
        for (size_t u = 0; u < triangles; u++)
        {
            if (patches[u] != patches[t])
                continue;
            assert_true(u == t || (!is_degenerate(mesh, t) && !is_degenerate(mesh, u)));
            for (size_t k = 0; k < 3; k++)
            {
                const graze_placed_point points[4] = {{corner_of(mesh, t, 0), NULL},
                                                      {corner_of(mesh, t, 1), NULL},
                                                      {corner_of(mesh, t, 2), NULL},
                                                      {corner_of(mesh, u, k), NULL}};
                oracle_load(judge, points, 4);
                assert_true(oracle_loaded_orient3d(judge, 0, 1, 2, 3) >= 0);
            }
        }
    }
    assert_int_equal(seen, count);
}

/* Each patch is connected through edges of exactly two triangles. */
static void check_connected(const graze_mesh *mesh, size_t count)
{
    static uint32_t queue[MOST];
    static bool reached[MOST];
    graze_topology *topology = NULL;
    size_t starts = 0, triangles = graze_mesh_triangle_count(mesh);
    assert_int_equal(grz_topology_create_over_triangles(NULL, mesh, NULL, &topology), GRAZE_STATUS_OK);
    memset(reached, 0, sizeof reached);
    for (uint32_t first = 0; first < triangles; first++)
    {
        size_t length = 1;
        if (reached[first])
            continue;
        starts++;
        queue[0] = first;
        reached[first] = true;
        for (size_t i = 0; i < length; i++)
            for (uint32_t h = 3 * queue[i]; h < 3 * queue[i] + 3; h++)
            {
                uint32_t twin = topology->half_edges[h].twin;
                if (topology->half_edges[h].edge == GRAZE_NO_EDGE || twin == GRAZE_NO_HALF_EDGE || reached[twin / 3] ||
                    patches[twin / 3] != patches[first])
                    continue;
                reached[twin / 3] = true;
                queue[length++] = twin / 3;
            }
    }
    graze_topology_destroy(topology);
    assert_int_equal(starts, count);
}

static void patches_of_soups_lie_on_their_hulls(void **state)
{
    (void)state;
    test_random random = test_random_start("patches", SEED);
    oracle *judge = oracle_create();
    static test_mesh shape;
    size_t triangles = 0, found = 0, joined = 0;
    for (int round = 0; round < TEST_ROUNDS(48); round++)
    {
        shape = (test_mesh){0};
        if (round % 4 == 0)
            mesh_add_soup(&shape, &random, 8, 40, 3);
        if (round % 4 == 1)
            mesh_add_soup(&shape, &random, 24, 60, 4);
        if (round % 4 == 2)
            for (int k = 0; k < 3; k++)
                mesh_add_bipyramid(&shape, k, 0, 0, 4);
        if (round % 4 == 3)
            mesh_add_sheet(&shape, round % 3, 2, 9);
        if (round % 8 > 5)
            mesh_disorient(&shape);
        graze_mesh *mesh = mesh_create(&shape);
        size_t count = find(mesh);
        check_patches(judge, mesh, count);
        check_connected(mesh, count);
        triangles += shape.triangle_count;
        found += count;
        joined += count < shape.triangle_count;
        graze_mesh_destroy(mesh);
    }
    oracle_destroy(judge);
    printf("%zu triangles, %zu patches\n", triangles, found);
    assert_true(joined > TEST_ROUNDS(48) / 2 && found > triangles / 20);
}

static graze_mesh *torus(uint32_t segments, uint32_t sides)
{
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, segments, sides, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void convex_bodies_are_one_patch(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 2, 3, 4, &mesh), GRAZE_STATUS_OK);
    assert_true(graze_mesh_triangle_count(mesh) > 100); /* vertices inside of its faces and edges */
    assert_int_equal(find(mesh), 1);
    graze_mesh_destroy(mesh);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 20, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(find(mesh), 1);
    graze_mesh_destroy(mesh);
}

/* What is on the hull is one patch, each inner wall another. */
static void inner_walls_are_patches_of_their_own(void **state)
{
    (void)state;
    static const double l_shape[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}},
                        u_shape[8][2] = {{0, 0}, {5, 0}, {5, 4}, {4, 4}, {4, 1}, {1, 1}, {1, 4}, {0, 4}};
    oracle *judge = oracle_create();
    for (int i = 0; i < 2; i++)
    {
        const uint32_t size = i == 0 ? 6 : 8;
        graze_mesh *mesh = NULL;
        assert_int_equal(graze_mesh_create_extrusion(NULL, i == 0 ? l_shape[0] : u_shape[0], &size, 1, 2, NULL, &mesh),
                         GRAZE_STATUS_OK);
        size_t count = find(mesh);
        check_patches(judge, mesh, count);
        check_connected(mesh, count);
        assert_int_equal(count, 3 + i);
        graze_mesh_destroy(mesh);
    }
    oracle_destroy(judge);
}

static bool stop(void *user, double share)
{
    (void)user;
    return share < 0;
}

static void budgets_end_the_search(void **state)
{
    (void)state;
    graze_mesh *mesh = torus(100, 100);
    size_t count = 7;
    const graze_budget cancelling = {.progress = stop}, small = {.box_tests = 30000};
    assert_int_equal(graze_mesh_find_convex_patches(NULL, mesh, &cancelling, patches, &count), GRAZE_STATUS_CANCELLED);
    assert_int_equal(graze_mesh_find_convex_patches(NULL, mesh, &small, patches, &count), GRAZE_STATUS_UNFINISHED);
    assert_int_equal(count, 7);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_of_soups_lie_on_their_hulls),
        cmocka_unit_test(convex_bodies_are_one_patch),
        cmocka_unit_test(inner_walls_are_patches_of_their_own),
        cmocka_unit_test(budgets_end_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
