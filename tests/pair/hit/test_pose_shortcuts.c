/* SPDX-License-Identifier: MIT */
/*
 * The limits of each shortcut for poses (docs/trust.md): poses that are equal, or in all but one number; that are the
 * identity, or differ in a last digit; that have an inverse, barely one, or none. One triangle against one, so that
 * nothing is masked: with trees and without, in both orders, and in every floating-point environment the oracle's
 * answer is expected.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "graze/pair.h"
#include "graze/tree.h"
#include "support/contacts.h"
#include "support/environment.h"
#include "support/generators.h"
#include "support/meshes.h"
#include "support/unit.h"

#define DENORMAL 0x1p-1074

/* A fixed triangle in the plane z = 0 and one at another height, each under its pose. */
typedef struct edge_case
{
    const char *text;
    double height; /* of the second */
    graze_pose poses[2];
    bool meet;
} edge_case;

#define IDENTITY                                                                                                       \
    {                                                                                                                  \
        {                                                                                                              \
            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0                                                                         \
        }                                                                                                              \
    }
#define FLAT                                                                                                           \
    {                                                                                                                  \
        {                                                                                                              \
            1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 0, 7                                                                         \
        }                                                                                                              \
    }
#define SHEARED                                                                                                        \
    {                                                                                                                  \
        {                                                                                                              \
            1, 0, 0, 5, 2, 1, 0, 6, 3, 0, 1, 7                                                                         \
        }                                                                                                              \
    }
#define THIN                                                                                                           \
    {                                                                                                                  \
        {                                                                                                              \
            1, 0, 0, 5, 0, 1, 0, 6, 0, 0, DENORMAL, 7                                                                  \
        }                                                                                                              \
    }

static const edge_case edge_cases[] = {
    {"equal poses with an inverse", 0, {SHEARED, SHEARED}, true},
    {"equal poses with an inverse, apart", 1, {SHEARED, SHEARED}, false},
    {"equal poses with no inverse: flattened onto each other", 1, {FLAT, FLAT}, true},
    {"equal poses that just have an inverse", 1, {THIN, THIN}, false},
    {"equal but for a denormal entry", 1, {FLAT, THIN}, false},
    {"equal but for the last digit of the last number",
     0,
     {SHEARED, {{1, 0, 0, 5, 2, 1, 0, 6, 3, 0, 1, 7.000000000000001}}},
     false},
    {"equal but for the sign of a zero", 0, {SHEARED, {{1, -0.0, 0, 5, 2, 1, 0, 6, 3, 0, 1, 7}}}, true},
    {"nothing moves", 0, {IDENTITY, IDENTITY}, true},
    {"nothing moves, apart by a denormal", DENORMAL, {IDENTITY, IDENTITY}, false},
    {"one moved by a denormal", 0, {IDENTITY, {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, DENORMAL}}}, false},
    {"one moved back by a denormal", DENORMAL, {IDENTITY, {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -DENORMAL}}}, true},
    {"one scaled by a last digit", 1, {IDENTITY, {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 + DBL_EPSILON, -1}}}, false},
    {"one sheared by a denormal", 0, {IDENTITY, {{1, 0, 0, 0, 0, 1, 0, 0, DENORMAL, 0, 1, 0}}}, true},
    /* Matrices that differ from the identity in one byte, which no shortcut for translations may ignore. */
    {"both scaled by 31/32 along y, moved by as much as is left",
     0,
     {{{1, 0, 0, 0, 0, 0.96875, 0, 0, 0, 0, 1, 0}}, {{1, 0, 0, 0, 0, 0.96875, 0, 3.875, 0, 0, 1, 0}}},
     true},
    {"both scaled by 17/16 along y, moved less than that",
     0,
     {{{1, 0, 0, 0, 0, 1.0625, 0, 0, 0, 0, 1, 0}}, {{1, 0, 0, 0, 0, 1.0625, 0, 4, 0, 0, 1, 0}}},
     true},
    {"both scaled by 31/32 along z, moved onto each other",
     32,
     {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.96875, 0}}, {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.96875, -31}}},
     true},
    {"both scaled by 17/16 along z, moved onto each other",
     16,
     {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1.0625, 0}}, {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1.0625, -17}}},
     true},
    {"both sheared by a number of one byte, moved onto each other",
     0,
     {{{1, 0, 0, 0, 0, 1, 0, 0, 0x1p-1022, 0, 1, 0}}, {{1, 0, 0, 0, 0, 1, 0, 4, 0x1p-1022, 0, 1, 0}}},
     true},
    {"negative zeros move nothing", 0, {{{1, -0.0, 0, 0, 0, 1, 0, -0.0, 0, 0, 1, 0}}, IDENTITY}, true},
};

