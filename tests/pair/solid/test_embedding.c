/* SPDX-License-Identifier: MIT */
/*
 * Leaves whose triangles are said to meet no others, against the exact test for self-intersections: generated shapes,
 * the same with moved vertices, which often meet themselves, and boxes that touch or cross in one mesh.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/self.h"
#include "pair/solid/embedding.h"
#include "support/bodies.h"
#include "support/unit.h"

enum
{
    SEED = 4711,
    SHAPES = 5
};

static graze_mesh *shape(int which)
{
    graze_mesh *mesh = NULL;
    graze_status status = which == 0   ? graze_mesh_create_geodesic_sphere(NULL, 1, 4, &mesh)
                          : which == 1 ? graze_mesh_create_torus(NULL, 1, 0.4, 14, 12, &mesh)
                          : which == 2 ? graze_mesh_create_cylinder(NULL, 0.5, 2, 16, 8, &mesh)
                          : which == 3 ? graze_mesh_create_gear(NULL, 8, 0.2, 0.6, 0.5, 0.02, &mesh)
                                       : graze_mesh_create_box(NULL, 1, 2, 3, 4, &mesh);
    assert_int_equal(status, GRAZE_STATUS_OK);
    return mesh;
}

/* The number of leaves that are clear. */
static size_t count_clear(const graze_mesh *mesh, const graze_tree *tree)
{
    graze_body *body;
    grz_embedding embedding;
    size_t clear = 0;
    assert_int_equal(graze_body_create(NULL, mesh, NULL, &body), GRAZE_STATUS_OK);
    assert_true(grz_embedding_start(NULL, body, tree, NULL, &embedding));
    for (uint32_t leaf = 0; leaf < tree->leaf_count; leaf++)
        clear += grz_embedding_leaf_is_clear(&embedding, leaf);
    grz_embedding_end(NULL, &embedding);
    graze_body_destroy(body);
    return clear;
}

static bool meets_itself(const graze_mesh *mesh, const graze_tree *tree)
{
    const graze_self_subject subject = {mesh, tree, true};
    bool found = false;
    assert_int_equal(graze_self_any(NULL, &subject, NULL, &found, NULL), GRAZE_STATUS_OK);
    return found;
}

static void shapes_that_do_not_meet_themselves_are_clear(void **state)
{
    (void)state;
    for (int which = 0; which < SHAPES; which++)
    {
        graze_mesh *mesh = shape(which);
        graze_tree *tree;
        assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
        assert_int_equal(count_clear(mesh, tree), tree->leaf_count);
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
}

/* Moves vertices by up to `most`, some to the place of another, or onto a grid. */
static graze_mesh *crumpled(grz_random *random, const graze_mesh *mesh, double most, bool on_grid)
{
    size_t vertex_count = mesh->vertex_count;
    double *vertices = malloc(vertex_count * 3 * sizeof *vertices);
    assert_non_null(vertices);
    for (size_t i = 0; i < 3 * vertex_count; i++)
    {
        vertices[i] = grz_mesh_vertex(mesh, (uint32_t)(i / 3))[i % 3] + most * grz_random_between(random, -1, 1);
        if (on_grid)
            vertices[i] = round(8 * vertices[i]) / 8;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.corners = mesh->triangles;
    def.corner_count = 3 * mesh->triangle_count;
    graze_mesh *moved;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &moved), GRAZE_STATUS_OK);
    free(vertices);
    return moved;
}

static void crumpled_shapes_that_meet_themselves_are_not_clear(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    size_t clear = 0, meeting = 0;
    for (int round = 0; round < 1000; round++)
    {
        graze_mesh *mesh = shape(round % SHAPES);
        graze_mesh *moved = crumpled(&random, mesh, grz_random_between(&random, 0, 0.12), round % 3 == 0);
        graze_tree *tree;
        assert_int_equal(graze_tree_create(NULL, moved, NULL, NULL, &tree), GRAZE_STATUS_OK);
        bool all_clear = count_clear(moved, tree) == tree->leaf_count, found = meets_itself(moved, tree);
        assert_false(all_clear && found);
        clear += all_clear;
        meeting += found;
        graze_tree_destroy(tree);
        graze_mesh_destroy(moved);
        graze_mesh_destroy(mesh);
    }
    printf("%zu clear, %zu meet themselves\n", clear, meeting);
    assert_true(clear > 150 && meeting > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_that_do_not_meet_themselves_are_clear),
        cmocka_unit_test(crumpled_shapes_that_meet_themselves_are_not_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
