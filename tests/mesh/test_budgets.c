/* SPDX-License-Identifier: MIT */
/*
 * Calls that make or map meshes and trees under a budget: cancelled at every call, with budgets that end anywhere,
 * results unchanged then.
 */
#include <math.h>
#include <stdlib.h>

#include "graze/generate.h"
#include "graze/topology.h"
#include "graze/tree.h"
#include "support/budget_calls.h"

enum
{
    CORNERS = 6000, /* of the comb */
    HOLES = 40
};

typedef struct subject
{
    counting_allocator allocator;
    graze_context context;
    graze_mesh *mesh;
    graze_topology *topology;
    void *mesh_bytes, *tree_bytes;
    size_t mesh_size, tree_size;
    size_t offset; /* of the bytes that are mapped: 0 or 1, which makes a copy */
} subject;

static graze_status make(const subject *s, graze_mesh_def *def, const graze_budget *budget, uint64_t *answer)
{
    graze_mesh *mesh = NULL;
    graze_error error;
    if (budget != NULL)
        def->budget = *budget;
    graze_status status = graze_mesh_create(&s->context, def, &error, &mesh);
    assert_true((mesh != NULL) == (status == GRAZE_STATUS_OK));
    if (status != GRAZE_STATUS_OK)
        assert_int_equal(error.status, status);
    *answer = graze_mesh_triangle_count(mesh) + graze_mesh_irregular_face_count(mesh);
    graze_mesh_destroy(mesh);
    return status;
}

static graze_status make_triangles(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const subject *s = user;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(s->mesh);
    def.vertex_count = graze_mesh_vertex_count(s->mesh);
    def.corners = graze_mesh_triangles(s->mesh);
    def.corner_count = 3 * graze_mesh_triangle_count(s->mesh);
    return make(s, &def, budget, answer);
}

static double comb[CORNERS + 4 * HOLES][3];
static uint32_t comb_corners[CORNERS + 4 * HOLES], comb_loops[1 + HOLES], comb_faces[1] = {1 + HOLES};

/* One polygon like a comb, its back perforated: bridges and ears of all sizes. */
static void fill_comb(void)
{
    uint32_t c = 0;
    for (int i = 0; i < CORNERS - 2; i++, c++)
    {
        comb[c][0] = i;
        comb[c][1] = i % 2 == 0 ? 10 + (i * 37) % 11 : 60;
    }
    comb[c][0] = CORNERS;
    comb[c++][1] = 100;
    comb[c][0] = -1;
    comb[c++][1] = 100;
    comb_loops[0] = c;
    for (int h = 0; h < HOLES; h++)
    {
        static const double square[4][2] = {{0, 0}, {5, 0}, {5, 5}, {0, 5}};
        comb_loops[1 + h] = 4;
        for (int k = 0; k < 4; k++, c++)
        {
            comb[c][0] = 10 + 140.0 * h + square[k][0];
            comb[c][1] = 70 + square[k][1];
        }
    }
    for (uint32_t i = 0; i < c; i++)
        comb_corners[i] = i;
}

static graze_status make_polygon(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const subject *s = user;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = comb;
    def.vertex_count = def.corner_count = CORNERS + 4 * HOLES;
    def.corners = comb_corners;
    def.loop_sizes = comb_loops;
    def.loop_count = 1 + HOLES;
    def.face_loop_counts = comb_faces;
    def.face_count = 1;
    return make(s, &def, budget, answer);
}

static graze_status map_mesh(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const subject *s = user;
    graze_mesh *mesh = NULL;
    graze_error error;
    graze_status status =
        graze_mesh_map(&s->context, (char *)s->mesh_bytes + s->offset, s->mesh_size, budget, &error, &mesh);
    assert_true((mesh != NULL) == (status == GRAZE_STATUS_OK));
    if (status != GRAZE_STATUS_OK)
        assert_int_equal(error.status, status);
    *answer = graze_mesh_triangle_count(mesh);
    graze_mesh_destroy(mesh);
    return status;
}

static graze_status map_tree(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const subject *s = user;
    graze_tree *tree = NULL;
    graze_error error;
    graze_status status =
        graze_tree_map(&s->context, s->mesh, (char *)s->tree_bytes + s->offset, s->tree_size, budget, &error, &tree);
    assert_true((tree != NULL) == (status == GRAZE_STATUS_OK));
    if (status != GRAZE_STATUS_OK)
        assert_int_equal(error.status, status);
    *answer = graze_tree_examine(tree).nodes;
    graze_tree_destroy(tree);
    return status;
}

static graze_status find_components(const void *user, const graze_budget *budget, uint64_t *answer)
{
    const subject *s = user;
    size_t faces = graze_mesh_face_count(s->mesh), count = 77;
    uint32_t *components = malloc(faces * sizeof *components);
    for (size_t f = 0; f < faces; f++)
        components[f] = 99;
    graze_status status = graze_topology_components(&s->context, s->topology, budget, components, &count);
    for (size_t f = 0; f < faces; f++)
        assert_int_equal(components[f], status == GRAZE_STATUS_OK ? 0 : 99);
    assert_int_equal(count, status == GRAZE_STATUS_OK ? 1 : 77);
    *answer = count;
    free(components);
    return status;
}

static int set_up(void **state)
{
    static subject s;
    s.context = counting_allocator_context(&s.allocator);
    graze_tree *tree = NULL;
    bool fine = graze_mesh_create_geodesic_sphere(NULL, 1, 40, &s.mesh) == GRAZE_STATUS_OK &&
                graze_topology_create(NULL, s.mesh, NULL, &s.topology) == GRAZE_STATUS_OK &&
                graze_tree_create(NULL, s.mesh, NULL, NULL, &tree) == GRAZE_STATUS_OK;
    s.mesh_size = graze_mesh_saved_size(s.mesh);
    s.tree_size = graze_tree_saved_size(tree);
    s.mesh_bytes = aligned_alloc(64, s.mesh_size / 64 * 64 + 128);
    s.tree_bytes = aligned_alloc(64, s.tree_size / 64 * 64 + 128);
    graze_tree_destroy(tree);
    fill_comb();
    *state = &s;
    return fine ? 0 : -1;
}

static int tear_down(void **state)
{
    subject *s = *state;
    graze_topology_destroy(s->topology);
    graze_mesh_destroy(s->mesh);
    free(s->mesh_bytes);
    free(s->tree_bytes);
    return s->allocator.live == 0 ? 0 : -1;
}

static void meshes_and_trees_may_be_cancelled_and_end_anywhere(void **state)
{
    subject *s = *state;
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, s->mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    for (s->offset = 0; s->offset < 2; s->offset++)
    {
        assert_int_equal(graze_mesh_save(s->mesh, (char *)s->mesh_bytes + s->offset, s->mesh_size), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_save(tree, (char *)s->tree_bytes + s->offset, s->tree_size), GRAZE_STATUS_OK);
        const budget_call calls[] = {
            {"triangles", make_triangles, s, 10, &s->allocator},   {"polygon", make_polygon, s, 10, &s->allocator},
            {"map mesh", map_mesh, s, 10, &s->allocator},          {"map tree", map_tree, s, 10, &s->allocator},
            {"components", find_components, s, 10, &s->allocator},
        };
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        {
            cancel_everywhere(&calls[i]);
            assert_true(end_anywhere(&calls[i]) > 10);
        }
    }
    graze_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(meshes_and_trees_may_be_cancelled_and_end_anywhere)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
