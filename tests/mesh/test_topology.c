/* SPDX-License-Identifier: MIT */
/* The doubly-connected edge list: its invariants on every kind of mesh, and walks around vertices. */
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/topology.h"
#include "support/bodies.h"
#include "support/failing_allocator.h"
#include "support/polygons.h"
#include "support/unit.h"

static graze_topology *link_mesh(const graze_mesh *mesh)
{
    graze_topology *topology = NULL;
    assert_int_equal(graze_topology_create(NULL, mesh, NULL, &topology), GRAZE_STATUS_OK);
    return topology;
}

static bool same_place(const graze_mesh *mesh, uint32_t a, uint32_t b)
{
    const double *p = graze_mesh_vertices(mesh) + 3 * a, *q = graze_mesh_vertices(mesh) + 3 * b;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static void check_vertices(const graze_mesh *mesh, const graze_topology *topology)
{
    uint32_t seen = 0;
    for (uint32_t v = 0; v < graze_mesh_vertex_count(mesh); v++)
    {
        uint32_t merged = graze_topology_merged_vertex(topology, v);
        assert_true(merged <= seen); /* numbered by first appearance */
        if (merged == seen)
        {
            seen++;
            assert_int_equal(graze_topology_mesh_vertex(topology, merged), v);
        }
        assert_true(same_place(mesh, v, graze_topology_mesh_vertex(topology, merged)));
    }
    assert_int_equal(seen, graze_topology_vertex_count(topology));
}

/* Every loop goes around its corners, once. */
static void check_loops(const graze_mesh *mesh, const graze_topology *topology)
{
    const graze_half_edge *half_edges = graze_topology_half_edges(topology);
    size_t total = 0;
    for (size_t f = 0; f < graze_mesh_face_count(mesh); f++)
        for (size_t l = 0; l < graze_mesh_face_loop_count(mesh, f); l++)
        {
            size_t count;
            const uint32_t *corners = graze_mesh_face_loop(mesh, f, l, &count);
            uint32_t start = graze_topology_face_half_edge(topology, f, l), h = start;
            for (size_t c = 0; c < count; c++)
            {
                assert_int_equal(half_edges[h].origin, graze_topology_merged_vertex(topology, corners[c]));
                assert_int_equal(half_edges[h].face, f);
                assert_int_equal(half_edges[half_edges[h].next].previous, h);
                assert_int_equal(half_edges[half_edges[h].previous].next, h);
                h = half_edges[h].next;
            }
            assert_int_equal(h, start);
            total += count;
        }
    assert_int_equal(total, graze_topology_half_edge_count(topology));
}

/* Edges agree with the ends of their half-edges; twins exist exactly where two meet. */
static void check_edges(const graze_topology *topology)
{
    const graze_half_edge *half_edges = graze_topology_half_edges(topology);
    size_t count = graze_topology_half_edge_count(topology), edge_count = graze_topology_edge_count(topology);
    uint32_t(*ends)[3] = calloc(edge_count + 1, sizeof *ends); /* smaller, larger, uses */
    assert_non_null(ends);
    for (uint32_t h = 0; h < count; h++)
    {
        uint32_t edge = half_edges[h].edge, a = half_edges[h].origin, b = half_edges[half_edges[h].next].origin;
        if (edge == GRAZE_NO_EDGE)
        {
            assert_int_equal(half_edges[h].twin, GRAZE_NO_HALF_EDGE);
            continue;
        }
        assert_true(edge < edge_count && a != b);
        if (ends[edge][2]++ == 0)
        {
            ends[edge][0] = a < b ? a : b;
            ends[edge][1] = a < b ? b : a;
        }
        assert_int_equal(ends[edge][0], a < b ? a : b);
        assert_int_equal(ends[edge][1], a < b ? b : a);
    }
    for (uint32_t h = 0; h < count; h++)
        if (half_edges[h].edge != GRAZE_NO_EDGE)
        {
            uint32_t twin = half_edges[h].twin;
            assert_int_equal(twin != GRAZE_NO_HALF_EDGE, ends[half_edges[h].edge][2] == 2);
            if (twin == GRAZE_NO_HALF_EDGE)
                continue;
            assert_int_not_equal(twin, h);
            assert_int_equal(half_edges[twin].twin, h);
            assert_int_equal(half_edges[twin].edge, half_edges[h].edge);
        }
    for (size_t e = 0; e < edge_count && count < 3000; e++) /* no two edges with the same ends */
    {
        assert_true(ends[e][2] > 0);
        for (size_t f = 0; f < e; f++)
            assert_false(ends[e][0] == ends[f][0] && ends[e][1] == ends[f][1]);
    }
    free(ends);
}

/* Walks end, and stay at their vertex. Returns how many half-edges the walks from all vertices see. */
static size_t check_walks(const graze_topology *topology)
{
    const graze_half_edge *half_edges = graze_topology_half_edges(topology);
    size_t seen = 0;
    for (uint32_t v = 0; v < graze_topology_vertex_count(topology); v++)
    {
        uint32_t start = graze_topology_vertex_half_edge(topology, v), h = start;
        size_t steps = 0;
        while (h != GRAZE_NO_HALF_EDGE)
        {
            assert_int_equal(half_edges[h].origin, v);
            assert_true(++steps <= graze_topology_half_edge_count(topology));
            h = graze_topology_next_around_vertex(topology, h);
            if (h == start)
                break;
        }
        seen += steps;
    }
    return seen;
}

static size_t check(const graze_mesh *mesh)
{
    graze_topology *topology = link_mesh(mesh);
    check_vertices(mesh, topology);
    check_loops(mesh, topology);
    check_edges(topology);
    size_t seen = check_walks(topology);
    graze_topology_destroy(topology);
    return seen;
}

static void a_cube_has_8_vertices_12_edges_and_walks_of_three(void **state)
{
    (void)state;
    static const double lower[3] = {0, 0, 0}, upper[3] = {1, 2, 3};
    graze_mesh *mesh = body_box(lower, upper);
    graze_topology *topology = link_mesh(mesh);
    assert_int_equal(graze_topology_vertex_count(topology), 8);
    assert_int_equal(graze_topology_edge_count(topology), 12);
    assert_int_equal(graze_topology_half_edge_count(topology), 24);
    assert_int_equal(check(mesh), 24);
    uint32_t components[6];
    size_t count = 0;
    assert_int_equal(graze_topology_components(NULL, topology, NULL, components, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(graze_topology_misoriented_faces(topology, NULL, 0, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 0);
    graze_topology_destroy(topology);
    graze_mesh_destroy(mesh);
}

static void manifolds_with_and_without_border_are_walked_completely(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_torus(NULL, 3, 1, 12, 8, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(check(mesh), 3 * graze_mesh_triangle_count(mesh));
    /* Without every other row of triangles: a border at every vertex. */
    size_t kept = graze_mesh_triangle_count(mesh) / 2;
    graze_mesh *open = body_of_triangles((double(*)[3])(uintptr_t)graze_mesh_vertices(mesh),
                                         graze_mesh_vertex_count(mesh), graze_mesh_triangles(mesh), kept);
    assert_int_equal(check(open), 3 * kept);
    graze_mesh_destroy(open);
    graze_mesh_destroy(mesh);
}

static void a_soup_of_separate_triangles_is_closed_by_merging(void **state)
{
    (void)state;
    graze_mesh *sphere;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 3, &sphere), GRAZE_STATUS_OK);
    size_t count = graze_mesh_triangle_count(sphere);
    double(*vertices)[3] = malloc(3 * count * sizeof *vertices);
    uint32_t *corners = malloc(3 * count * sizeof *corners);
    for (size_t c = 0; c < 3 * count; c++)
    {
        memcpy(vertices[c], graze_mesh_vertices(sphere) + 3 * graze_mesh_triangles(sphere)[c], sizeof *vertices);
        corners[c] = (uint32_t)c;
    }
    graze_mesh *soup = body_of_triangles(vertices, 3 * count, corners, count);
    graze_topology *topology = link_mesh(soup);
    assert_int_equal(graze_topology_vertex_count(topology), graze_mesh_vertex_count(sphere));
    assert_int_equal(graze_topology_edge_count(topology), 3 * count / 2);
    assert_int_equal(check(soup), 3 * count);
    graze_topology_destroy(topology);
    graze_mesh_destroy(soup);
    graze_mesh_destroy(sphere);
    free(vertices);
    free(corners);
}

static void anything_random_keeps_the_invariants(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 21);
    static test_polygon polygon;
    for (int round = 0; round < 300; round++)
    {
        graze_mesh *mesh = body_soup(&random, random_between(&random, 1, 4), (size_t)random_between(&random, 1, 40),
                                     (size_t)random_between(&random, 1, 60));
        check(mesh);
        graze_mesh_destroy(mesh);
        polygon_of_squares(&polygon, &random, random_between(&random, 2, 9), 2, 3);
        mesh = polygon_mesh(&polygon, NULL, 1, 1, 0, 0);
        check(mesh);
        graze_mesh_destroy(mesh);
    }
}

static void faces_that_disagree_are_named_in_order(void **state)
{
    (void)state;
    static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    double vertices[8][3];
    body_box_vertices(vertices, lower, upper);
    uint32_t corners[24];
    memcpy(corners, body_box_corners, sizeof corners);
    for (int c = 0; c < 4; c++) /* reverse face 2 */
        corners[8 + c] = body_box_corners[8 + 3 - c];
    graze_mesh *mesh = body_of_polygons(vertices, 8, corners, body_box_sizes, 6);
    graze_topology *topology = link_mesh(mesh);
    graze_face_pair pairs[4] = {{9, 9}, {9, 9}, {9, 9}, {9, 9}};
    size_t count = 0;
    assert_int_equal(graze_topology_misoriented_faces(topology, pairs, 3, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 4);
    assert_int_equal(pairs[3].first, 9); /* there was room for three only */
    static const uint32_t expected[4][2] = {{0, 2}, {1, 2}, {2, 5}, {2, 4}};
    assert_int_equal(graze_topology_misoriented_faces(topology, pairs, 4, &count), GRAZE_STATUS_OK);
    for (int p = 0; p < 4; p++)
    {
        assert_int_equal(pairs[p].first, expected[p][0]);
        assert_int_equal(pairs[p].second, expected[p][1]);
    }
    assert_int_equal(graze_topology_misoriented_faces(topology, NULL, 1, &count), GRAZE_STATUS_BAD_ARGUMENT);
    graze_topology_destroy(topology);
    graze_mesh_destroy(mesh);
}

static void components_are_numbered_by_first_appearance(void **state)
{
    (void)state;
    /* Two triangles at the origin that share a vertex by position only, one far away, one point. */
    double vertices[11][3] = {{9, 9, 9},    {8, 9, 9},  {9, 8, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                              {-0.0, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {5, 5, 5}, {5, 5, 5}};
    static const uint32_t corners[12] = {3, 4, 5, 0, 1, 2, 6, 7, 8, 9, 10, 9};
    graze_mesh *mesh = body_of_triangles(vertices, 11, corners, 4);
    graze_topology *topology = link_mesh(mesh);
    uint32_t components[4];
    size_t count = 0;
    assert_int_equal(graze_topology_components(NULL, topology, NULL, components, &count), GRAZE_STATUS_OK);
    assert_int_equal(count, 3);
    static const uint32_t expected[4] = {0, 1, 0, 2};
    assert_memory_equal(components, expected, sizeof expected);
    graze_topology_destroy(topology);
    graze_mesh_destroy(mesh);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create_torus(NULL, 3, 1, 5, 4, &mesh), GRAZE_STATUS_OK);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    size_t allowed = 0;
    for (; status != GRAZE_STATUS_OK; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_topology *topology = NULL;
        status = graze_topology_create(&context, mesh, NULL, &topology);
        if (status == GRAZE_STATUS_OK)
        {
            uint32_t components[40];
            size_t count;
            status = graze_topology_components(&context, topology, NULL, components, &count);
        }
        assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
        graze_topology_destroy(topology);
        assert_int_equal(allocator.live, 0);
    }
    assert_true(allowed > 9);
    graze_mesh_destroy(mesh);
    assert_int_equal(graze_topology_create(NULL, NULL, NULL, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    graze_topology_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_has_8_vertices_12_edges_and_walks_of_three),
        cmocka_unit_test(manifolds_with_and_without_border_are_walked_completely),
        cmocka_unit_test(a_soup_of_separate_triangles_is_closed_by_merging),
        cmocka_unit_test(anything_random_keeps_the_invariants),
        cmocka_unit_test(faces_that_disagree_are_named_in_order),
        cmocka_unit_test(components_are_numbered_by_first_appearance),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
