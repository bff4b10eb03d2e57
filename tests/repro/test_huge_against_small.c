/* SPDX-License-Identifier: MIT */
/*
 * A mesh many orders of magnitude larger than the other: floats in the triangle kernel overflowed in the frame of the
 * smaller one, and hits were dropped when it came first.
 */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "graze/pair.h"
#include "support/unit.h"

static graze_mesh *make_mesh(const double *vertices, size_t vertex_count, const uint32_t *corners, size_t corner_count)
{
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.corners = corners;
    def.corner_count = corner_count;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static graze_mesh *make_tetrahedron(void)
{
    static const double vertices[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    return make_mesh(vertices[0], 4, corners, 12);
}

/* One triangle of the given size through the tetrahedron. */
static graze_mesh *make_triangle(grz_random *random, double size)
{
    double vertices[3][3];
    static const uint32_t corners[3] = {0, 1, 2};
    for (int k = 0; k < 3; k++)
    {
        double p = grz_random_between(random, -1, 1), q = grz_random_between(random, -1, 1);
        vertices[0][k] = size * p;
        vertices[1][k] = size * q;
        vertices[2][k] = -size * (p + q) + 0.3;
    }
    return make_mesh(vertices[0], 3, corners, 3);
}

static uint64_t count_pairs(const graze_placed_mesh *a, const graze_placed_mesh *b, int set)
{
    graze_context context = graze_context_default();
    context.instructions = (graze_instructions)set;
    graze_pair_counts counts;
    assert_int_equal(graze_pair_count(&context, a, b, NULL, &counts), GRAZE_STATUS_OK);
    return counts.pairs;
}

static void size_does_not_matter(void **state)
{
    (void)state;
    grz_random random = grz_random_make(8);
    uint64_t hits = 0;
    for (int exponent = 20; exponent <= 70; exponent++)
    {
        for (int trial = 0; trial < 10; trial++)
        {
            graze_mesh *meshes[2] = {make_tetrahedron(), make_triangle(&random, ldexp(1.0, exponent))};
            graze_tree *trees[2] = {NULL, NULL};
            graze_placed_mesh placed[2];
            for (int i = 0; i < 2; i++)
            {
                assert_int_equal(graze_tree_create(NULL, meshes[i], NULL, NULL, &trees[i]), GRAZE_STATUS_OK);
                placed[i] = (graze_placed_mesh){meshes[i], NULL, graze_pose_identity()};
            }
            uint64_t expected = count_pairs(&placed[0], &placed[1], GRAZE_INSTRUCTIONS_BEST);
            hits += expected;
            placed[0].tree = trees[0];
            placed[1].tree = trees[1];
            for (int set = GRAZE_INSTRUCTIONS_BEST; set < GRAZE_INSTRUCTIONS_COUNT; set++)
            {
                assert_int_equal(count_pairs(&placed[0], &placed[1], set), expected);
                assert_int_equal(count_pairs(&placed[1], &placed[0], set), expected);
            }
            for (int i = 0; i < 2; i++)
            {
                graze_tree_destroy(trees[i]);
                graze_mesh_destroy(meshes[i]);
            }
        }
    }
    printf("%llu hits\n", (unsigned long long)hits);
    assert_true(hits > 500);
}

static void a_tree_of_another_mesh_is_refused(void **state)
{
    (void)state;
    graze_mesh *first = make_tetrahedron(), *second = make_tetrahedron();
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, first, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh a = {first, tree, graze_pose_identity()}, b = {second, tree, graze_pose_identity()};
    graze_pair_counts counts;
    assert_int_equal(graze_pair_count(NULL, &a, &b, NULL, &counts), GRAZE_STATUS_BAD_ARGUMENT);
    graze_tree_destroy(tree);
    graze_mesh_destroy(first);
    graze_mesh_destroy(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_does_not_matter),
        cmocka_unit_test(a_tree_of_another_mesh_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
