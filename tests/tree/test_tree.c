/* SPDX-License-Identifier: MIT */
/* Trees contain their triangles: on generated bodies, soups, meshes without extent and at both ends of the range. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/tree.h"
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "tree/tree.h"

static graze_tree *tree_of(const graze_mesh *mesh, uint32_t leaf_size)
{
    graze_tree_def def = graze_tree_def_default();
    def.leaf_size = leaf_size;
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, &def, NULL, &tree), GRAZE_STATUS_OK);
    return tree;
}

static void expect_valid(graze_mesh *mesh)
{
    for (uint32_t leaf_size = 1; leaf_size <= 8; leaf_size++)
    {
        graze_tree *tree = tree_of(mesh, leaf_size);
        assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_examine(tree).triangles, graze_mesh_triangle_count(mesh));
        graze_tree_destroy(tree);
    }
    graze_mesh_destroy(mesh);
}

static void trees_of_generated_bodies_are_valid_for_every_leaf_size(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 2, 3, 1, &mesh), GRAZE_STATUS_OK);
    expect_valid(mesh);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 16, &mesh), GRAZE_STATUS_OK);
    expect_valid(mesh);
    assert_int_equal(graze_mesh_create_tetrahedra(NULL, 1, 700, 5, &mesh), GRAZE_STATUS_OK);
    expect_valid(mesh);
    assert_int_equal(graze_mesh_create_aircraft(NULL, 30, 3000, &mesh), GRAZE_STATUS_OK);
    expect_valid(mesh);
}

/* A soup whose vertices a function chooses. */
static graze_mesh *soup(size_t triangle_count, double scale, double offset, uint64_t seed)
{
    static double vertices[3000][3];
    static uint32_t corners[3000];
    grz_random random = grz_random_make(seed);
    for (size_t i = 0; i < 3 * triangle_count; i++)
    {
        for (int k = 0; k < 3; k++)
            vertices[i][k] = offset + scale * grz_random_between(&random, -1, 1);
        corners[i] = (uint32_t)i;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3 * triangle_count;
    def.corners = corners;
    def.corner_count = 3 * triangle_count;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void trees_are_valid_at_every_scale_and_distance(void **state)
{
    (void)state;
    static const double scales[] = {1, 1e-3, 1e-12, 1e-40, 1e40, 1e12, 0};
    static const double offsets[] = {0, 1, -1e3, 1e9, 1e15};
    int usable = 0;
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
    {
        for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++)
        {
            graze_mesh *mesh = soup(300, scales[s], offsets[o], 17 * s + o);
            graze_tree *tree = tree_of(mesh, 8);
            usable += tree->usable;
            graze_tree_destroy(tree);
            expect_valid(mesh);
        }
    }
    assert_true(usable >= 30);
}

static void meshes_at_the_far_ends_get_trees_like_others(void **state)
{
    (void)state;
    static const double scales[] = {1e300, 1e308, 1e-300, 5e-324};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
    {
        graze_mesh *mesh = soup(100, scales[s], 0, s);
        graze_tree *tree = tree_of(mesh, 8);
        assert_true(tree->usable);
        assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
        graze_tree_destroy(tree);
        graze_mesh_destroy(mesh);
    }
}

static void identical_triangles_do_not_make_the_tree_deep(void **state)
{
    (void)state;
    static const double vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static uint32_t corners[3 * 20000];
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        corners[i] = (uint32_t)(i % 3);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = sizeof corners / sizeof *corners;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    graze_tree *tree = tree_of(mesh, 8);
    assert_true(graze_tree_examine(tree).depth < 10);
    graze_tree_destroy(tree);
    expect_valid(mesh);
}

/* Triangles of ever smaller size towards a point: the surface area heuristic would split them off one by one. */
static void a_geometric_progression_does_not_overflow_the_depth(void **state)
{
    (void)state;
    static double vertices[3000][3];
    static uint32_t corners[3000];
    for (size_t i = 0; i < 3000; i++)
    {
        double size = ldexp(1.0, -(int)(i / 3) / 2);
        vertices[i][0] = size * (1 + (double)(i % 3 == 1));
        vertices[i][1] = size * (1 + (double)(i % 3 == 2));
        vertices[i][2] = size;
        corners[i] = (uint32_t)i;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3000;
    def.corners = corners;
    def.corner_count = 3000;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    expect_valid(mesh);
}

static void validation_notices_damage(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 10, &mesh), GRAZE_STATUS_OK);
    graze_tree *tree = tree_of(mesh, 8);
    grz_node saved = tree->nodes[1];
    tree->nodes[1].boxes.upper[0][0] = tree->nodes[1].boxes.lower[0][0];
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_INTERNAL);
    tree->nodes[1] = saved;
    tree->nodes[1].boxes.slab_upper[0] = tree->nodes[1].boxes.slab_lower[0];
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_INTERNAL);
    tree->nodes[1] = saved;
    tree->leaves[0].triangles.corners[1][2][0] = (int16_t)(tree->leaves[0].triangles.corners[1][2][0] + 3);
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_INTERNAL);
    tree->leaves[0].triangles.corners[1][2][0] = (int16_t)(tree->leaves[0].triangles.corners[1][2][0] - 3);
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
    tree->order[0] = tree->order[1];
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_INTERNAL);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 20, &mesh), GRAZE_STATUS_OK);
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_tree *tree = NULL;
        graze_status status = graze_tree_create(&context, mesh, NULL, NULL, &tree);
        graze_tree_destroy(tree);
        assert_int_equal(allocator.live, 0);
        if (status == GRAZE_STATUS_OK)
            break;
        assert_int_equal(status, GRAZE_STATUS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures >= 4);
    graze_mesh_destroy(mesh);
}

static void tree_and_mesh_take_at_most_ninety_bytes_a_triangle(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 100, &mesh), GRAZE_STATUS_OK);
    graze_tree *tree = tree_of(mesh, 8);
    graze_tree_facts facts = graze_tree_examine(tree);
    double mesh_bytes = 24.0 * (double)graze_mesh_vertex_count(mesh) + 12.0 * (double)facts.triangles;
    double each = ((double)facts.bytes + mesh_bytes) / (double)facts.triangles;
    printf("%.1f bytes per triangle, fill %.2f, depth %u\n", each, facts.fill, facts.depth);
    assert_true(each <= 90);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_generated_bodies_are_valid_for_every_leaf_size),
        cmocka_unit_test(trees_are_valid_at_every_scale_and_distance),
        cmocka_unit_test(meshes_at_the_far_ends_get_trees_like_others),
        cmocka_unit_test(identical_triangles_do_not_make_the_tree_deep),
        cmocka_unit_test(a_geometric_progression_does_not_overflow_the_depth),
        cmocka_unit_test(validation_notices_damage),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(tree_and_mesh_take_at_most_ninety_bytes_a_triangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
