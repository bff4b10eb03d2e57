/* SPDX-License-Identifier: MIT */
/* Twin half-edges against the edge list: the same merged vertices, twins, components and answers, on soups over a small
   grid, and boxes in all conditions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/twins.h"
#include "support/failing_allocator.h"
#include "support/meshes.h"
#include "support/unit.h"

typedef struct tally
{
    size_t closed, open, oriented, disoriented, paired, alone;
} tally;

static void compare(const graze_mesh *mesh, tally *t)
{
    grz_twins twins;
    graze_topology *topology;
    size_t misoriented = 0, components = 0;
    assert_int_equal(grz_twins_make(NULL, mesh, NULL, &twins), GRAZE_STATUS_OK);
    assert_int_equal(grz_topology_create_over_triangles(NULL, mesh, NULL, &topology), GRAZE_STATUS_OK);
    assert_int_equal(graze_topology_misoriented_faces(topology, NULL, 0, &misoriented), GRAZE_STATUS_OK);
    uint32_t *expected = malloc((topology->vertex_count + 1) * sizeof *expected);
    assert_non_null(expected);
    assert_int_equal(grz_topology_vertex_components(NULL, topology, NULL, expected, &components), GRAZE_STATUS_OK);
    assert_int_equal(twins.vertex_count, topology->vertex_count);
    assert_memory_equal(twins.merged, topology->merged, mesh->vertex_count * sizeof *twins.merged);
    assert_memory_equal(twins.mesh_vertex, topology->mesh_vertex, twins.vertex_count * sizeof *twins.mesh_vertex);
    assert_int_equal(twins.component_count, components);
    assert_memory_equal(twins.components, expected, twins.vertex_count * sizeof *expected);
    bool closed = true, any = false;
    for (size_t h = 0; h < topology->half_edge_count; h++)
    {
        const graze_half_edge *half_edge = &topology->half_edges[h];
        assert_int_equal(twins.twins[h], half_edge->twin);
        closed = closed && (half_edge->edge == GRAZE_NO_EDGE || half_edge->twin != GRAZE_NO_HALF_EDGE);
        any = any || half_edge->edge != GRAZE_NO_EDGE;
        t->paired += half_edge->twin != GRAZE_NO_HALF_EDGE;
        t->alone += half_edge->twin == GRAZE_NO_HALF_EDGE;
    }
    assert_int_equal(twins.closed, closed && any);
    assert_int_equal(twins.oriented, misoriented == 0);
    t->closed += twins.closed;
    t->open += !twins.closed;
    t->oriented += twins.oriented;
    t->disoriented += !twins.oriented;
    free(expected);
    graze_topology_destroy(topology);
    grz_twins_release(NULL, &twins);
}

static void compare_test_mesh(const test_mesh *from, tally *t)
{
    graze_mesh *mesh = mesh_create(from);
    compare(mesh, t);
    graze_mesh_destroy(mesh);
}

static void twins_are_those_of_the_edge_list(void **state)
{
    (void)state;
    test_random random = test_random_start("twins_are_those_of_the_edge_list", 77);
    static test_mesh mesh;
    tally t = {0};
    for (int n = 0; n < 600; n++)
    {
        mesh.vertex_count = mesh.triangle_count = 0;
        if (n % 3 == 0)
            mesh_add_soup(&mesh, &random, random_between(&random, 3, 20), random_between(&random, 1, 60),
                          random_between(&random, 2, 4));
        else
            for (int boxes = random_between(&random, 1, 4); boxes > 0; boxes--)
                mesh_add_cube(&mesh, random_below(&random, 3), random_below(&random, 3), random_below(&random, 3), 1);
        if (n % 4 == 1)
            mesh_disorient(&mesh);
        if (n % 5 == 2)
            mesh.triangle_count -= 1;
        compare_test_mesh(&mesh, &t);
    }
    printf("%zu closed, %zu open, %zu oriented, %zu not; %zu half-edges with a twin, %zu without\n", t.closed, t.open,
           t.oriented, t.disoriented, t.paired, t.alone);
    assert_true(t.closed > 100 && t.open > 100 && t.oriented > 100 && t.disoriented > 100 && t.paired > 5000 &&
                t.alone > 2000);
}

/* A cone whose tip is the first vertex: every other one is connected to it, so that the tip's list of edges would be as
   long as the mesh, and twins are found by sorting. The last triangle of the base may come three times: a non-manifold
   edge. */
static graze_mesh *make_cone(uint32_t sides, bool thrice)
{
    double *vertices = malloc((sides + 2) * 3 * sizeof *vertices);
    uint32_t *corners = malloc((2 * (size_t)sides + 2) * 3 * sizeof *corners);
    assert_true(vertices != NULL && corners != NULL);
    for (uint32_t i = 0; i < sides + 2; i++)
    {
        double angle = 6.283185307179586 * i / sides;
        vertices[3 * i] = i < 2 ? 0 : cos(angle);
        vertices[3 * i + 1] = i < 2 ? 0 : sin(angle);
        vertices[3 * i + 2] = i == 0;
    }
    for (uint32_t i = 0; i < sides + (thrice ? 1 : 0); i++)
    {
        uint32_t side = i < sides ? i : sides - 1, next = (side + 1) % sides;
        memcpy(corners + 6 * i, (uint32_t[6]){0, 2 + side, 2 + next, 1, 2 + next, 2 + side}, 6 * sizeof *corners);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = sides + 2;
    def.corners = corners;
    def.corner_count = 6 * ((size_t)sides + (thrice ? 1 : 0));
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    free(vertices);
    free(corners);
    return mesh;
}

static void vertices_with_thousands_of_edges_have_the_same_twins(void **state)
{
    (void)state;
    tally t = {0};
    for (int round = 0; round < 4; round++)
    {
        graze_mesh *mesh = make_cone(round < 2 ? 3 : 4000, round % 2 == 1);
        compare(mesh, &t);
        graze_mesh_destroy(mesh);
    }
    assert_true(t.closed == 2 && t.open == 2 && t.paired > 20000 && t.alone > 0);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    graze_mesh *mesh = make_cone(400, false); /* needs both methods */
    size_t failures = 0;
    for (size_t left = 0;; left++)
    {
        failing_allocator allocator = {.allowed = left};
        graze_context context = failing_allocator_context(&allocator);
        grz_twins twins;
        graze_status status = grz_twins_make(&context, mesh, NULL, &twins);
        if (status == GRAZE_STATUS_OK)
            grz_twins_release(&context, &twins);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures >= 9);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twins_are_those_of_the_edge_list),
                                       cmocka_unit_test(vertices_with_thousands_of_edges_have_the_same_twins),
                                       cmocka_unit_test(every_failing_allocation_is_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
