/* SPDX-License-Identifier: MIT */
/* Groups of triangles, and the quick builds that use them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/tree.h"
#include "support/unit.h"
#include "tree/build.h"

enum
{
    SEED = 4417,
    MOST = 1000
};

/* Boxes of triangles: pairs that fill one box each, and single ones, along a line. */
static uint32_t make_references(grz_random *random, grz_reference *out, uint32_t *out_pairs)
{
    uint32_t count = 0;
    *out_pairs = 0;
    for (int step = 0; count + 2 < MOST; step++)
    {
        float x = 4 * (float)step;
        bool pair = grz_random_below(random, 2) == 0;
        for (int i = 0; i < (pair ? 2 : 1); i++, count++)
            out[count] = (grz_reference){.lower = {x, 0, 0}, .upper = {x + 1, 1, 0}, .triangle = count, .weight = 1};
        *out_pairs += pair;
    }
    return count;
}

static void groups_hold_each_triangle_once_and_only_what_is_compact(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    static grz_reference references[MOST], groups[MOST];
    static grz_quantized_reference items[MOST];
    grz_random random = grz_random_make(SEED);
    size_t paired = 0;
    for (int round = 0; round < 20; round++)
    {
        uint32_t pairs, count = make_references(&random, references, &pairs), next = 0;
        uint32_t group_count = grz_groups_make(references, count, 4, groups, items);
        assert_int_equal(group_count, count - pairs);
        for (uint32_t i = 0; i < group_count; i++)
        {
            assert_int_equal(items[i].index, i);
            assert_int_equal(items[i].weight, groups[i].weight);
            assert_int_equal(groups[i].triangle, next);
            for (uint32_t k = 0; k < groups[i].weight; k++)
                assert_memory_equal(groups[i].lower, references[next + k].lower, sizeof groups[i].lower);
            next += groups[i].weight;
        }
        assert_int_equal(next, count);
        paired += pairs;
    }
    printf("%zu pairs\n", paired);
    assert_true(paired > 3000);
}

static graze_tree *tree_of(const graze_mesh *mesh, uint32_t leaf_size, bool quick)
{
    graze_tree_def def = graze_tree_def_default();
    def.leaf_size = leaf_size;
    def.quick = quick;
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, &def, NULL, &tree), GRAZE_STATUS_OK);
    return tree;
}

static graze_mesh *mesh_of_kind(int kind)
{
    graze_mesh *mesh = NULL;
    graze_status status = GRAZE_STATUS_INTERNAL;
    switch (kind)
    {
    case 0:
        status = graze_mesh_create_torus(NULL, 1, 0.3, 60, 40, &mesh);
        break;
    case 1:
        status = graze_mesh_create_geodesic_sphere(NULL, 1, 16, &mesh);
        break;
    case 2:
        status = graze_mesh_create_tetrahedra(NULL, 1, 700, 5, &mesh);
        break;
    case 3:
        status = graze_mesh_create_cylinder(NULL, 0.2, 3, 60, 10, &mesh);
        break;
    case 4:
        status = graze_mesh_create_torus(NULL, 1, 0.3, 200, 150, &mesh); /* several subtrees */
        break;
    default:
        return NULL;
    }
    assert_int_equal(status, GRAZE_STATUS_OK);
    return mesh;
}

static void quick_trees_are_valid_for_every_leaf_size_and_about_as_good(void **state)
{
    (void)state;
    size_t trees = 0, different = 0;
    graze_mesh *mesh;
    for (int kind = 0; (mesh = mesh_of_kind(kind)) != NULL; kind++)
    {
        for (uint32_t leaf_size = 1; leaf_size <= 8; leaf_size++, trees++)
        {
            graze_tree *quick = tree_of(mesh, leaf_size, true), *usual = tree_of(mesh, leaf_size, false);
            graze_tree_facts facts = graze_tree_examine(quick), best = graze_tree_examine(usual);
            assert_int_equal(graze_tree_validate(NULL, quick), GRAZE_STATUS_OK);
            assert_int_equal(facts.triangles, graze_mesh_triangle_count(mesh));
            assert_true(facts.cost < 1.35 * best.cost);
            different += facts.cost < best.cost || facts.cost > best.cost;
            graze_tree_destroy(quick);
            graze_tree_destroy(usual);
        }
        graze_mesh_destroy(mesh);
    }
    printf("%zu trees, %zu of them other than usual\n", trees, different);
    assert_true(different > 20);
}

/* The same triangles in random order. */
static graze_mesh *shuffled(const graze_mesh *mesh)
{
    size_t count = graze_mesh_triangle_count(mesh);
    uint32_t *corners = malloc(3 * count * sizeof *corners);
    assert_non_null(corners);
    memcpy(corners, graze_mesh_triangles(mesh), 3 * count * sizeof *corners);
    grz_random random = grz_random_make(SEED + 1);
    for (size_t i = count - 1; i > 0; i--)
    {
        uint32_t moved[3];
        size_t other = (size_t)grz_random_below(&random, (uint32_t)i + 1);
        memcpy(moved, corners + 3 * i, sizeof moved);
        memmove(corners + 3 * i, corners + 3 * other, sizeof moved);
        memcpy(corners + 3 * other, moved, sizeof moved);
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = graze_mesh_vertices(mesh);
    def.vertex_count = graze_mesh_vertex_count(mesh);
    def.corners = corners;
    def.corner_count = 3 * count;
    graze_mesh *result = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &result), GRAZE_STATUS_OK);
    free(corners);
    return result;
}

static void triangles_in_no_order_give_about_the_usual_tree(void **state)
{
    (void)state;
    graze_mesh *ordered = mesh_of_kind(0), *mesh = shuffled(ordered);
    graze_tree *quick = tree_of(mesh, 8, true), *usual = tree_of(mesh, 8, false);
    double ratio = graze_tree_examine(quick).cost / graze_tree_examine(usual).cost;
    printf("cost x %.4f\n", ratio);
    assert_int_equal(graze_tree_validate(NULL, quick), GRAZE_STATUS_OK);
    assert_true(ratio > 0.98 && ratio < 1.02);
    graze_tree_destroy(quick);
    graze_tree_destroy(usual);
    graze_mesh_destroy(mesh);
    graze_mesh_destroy(ordered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_hold_each_triangle_once_and_only_what_is_compact),
        cmocka_unit_test(quick_trees_are_valid_for_every_leaf_size_and_about_as_good),
        cmocka_unit_test(triangles_in_no_order_give_about_the_usual_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
