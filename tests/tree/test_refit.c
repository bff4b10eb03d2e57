/* SPDX-License-Identifier: MIT */
/* Refitted trees contain moved vertices, answer like trees that were built for them, and report when they have
   degraded. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "graze/pair.h"
#include "graze/tree.h"
#include "support/failing_allocator.h"
#include "support/unit.h"
#include "tree/tree.h"

enum
{
    SEED = 4471,
    CAPACITY = 60000
};

static graze_mesh *shell(void)
{
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.1, 14, 3, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static graze_tree *tree_of(const graze_mesh *mesh)
{
    graze_tree *tree = NULL;
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    return tree;
}

/* Moves every vertex by a wave, and by `jitter` at random. */
static void shake(graze_mesh *mesh, double phase, double jitter, double scale, grz_random *random)
{
    size_t count = graze_mesh_vertex_count(mesh);
    double *vertices = malloc(3 * count * sizeof *vertices);
    memcpy(vertices, graze_mesh_vertices(mesh), 3 * count * sizeof *vertices);
    for (size_t v = 0; v < count; v++)
    {
        double bend = 0.3 * sin(3 * vertices[3 * v] + phase);
        vertices[3 * v + 1] = scale * (vertices[3 * v + 1] + bend + jitter * grz_random_between(random, -1, 1));
        vertices[3 * v + 2] = scale * (vertices[3 * v + 2] + jitter * grz_random_between(random, -1, 1));
    }
    assert_int_equal(graze_mesh_move_vertices(mesh, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    free(vertices);
}

static size_t gather(const graze_mesh *a, const graze_tree *tree_a, const graze_pose *pose, graze_hit *hits)
{
    graze_placed_mesh first = {a, tree_a, graze_pose_identity()}, second = {a, tree_a, *pose};
    graze_pair_counts counts;
    assert_int_equal(graze_pair_gather(NULL, &first, &second, NULL, hits, CAPACITY, &counts), GRAZE_STATUS_OK);
    assert_true(counts.pairs <= CAPACITY);
    return (size_t)counts.pairs;
}

/* Field by field: structs have padding. */
static void expect_same(const graze_hit *x, const graze_hit *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        assert_int_equal(x[i].triangle_a, y[i].triangle_a);
        assert_int_equal(x[i].triangle_b, y[i].triangle_b);
        assert_int_equal(x[i].contact.crossing, y[i].contact.crossing);
        assert_int_equal(x[i].contact.coplanar, y[i].contact.coplanar);
    }
}

static void refitted_trees_are_valid_and_answer_like_new_ones(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    static graze_hit hits[2][CAPACITY];
    static const double scales[] = {1, 1e-3, 1e3, 1, 1};
    grz_random random = grz_random_make(SEED);
    graze_mesh *mesh = shell();
    graze_tree *tree = tree_of(mesh);
    size_t sum = 0;
    for (int frame = 0; frame < 8; frame++)
    {
        shake(mesh, frame, frame % 4 == 3 ? 0.3 : 0.002, frame < 5 ? scales[frame] : 1, &random);
        assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
        assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
        graze_tree *fresh = tree_of(mesh);
        graze_pose pose = graze_pose_identity();
        pose.m[3] = 0.3;
        pose.m[7] = 0.01 * frame;
        size_t count = gather(mesh, tree, &pose, hits[0]);
        assert_int_equal(gather(mesh, fresh, &pose, hits[1]), count);
        expect_same(hits[0], hits[1], count);
        sum += count;
        graze_tree_destroy(fresh);
    }
    printf("%zu hits\n", sum);
    assert_true(sum > 8000);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void refitting_what_did_not_move_changes_no_bit(void **state)
{
    (void)state;
    graze_mesh *mesh = shell();
    graze_tree *tree = tree_of(mesh);
    size_t size = graze_tree_saved_size(tree);
    char *before = malloc(size), *after = malloc(size);
    assert_int_equal(graze_tree_save(tree, before, size), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_save(tree, after, size), GRAZE_STATUS_OK);
    assert_memory_equal(before, after, size);
    assert_true(graze_tree_examine(tree).quality == 1);
    free(before);
    free(after);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void quality_falls_with_disorder_and_rebuilding_restores_it(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    graze_mesh *mesh = shell();
    graze_tree *tree = tree_of(mesh);
    assert_true(graze_tree_examine(tree).quality == 1);
    shake(mesh, 1, 0, 1, &random);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    double bent = graze_tree_examine(tree).quality;
    shake(mesh, 1, 0.8, 1, &random);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    double torn = graze_tree_examine(tree).quality;
    printf("quality %.2f when bent, %.2f when torn\n", bent, torn);
    assert_true(bent > 0.6 && torn < 0.5);
    graze_tree *fresh = tree_of(mesh);
    assert_true(graze_tree_examine(fresh).quality == 1);
    assert_true(graze_tree_examine(fresh).cost < graze_tree_examine(tree).cost);
    graze_tree_destroy(fresh);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void a_tree_can_move_to_another_mesh_with_as_many_triangles(void **state)
{
    (void)state;
    graze_mesh *mesh = shell(), *other = NULL, *small = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 5, 14, &other), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 5, 4, &small), GRAZE_STATUS_OK);
    graze_tree *tree = tree_of(mesh);
    assert_int_equal(graze_tree_refit(NULL, tree, small), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_tree_refit(NULL, tree, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_refit(NULL, tree, other), GRAZE_STATUS_OK);
    graze_mesh_destroy(mesh);
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
    graze_tree_destroy(tree);
    graze_mesh_destroy(other);
    graze_mesh_destroy(small);
}

static void meshes_may_move_to_the_far_ends_and_back(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    graze_mesh *mesh = shell();
    graze_tree *tree = tree_of(mesh);
    shake(mesh, 0, 0, 1e305, &random);
    graze_tree *born_far = tree_of(mesh);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    assert_true(tree->usable);
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
    shake(mesh, 0, 0, 1e-305, &random);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    assert_true(tree->usable);
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_refit(NULL, born_far, mesh), GRAZE_STATUS_OK);
    assert_true(born_far->usable);
    assert_int_equal(graze_tree_validate(NULL, born_far), GRAZE_STATUS_OK);
    graze_tree_destroy(born_far);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* Without memory to scale very large vertices there is no tree for them; when they move back it has no nodes to fit. */
static void a_tree_without_nodes_stays_unused(void **state)
{
    (void)state;
    static const double near_by[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, far_away[9] = {0, 0, 0, 1e305, 0, 0, 0, 1e305, 0};
    static const uint32_t corners[3] = {0, 1, 2};
    failing_allocator allocator = {.allowed = 100};
    graze_context context = failing_allocator_context(&allocator);
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = near_by;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_count = 3;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(&context, &def, NULL, &mesh), GRAZE_STATUS_OK);
    allocator.allowed = 0;
    assert_int_equal(graze_mesh_move_vertices(mesh, far_away, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    graze_tree *tree = tree_of(mesh);
    assert_true(!tree->usable && tree->node_count == 0);
    assert_int_equal(graze_mesh_move_vertices(mesh, near_by, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    assert_false(tree->usable);
    graze_placed_mesh placed = {.mesh = mesh, .tree = tree, .pose = graze_pose_identity()};
    bool found = false;
    assert_int_equal(graze_pair_any(NULL, &placed, &placed, NULL, &found, NULL), GRAZE_STATUS_OK);
    assert_true(found);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void a_mapped_tree_is_copied_before_it_is_refitted(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED);
    graze_mesh *mesh = shell();
    graze_tree *tree = tree_of(mesh);
    size_t size = graze_tree_saved_size(tree);
    char *bytes = aligned_alloc(64, size), *kept = malloc(size);
    assert_int_equal(graze_tree_save(tree, bytes, size), GRAZE_STATUS_OK);
    memcpy(kept, bytes, size);
    graze_tree_destroy(tree);
    failing_allocator allocator = {.allowed = 3}; /* two of them to check the mapped bytes */
    graze_context context = failing_allocator_context(&allocator);
    assert_int_equal(graze_tree_map(&context, mesh, bytes, size, NULL, NULL, &tree), GRAZE_STATUS_OK);
    shake(mesh, 2, 0.1, 1, &random);
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OUT_OF_MEMORY);
    allocator.allowed = 100;
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    assert_memory_equal(bytes, kept, size);
    assert_int_equal(graze_tree_validate(NULL, tree), GRAZE_STATUS_OK);
    /* From now on every allocation fails. */
    allocator.allowed = 0;
    assert_int_equal(graze_tree_refit(NULL, tree, mesh), GRAZE_STATUS_OK);
    graze_tree_destroy(tree);
    assert_int_equal(allocator.live, 0);
    free(bytes);
    free(kept);
    graze_mesh_destroy(mesh);
}

static void vertices_that_are_not_finite_move_nothing(void **state)
{
    (void)state;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 2, 3, 1, &mesh), GRAZE_STATUS_OK);
    size_t count = graze_mesh_vertex_count(mesh);
    double kept[3 * 100], moved[3 * 100];
    assert_true(count <= 100);
    memcpy(kept, graze_mesh_vertices(mesh), 3 * count * sizeof(double));
    for (size_t i = 0; i < 3 * count; i++)
        moved[i] = (double)i;
    moved[3 * count - 2] = NAN;
    graze_error error;
    assert_int_equal(graze_mesh_move_vertices(mesh, moved, 0, GRAZE_SCALAR_DOUBLE, &error), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(error.index, count - 1);
    assert_memory_equal(graze_mesh_vertices(mesh), kept, 3 * count * sizeof(double));
    assert_int_equal(graze_mesh_move_vertices(mesh, NULL, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_mesh_move_vertices(mesh, moved, 8, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    float singles[4 * 100];
    for (size_t i = 0; i < 4 * count; i++)
        singles[i] = (float)(i % 4 == 3 ? NAN : (double)i);
    assert_int_equal(graze_mesh_move_vertices(mesh, singles, 16, GRAZE_SCALAR_FLOAT, NULL), GRAZE_STATUS_OK);
    graze_box box = graze_mesh_bounds(mesh);
    assert_true(box.lower[1] == 1 && box.upper[1] == (double)(4 * count - 3));
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refitted_trees_are_valid_and_answer_like_new_ones),
        cmocka_unit_test(refitting_what_did_not_move_changes_no_bit),
        cmocka_unit_test(quality_falls_with_disorder_and_rebuilding_restores_it),
        cmocka_unit_test(a_tree_can_move_to_another_mesh_with_as_many_triangles),
        cmocka_unit_test(meshes_may_move_to_the_far_ends_and_back),
        cmocka_unit_test(a_tree_without_nodes_stays_unused),
        cmocka_unit_test(a_mapped_tree_is_copied_before_it_is_refitted),
        cmocka_unit_test(vertices_that_are_not_finite_move_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
