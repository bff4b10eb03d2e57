/* SPDX-License-Identifier: MIT */
/*
 * Meshes that were moved to coordinates of about 2^260 while no memory was left for their scaled copy: the lanes that
 * decide contacts multiplied four differences of coordinates, which overflows, and took overlapping triangles apart.
 */
#include <math.h>

#include "graze/pair.h"
#include "graze/tree.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    TRIANGLES = 120
};

typedef struct moved_mesh
{
    failing_allocator allocator;
    graze_context context;
    graze_mesh *mesh;
    graze_tree *tree;
} moved_mesh;

/* Triangles in the plane z = 0, made small, and moved by an allocator that fails. */
static void make(moved_mesh *m, test_random *random, int exponent)
{
    static double vertices[3 * TRIANGLES][3];
    static uint32_t corners[3 * TRIANGLES];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
    {
        corners[i] = i;
        for (int k = 0; k < 2; k++)
            vertices[i][k] = random_real(random, -1, 1);
    }
    m->allocator = (failing_allocator){.allowed = SIZE_MAX};
    m->context = failing_allocator_context(&m->allocator);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3 * TRIANGLES;
    def.corners = corners;
    def.corner_count = 3 * TRIANGLES;
    assert_int_equal(graze_mesh_create(&m->context, &def, NULL, &m->mesh), GRAZE_STATUS_OK);
    for (int i = 0; i < 3 * TRIANGLES; i++)
        for (int k = 0; k < 2; k++)
            vertices[i][k] = ldexp(vertices[i][k], exponent);
    m->allocator.allowed = m->allocator.requests;
    assert_int_equal(graze_mesh_move_vertices(m->mesh, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    m->allocator.allowed = SIZE_MAX;
    assert_int_equal(graze_tree_create(NULL, m->mesh, NULL, NULL, &m->tree), GRAZE_STATUS_OK);
}

static void end(moved_mesh *m)
{
    graze_tree_destroy(m->tree);
    graze_mesh_destroy(m->mesh);
}

static void overlapping_triangles_stay_so_at_every_scale(void **state)
{
    (void)state;
    test_random random = test_random_start("repro_moved_far_without_memory", 17);
    for (int exponent = 90; exponent < 300; exponent += exponent < 240 ? 30 : 4)
    {
        moved_mesh a, b;
        make(&a, &random, exponent);
        make(&b, &random, exponent);
        const graze_pose nowhere = graze_pose_identity();
        graze_placed_mesh plain_a = {a.mesh, NULL, nowhere}, plain_b = {b.mesh, NULL, nowhere};
        graze_placed_mesh with_a = {a.mesh, a.tree, nowhere}, with_b = {b.mesh, b.tree, nowhere};
        graze_pair_counts expected, counts;
        assert_int_equal(graze_pair_count(NULL, &plain_a, &plain_b, NULL, &expected), GRAZE_STATUS_OK);
        assert_int_equal(graze_pair_count(NULL, &with_a, &with_b, NULL, &counts), GRAZE_STATUS_OK);
        assert_int_equal(counts.pairs, expected.pairs);
        assert_int_equal(counts.coplanar, expected.coplanar);
        end(&a);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlapping_triangles_stay_so_at_every_scale)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
