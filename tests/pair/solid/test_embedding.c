/* SPDX-License-Identifier: MIT */
/*
 * Leaves whose triangles are said to meet no others, against the exact test for self-intersections: generated shapes,
 * the same with moved vertices, which often meet themselves, and meshes of two triangles in every environment.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/self.h"
#include "pair/solid/embedding.h"
#include "support/bodies.h"
#include "support/environment.h"
#include "support/generators.h"
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

/* ---- two triangles ---- */

enum
{
    PAIRS_PER_GENERATOR = 400
};

static bool same_place(const double *p, const double *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* Whether two triangles share nothing but common corners and, where there are two of these, the edge between them. */
static bool share_corners_only(double corners[2][3][3], int *out_common)
{
    const graze_placed_triangle a = {{corners[0][0], corners[0][1], corners[0][2]}, NULL};
    const graze_placed_triangle b = {{corners[1][0], corners[1][1], corners[1][2]}, NULL};
    graze_intersection shared = graze_triangle_intersection(&a, &b);
    bool only = true;
    *out_common = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            *out_common += same_place(corners[0][i], corners[1][k]);
    for (int p = 0; p < shared.count; p++)
    {
        bool is_common = false;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                is_common = is_common ||
                            (same_place(corners[0][i], corners[1][k]) && same_place(corners[0][i], shared.points[p]));
        only = only && is_common;
    }
    return only && shared.count <= (*out_common < 2 ? *out_common : 2);
}

/* Whether a mesh of these two triangles is clear, in an environment; and whether it could be asked. */
static bool is_pair_clear(double corners[2][3][3], int environment, bool *out_asked)
{
    static const uint32_t order[6] = {0, 1, 2, 3, 4, 5};
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = &corners[0][0][0];
    def.vertex_count = 6;
    def.corners = order;
    def.corner_count = 6;
    graze_mesh *mesh;
    graze_tree *tree;
    graze_body *body;
    grz_embedding embedding;
    saved_environment saved;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_body_create(NULL, mesh, NULL, &body), GRAZE_STATUS_OK);
    environment_enter(&saved, environment);
    *out_asked = grz_embedding_start(NULL, body, tree, NULL, &embedding);
    bool clear = *out_asked;
    for (uint32_t leaf = 0; leaf < tree->leaf_count && *out_asked; leaf++)
        clear = grz_embedding_leaf_is_clear(&embedding, leaf) && clear;
    grz_embedding_end(NULL, &embedding);
    environment_leave(&saved);
    graze_body_destroy(body);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    return clear;
}

typedef struct tally
{
    size_t asked, apart[3], clear[3], meeting; /* by common corners: share no more, and are found to be clear */
} tally;

static void check_two(double corners[2][3][3], int environment, tally *count)
{
    int common;
    bool asked, apart = share_corners_only(corners, &common), clear = is_pair_clear(corners, environment, &asked);
    if (clear && !apart)
    {
        for (int p = 0; p < 6; p++)
            printf("{%a, %a, %a},\n", corners[p / 3][p % 3][0], corners[p / 3][p % 3][1], corners[p / 3][p % 3][2]);
        fail_msg("clear, but they share more than corners: %s", environment_name(environment));
    }
    count->asked += asked;
    count->meeting += asked && !apart;
    if (asked && apart && common < 3)
    {
        count->apart[common]++;
        count->clear[common] += clear;
    }
}

/* Every generator, with corners made common, one triangle moved onto a corner or an edge of the other. */
static void two_triangles_are_clear_only_where_they_share_corners(void **state)
{
    (void)state;
    test_random random = test_random_start("two triangles", 1511);
    tally count = {0};
    for (size_t g = 0; g < generator_count; g++)
        for (int k = 0; k < PAIRS_PER_GENERATOR; k++)
        {
            triangle_case pair;
            generators[g].make(&random, &pair);
            int common = random_below(&random, 3), shift = random_below(&random, 3);
            for (int i = 0; i < common; i++)
                memcpy(pair.corners[1][(i + shift) % 3], pair.corners[0][2 * i], sizeof pair.corners[0][0]);
            check_two(pair.corners, k % ENVIRONMENTS, &count);
        }
    printf("%zu asked, %zu share more", count.asked, count.meeting);
    for (int i = 0; i < 3; i++)
        printf("; %d common: %zu of %zu clear", i, count.clear[i], count.apart[i]);
    printf("\n");
    assert_true(count.asked > 14000 && count.meeting > 3500);
    for (int i = 0; i < 3; i++)
        assert_true(count.apart[i] > 500 && 4 * count.clear[i] > 3 * count.apart[i]);
}

/* Two triangles with a common corner at the origin, of which one has a tiny edge, or two, and the other is huge: what
   underflows counts as much as the others are large. */
static void triangles_with_tiny_edges_are_clear_only_if_they_are(void **state)
{
    (void)state;
    test_random random = test_random_start("tiny edges", 1512);
    tally count = {0};
    for (int k = 0; k < 16000; k++)
    {
        double corners[2][3][3] = {{{0}}};
        int up = random_between(&random, 60, 94), tiny = random_between(&random, 1, 2);
        int down = tiny == 1 ? random_between(&random, 990, 1030) : random_between(&random, 480, 540);
        int closeness = random_between(&random, 2, 40);
        for (int p = 1; p < 3; p++)
            for (int axis = 0; axis < 3; axis++)
                corners[0][p][axis] = ldexp(random_real(&random, -1, 1), p <= tiny ? -down : up);
        double s = random_real(&random, -1, 1), t = random_real(&random, -1, 1);
        for (int axis = 0; axis < 3; axis++)
            for (int j = 1; j < 3; j++) /* close to the plane of the first */
            {
                double first = ldexp(corners[0][1][axis], down),
                       second = ldexp(corners[0][2][axis], tiny == 2 ? down : -up);
                double near = (j == 1 ? s + 1 : s) * first + (j == 2 ? t + 1 : t) * second;
                corners[1][j][axis] = ldexp(near + ldexp(random_real(&random, -1, 1), -closeness), up);
            }
        check_two(corners, k % ENVIRONMENTS, &count);
    }
    printf("%zu asked, %zu share more, %zu of %zu clear\n", count.asked, count.meeting, count.clear[1], count.apart[1]);
    assert_true(count.asked > 15000 && count.meeting > 500 && count.apart[1] > 1000 && count.clear[1] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_that_do_not_meet_themselves_are_clear),
        cmocka_unit_test(crumpled_shapes_that_meet_themselves_are_not_clear),
        cmocka_unit_test(two_triangles_are_clear_only_where_they_share_corners),
        cmocka_unit_test(triangles_with_tiny_edges_are_clear_only_if_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
