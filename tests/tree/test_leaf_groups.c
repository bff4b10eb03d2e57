/* SPDX-License-Identifier: MIT */
/* Groups of the leaves of a small tree: after building, refitting, saving and mapping. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/generate.h"
#include "support/meshes.h"
#include "support/unit.h"
#include "tree/tree.h"

enum
{
    BARS = 3,
    BAR_TRIANGLES = 12
};

/* Three crossed bars along the axes; rotated, they are not axis-aligned. */
static graze_mesh *make_bars(double length, bool turned)
{
    static const double turn[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    test_mesh mesh = {0};
    for (int bar = 0; bar < BARS; bar++)
    {
        double lower[3], upper[3];
        for (int k = 0; k < 3; k++)
        {
            double half = k == bar ? length : 0.1;
            lower[k] = -half;
            upper[k] = half;
        }
        mesh_add_box(&mesh, lower, upper, false);
    }
    for (size_t i = 0; turned && i < mesh.vertex_count; i++)
    {
        double *v = mesh.vertices[i], x[3] = {v[0], v[1], v[2]};
        for (int k = 0; k < 3; k++)
            v[k] = turn[k][0] * x[0] + turn[k][1] * x[1] + turn[k][2] * x[2];
    }
    return mesh_create(&mesh);
}

static graze_tree *tree_of(const graze_mesh *mesh)
{
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    return tree;
}

/* Whether each leaf is in one group, and inside its box. */
static void check_groups(const graze_tree *tree)
{
    const grz_leaf_groups *groups = &tree->groups;
    const grz_boxes8 *boxes = &tree->nodes[0].boxes;
    unsigned lanes = 0;
    uint64_t members = 0;
    for (unsigned group = 0; group < groups->count; group++)
    {
        assert_int_equal(lanes & groups->lanes[group], 0);
        assert_int_equal(members & groups->members[group], 0);
        lanes |= groups->lanes[group];
        members |= groups->members[group];
        for (unsigned lane = 0; lane < GRZ_LANES; lane++)
        {
            if ((groups->lanes[group] >> lane & 1) == 0)
                continue;
            for (int k = 0; k < 3; k++)
            {
                assert_true(groups->boxes.lower[k][group] <= boxes->lower[k][lane]);
                assert_true(groups->boxes.upper[k][group] >= boxes->upper[k][lane]);
            }
        }
    }
    assert_int_equal(lanes, (1u << tree->leaf_count) - 1);
    assert_true(members == groups->present);
    assert_int_equal(__builtin_popcountll(members), tree->triangle_count);
}

static void check_bars(const graze_tree *tree)
{
    assert_int_equal(tree->node_count, 1);
    assert_true(tree->leaf_count > BARS);
    assert_int_equal(tree->groups.count, BARS);
    assert_int_equal(tree->groups.slanted, 0);
    for (int group = 0; group < BARS; group++)
        assert_int_equal(__builtin_popcountll(tree->groups.members[group]), BAR_TRIANGLES);
    check_groups(tree);
}

static void leaves_of_one_bar_are_one_group(void **state)
{
    (void)state;
    graze_mesh *mesh = make_bars(1, false);
    graze_tree *tree = tree_of(mesh);
    check_bars(tree);
    float thickness = tree->groups.boxes.upper[1][0] - tree->groups.boxes.lower[1][0];
    assert_true(tree->groups.thickness > 0 && tree->groups.thickness <= 1.01f * thickness);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void turned_bars_are_slanted(void **state)
{
    (void)state;
    graze_mesh *mesh = make_bars(1, true);
    graze_tree *tree = tree_of(mesh);
    assert_int_equal(tree->node_count, 1);
    assert_int_equal(tree->groups.slanted, (1u << tree->leaf_count) - 1);
    check_groups(tree);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* Extents in the ratios given, in every order of the axes, each axis with another corner in the middle. */
static void a_triangle_is_slanted_when_its_box_is_not_flat(void **state)
{
    (void)state;
    static const double extents[][3] = {{1, 0.5, 0.055}, {1, 0.5, 0.065}, {1, 0.07, 0.07}, {1, 1, 0.05}, {1, 1, 1}};
    static const bool slanted[] = {false, true, true, false, true};
    for (size_t i = 0; i < sizeof slanted / sizeof *slanted; i++)
        for (int turn = 0; turn < 6; turn++)
        {
            const double *e = extents[i];
            double x[3][3];
            for (int k = 0; k < 3; k++)
            {
                int axis = (k + turn) % 3;
                double size = e[turn < 3 ? k : 2 - k];
                x[k][axis] = 5 + size;
                x[(k + 1) % 3][axis] = 5;
                x[(k + 2) % 3][axis] = 5 + size / 3;
            }
            test_mesh given = {0};
            for (int c = 0; c < 3; c++)
                mesh_add_vertex(&given, x[c][0], x[c][1], x[c][2]);
            mesh_add_triangle(&given, 0, 1, 2);
            graze_mesh *mesh = mesh_create(&given);
            graze_tree *tree = tree_of(mesh);
            assert_int_equal(tree->groups.slanted, slanted[i]);
            double middle = i == 2 ? 0.07 : e[1]; /* the groups' thickness, in tree coordinates */
            assert_true(fabs(tree->groups.thickness * tree->scale - middle) < 0.001);
            check_groups(tree);
            graze_tree_destroy(tree);
            graze_mesh_destroy(mesh);
        }
}

static void one_slanted_triangle_makes_its_leaf_slanted(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 2; first++)
    {
        test_mesh given = {0};
        for (uint32_t i = 0; i < 2; i++)
        {
            mesh_add_vertex(&given, 0, 0, 0);
            mesh_add_vertex(&given, 1, 0.5, 0);
            mesh_add_vertex(&given, 0.5, 1, i == first ? 0 : 1);
            mesh_add_triangle(&given, 3 * i, 3 * i + 1, 3 * i + 2);
        }
        graze_mesh *mesh = mesh_create(&given);
        graze_tree *tree = tree_of(mesh);
        assert_int_equal(tree->leaf_count, 1);
        assert_int_equal(tree->groups.slanted, 1);
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
}

static void refitted_trees_form_them_anew(void **state)
{
    (void)state;
    graze_mesh *mesh = make_bars(1, false), *longer = make_bars(1.5, false), *turned = make_bars(1, true);
    graze_tree *tree = tree_of(mesh);
    grz_boxes8 before = tree->groups.boxes;
    assert_int_equal(graze_tree_refit(NULL, tree, longer), GRAZE_STATUS_OK);
    check_bars(tree);
    assert_memory_not_equal(&tree->groups.boxes, &before, sizeof before);
    assert_int_equal(graze_tree_refit(NULL, tree, turned), GRAZE_STATUS_OK);
    assert_int_not_equal(tree->groups.slanted, 0);
    check_groups(tree);
    graze_tree_destroy(tree);
    graze_mesh_destroy(turned);
    graze_mesh_destroy(longer);
    graze_mesh_destroy(mesh);
}

static void mapped_trees_have_those_that_were_saved(void **state)
{
    (void)state;
    graze_mesh *mesh = make_bars(1, false);
    graze_tree *tree = tree_of(mesh), *mapped = NULL;
    size_t size = graze_tree_saved_size(tree);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(graze_tree_save(tree, bytes, size), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_map(NULL, mesh, bytes, size, NULL, NULL, &mapped), GRAZE_STATUS_OK);
    check_bars(mapped);
    assert_memory_equal(&mapped->groups, &tree->groups, sizeof tree->groups);
    graze_tree_destroy(mapped);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
    free(bytes);
}

static void large_trees_have_none(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.25, 40, 20, &mesh), GRAZE_STATUS_OK);
    graze_tree *tree = tree_of(mesh);
    assert_true(tree->node_count > 1);
    assert_int_equal(tree->groups.count, 0);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_is_slanted_when_its_box_is_not_flat),
        cmocka_unit_test(one_slanted_triangle_makes_its_leaf_slanted),
        cmocka_unit_test(leaves_of_one_bar_are_one_group),
        cmocka_unit_test(turned_bars_are_slanted),
        cmocka_unit_test(refitted_trees_form_them_anew),
        cmocka_unit_test(mapped_trees_have_those_that_were_saved),
        cmocka_unit_test(large_trees_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