static graze_mesh *make_triangle(double height)
{
    static test_mesh mesh;
    mesh.vertex_count = mesh.triangle_count = 0;
    mesh_add_triangle(&mesh, mesh_add_vertex(&mesh, 0, 0, height), mesh_add_vertex(&mesh, 4, 0, height),
                      mesh_add_vertex(&mesh, 0, 4, height));
    return mesh_create(&mesh);
}

/* The contact of the only triangles of two meshes, if they have one. */
static graze_triangle_contact ask(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    graze_hit hit;
    graze_pair_counts counts;
    assert_int_equal(graze_pair_gather(NULL, a, b, NULL, &hit, 1, &counts), GRAZE_STATUS_OK);
    return counts.pairs == 1 ? hit.contact : (graze_triangle_contact){0};
}

static void check(oracle *judge, const edge_case *edge)
{
    graze_mesh *meshes[2] = {make_triangle(0), make_triangle(edge->height)};
    graze_tree *trees[2];
    graze_placed_triangle triangles[2];
    const double corners[2][3][3] = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
                                     {{0, 0, edge->height}, {4, 0, edge->height}, {0, 4, edge->height}}};
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        triangles[i] = (graze_placed_triangle){{corners[i][0], corners[i][1], corners[i][2]}, &edge->poses[i]};
    }
    graze_triangle_contact expected = oracle_triangle_triangle(judge, &triangles[0], &triangles[1]);
    graze_triangle_contact mirrored = contact_mirror(expected);
    assert_int_equal(expected.found, edge->meet);
    for (int environment = 0; environment < ENVIRONMENTS; environment++)
    {
        for (int with_trees = 0; with_trees < 2; with_trees++)
        {
            graze_placed_mesh a = {meshes[0], with_trees ? trees[0] : NULL, edge->poses[0]};
            graze_placed_mesh b = {meshes[1], with_trees ? trees[1] : NULL, edge->poses[1]};
            saved_environment saved;
            environment_enter(&saved, environment);
            graze_triangle_contact given[3] = {ask(&a, &b), ask(&b, &a),
                                               graze_triangle_collide(&triangles[0], &triangles[1])};
            environment_leave(&saved);
            if (!contact_equal(&given[0], &expected) || !contact_equal(&given[1], &mirrored) ||
                !contact_equal(&given[2], &expected))
                fail_msg("%s (%s, %s)", edge->text, environment_name(environment), with_trees ? "trees" : "no trees");
        }
    }
    for (int i = 0; i < 2; i++)
    {
        graze_tree_destroy(trees[i]);
        graze_mesh_destroy(meshes[i]);
    }
}

static void poses_on_the_edge_of_a_shortcut_are_taken_at_face_value(void **state)
{
    (void)state;
    oracle *judge = oracle_create();
    for (size_t i = 0; i < sizeof edge_cases / sizeof *edge_cases; i++)
        check(judge, &edge_cases[i]);
    oracle_destroy(judge);
}

/* Integers in mirrored and rotated frames: everything touches, so that the double filter leaves many pairs uncertain,
   and the signs it does find are those of a mirror image. */
static void pairs_in_a_mirrored_frame_are_those_of_the_world(void **state)
{
    (void)state;
    static const graze_pose frames[4] = {{{-1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0}},
                                         {{0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0}},
                                         {{-2, 1, 0, 3, 0, 1, 1, 0, 0, 0, 1, 0}},
                                         {{3, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0}}};
    test_random random = test_random_start("mirrored frames", 83);
    uint64_t touching = 0, crossing = 0;
    for (int round = 0; round < 400; round++)
    {
        static test_mesh parts[2];
        graze_placed_mesh placed[2];
        graze_tree *trees[2];
        for (int i = 0; i < 2; i++)
        {
            parts[i].vertex_count = parts[i].triangle_count = 0;
            mesh_add_soup(&parts[i], &random, 12, 16, 4);
            placed[i] = (graze_placed_mesh){mesh_create(&parts[i]), NULL, frames[random_below(&random, 4)]};
            assert_int_equal(graze_tree_create(NULL, placed[i].mesh, NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
        }
        graze_pair_counts plain, counts;
        assert_int_equal(graze_pair_count(NULL, &placed[0], &placed[1], NULL, &plain), GRAZE_STATUS_OK);
        placed[0].tree = trees[0];
        placed[1].tree = trees[1];
        assert_int_equal(graze_pair_count(NULL, &placed[0], &placed[1], NULL, &counts), GRAZE_STATUS_OK);
        assert_memory_equal(&counts, &plain, sizeof counts);
        touching += counts.touching;
        crossing += counts.crossing;
        for (int i = 0; i < 2; i++)
        {
            graze_tree_destroy(trees[i]);
            graze_mesh_destroy((graze_mesh *)placed[i].mesh);
        }
    }
    printf("%d touch, %d cross\n", (int)touching, (int)crossing);
    assert_true(touching > 4000 && crossing > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_on_the_edge_of_a_shortcut_are_taken_at_face_value),
        cmocka_unit_test(pairs_in_a_mirrored_frame_are_those_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
