/* SPDX-License-Identifier: MIT */
/*
 * Trees in world coordinates: boxes contain all geometry below them, under poses of every kind and in every rounding
 * mode; the support vertex is the one that testing all of them finds.
 */
#include "pair/world_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graze/depth.h"
#include "graze/generate.h"
#include "mesh/mesh.h"
#include "pair/aabb.h"
#include "support/environment.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

static int set_up(void **state)
{
    *state = placed_shapes_create();
    return 0;
}

static int tear_down(void **state)
{
    placed_shapes_destroy(*state);
    return 0;
}

/* Asserts that the intervals of all triangles below a child lie in its box; counts the triangles. */
static size_t check_child(const grz_world_tree *world, const graze_pose *pose, uint32_t child,
                          const grz_world_aabbs *boxes, int lane)
{
    const graze_tree *tree = world->tree;
    size_t count = 0;
    if ((child & GRZ_LEAF_FLAG) == 0)
    {
        for (int i = 0; i < GRZ_TREE_WIDTH && tree->nodes[child].children[i] != GRZ_NO_CHILD; i++)
            count += check_child(world, pose, tree->nodes[child].children[i], boxes, lane);
        return count;
    }
    const grz_leaf *leaf = &tree->leaves[child & ~GRZ_LEAF_FLAG];
    for (uint32_t i = 0; i < leaf->count; i++, count++)
    {
        grz_placed_aabb box = grz_aabb_of_triangle(tree->mesh, tree->order[leaf->first + i], pose);
        for (int axis = 0; axis < 3; axis++)
            assert_true(boxes->lower[axis][lane] <= box.axes[axis].lower &&
                        boxes->upper[axis][lane] >= box.axes[axis].upper);
    }
    return count;
}

static void boxes_hold_all_that_is_below_them(void **state)
{
    const placed_shapes *shapes = *state;
    const uint64_t seed = 8123;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    size_t checked = 0, seen = 0;
    for (unsigned round = 0; round < 400; round++)
    {
        unsigned shape = (unsigned)grz_random_below(&random, PLACED_SHAPES);
        const graze_tree *tree = shapes->trees[shape][round % PLACED_LEAF_SIZES];
        graze_pose pose, other;
        placed_poses(&random, round % POSE_KINDS, &pose, &other);
        const graze_pose *used = round % 17 == 0 ? NULL : &pose;
        saved_environment saved;
        environment_enter(&saved, (int)(round % ENVIRONMENTS));
        grz_world_tree world = grz_world_tree_make(tree->mesh, tree, used);
        grz_world_aabbs boxes;
        uint32_t node = (uint32_t)grz_random_below(&random, tree->node_count);
        if (world.tree != NULL)
            grz_world_tree_child_aabbs(&world, node, &boxes);
        seen += world.tree != NULL;
        for (int lane = 0; world.tree != NULL && lane < GRZ_TREE_WIDTH; lane++)
            if (tree->nodes[node].children[lane] != GRZ_NO_CHILD)
                checked += check_child(&world, used, tree->nodes[node].children[lane], &boxes, lane);
        environment_leave(&saved);
    }
    printf("%zu triangles below %zu nodes\n", checked, seen);
    assert_true(seen == 400 && checked > 10000);
}

/* Large matrices with large meshes: the slack is computed from products. */
static void boxes_of_large_meshes_hold_all_under_large_matrices(void **state)
{
    (void)state;
    grz_random random = grz_random_make(8124);
    graze_mesh *torus = NULL, *mesh = NULL;
    graze_tree *tree = NULL;
    assert_int_equal(graze_mesh_create_torus(NULL, 1e3, 3e2, 24, 12, &torus), GRAZE_STATUS_OK);
    double *vertices = malloc(torus->vertex_count * 3 * sizeof *vertices);
    assert_non_null(vertices);
    for (size_t i = 0; i < 3 * (size_t)torus->vertex_count; i++)
        vertices[i] = 0x1p46 + torus->vertices[i]; /* far away, so that rounding boxes to floats adds no slack */
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = torus->vertex_count;
    def.corners = torus->triangles;
    def.corner_count = 3 * (size_t)torus->triangle_count;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    graze_mesh_destroy(torus);
    free(vertices);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    size_t checked = 0;
    for (unsigned round = 0; round < 200; round++)
    {
        graze_pose pose, other;
        placed_poses(&random, 0, &pose, &other);
        for (int k = 0; k < 12; k++)
            pose.m[k] *= ldexp(1, (int)(round % 40));
        saved_environment saved;
        environment_enter(&saved, (int)(round % ENVIRONMENTS));
        grz_world_tree world = grz_world_tree_make(mesh, tree, &pose);
        grz_world_aabbs boxes;
        assert_ptr_equal(world.tree, tree);
        grz_world_tree_child_aabbs(&world, 0, &boxes);
        for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
            if (tree->nodes[0].children[lane] != GRZ_NO_CHILD)
                checked += check_child(&world, &pose, tree->nodes[0].children[lane], &boxes, lane);
        environment_leave(&saved);
    }
    assert_int_equal(checked, 200 * mesh->triangle_count);
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

static void what_is_no_help_is_no_tree(void **state)
{
    const placed_shapes *shapes = *state;
    const graze_tree *tree = shapes->trees[0][0];
    graze_pose pose = graze_pose_identity();
    assert_ptr_equal(grz_world_tree_make(tree->mesh, tree, &pose).tree, tree);
    assert_null(grz_world_tree_make(tree->mesh, NULL, &pose).tree);
    assert_null(grz_world_tree_make(shapes->meshes[1], tree, &pose).tree);
    pose.m[5] = 0x1p400;
    assert_null(grz_world_tree_make(tree->mesh, tree, &pose).tree);
    pose = graze_pose_translation(0, 1e300, 0);
    assert_null(grz_world_tree_make(tree->mesh, tree, &pose).tree);
}

static void the_farthest_vertex_is_the_farthest_of_all(void **state)
{
    const placed_shapes *shapes = *state;
    const uint64_t seed = 99;
    printf("seed %llu\n", (unsigned long long)seed);
    grz_random random = grz_random_make(seed);
    unsigned on_axis = 0, short_of = 0;
    for (unsigned round = 0; round < 3000; round++)
    {
        const graze_tree *tree = shapes->trees[grz_random_below(&random, PLACED_SHAPES)][round % PLACED_LEAF_SIZES];
        const graze_mesh *mesh = tree->mesh;
        double d[3], size = 0, most = -INFINITY;
        for (int k = 0; k < 3; k++)
        {
            d[k] = ldexp(grz_random_between(&random, -1, 1), round % 5 == 0 ? 200 : 0);
            d[k] = round % 3 == 0 && k != (int)(round / 3 % 3) ? 0 : d[k];
            size += fabs(d[k]);
        }
        for (size_t c = 0; c < 3 * mesh->triangle_count; c++)
        {
            const double *v = grz_mesh_vertex(mesh, mesh->triangles[c]);
            most = fmax(most, d[0] * v[0] + d[1] * v[1] + d[2] * v[2]);
        }
        uint32_t vertex = mesh->triangles[grz_random_below(&random, 3 * mesh->triangle_count)], other = vertex;
        double tolerance = 0.02 * size * tree->scale, found = grz_tree_support(tree, d, 0, &vertex);
        const double *at = grz_mesh_vertex(mesh, vertex);
        assert_true(found == most && found == d[0] * at[0] + d[1] * at[1] + d[2] * at[2]);
        double about = grz_tree_support(tree, d, tolerance, &other);
        assert_true(about <= most && about >= most - tolerance * (1 + 1e-9));
        on_axis += round % 3 == 0;
        short_of += about < most;
    }
    printf("%u along an axis, %u somewhat short\n", on_axis, short_of);
    assert_true(on_axis == 1000 && short_of > 20);
}

/* Triangles whose first corners all lie in one plane, each the upper corner of its own box: along the plane's normal
   all have the same height but for roundings, and none may be missed because of one. */
static void the_farthest_of_a_plane_is_found_to_the_last_digit(void **state)
{
    (void)state;
    enum
    {
        SIDE = 40
    };
    const double far_away = 0x1p46; /* so that roundings exceed the margin of boxes */
    grz_random random = grz_random_make(100);
    static double vertices[SIDE * SIDE][3][3];
    static uint32_t corners[SIDE * SIDE * 3];
    for (int i = 0; i < SIDE * SIDE * 3; i++)
    {
        const int at[3] = {i / 3 % SIDE * 16, i / 3 / SIDE * 16, -(i / 3 % SIDE + i / 3 / SIDE) * 16};
        for (int k = 0; k < 3; k++)
            vertices[i / 3][i % 3][k] = far_away + at[k] - (i % 3 == 0 ? 0 : i % 3 == 1 ? 3 + k : 5 - k);
        corners[i] = (uint32_t)i;
    }
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = def.corner_count = SIDE * SIDE * 3;
    def.corners = corners;
    graze_mesh *mesh = NULL;
    graze_tree *tree = NULL;
    graze_tree_def tree_def = graze_tree_def_default();
    tree_def.leaf_size = 1;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, &tree_def, NULL, &tree), GRAZE_STATUS_OK);
    for (int round = 0; round < 100; round++)
    {
        double along = grz_random_between(&random, 0.5, 1), d[3] = {along, along, along}, most = -INFINITY;
        for (int i = 0; i < SIDE * SIDE; i++)
        {
            const double *v = vertices[i][0];
            most = fmax(most, d[0] * v[0] + d[1] * v[1] + d[2] * v[2]);
        }
        uint32_t vertex = (uint32_t)grz_random_below(&random, SIDE * SIDE * 3);
        assert_true(grz_tree_support(tree, d, 0, &vertex) == most);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

/* A zero direction, as a singular pose gives one: every vertex has the same height, and lanes without a child are
   skipped. */
static void without_a_direction_all_are_as_high(void **state)
{
    (void)state;
    graze_mesh *box;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, box, NULL, NULL, &tree), GRAZE_STATUS_OK);
    uint32_t vertex = 0;
    assert_true(grz_tree_support(tree, (double[3]){0, 0, 0}, 0, &vertex) == 0 && vertex < box->vertex_count);
    for (int axis = 0; axis < 3; axis++)
    {
        graze_placed_mesh flat = {box, tree, graze_pose_identity()}, moved = {box, tree, graze_pose_identity()};
        for (int k = 0; k < 3; k++)
            flat.pose.m[4 * axis + k] = 0;
        moved.pose.m[3] = 0.3;
        graze_depth depth;
        assert_int_equal(graze_pair_depth(NULL, &flat, &moved, NULL, &depth), GRAZE_STATUS_OK);
    }
    graze_tree_destroy(tree);
    graze_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_hold_all_that_is_below_them),
                                       cmocka_unit_test(boxes_of_large_meshes_hold_all_under_large_matrices),
                                       cmocka_unit_test(what_is_no_help_is_no_tree),
                                       cmocka_unit_test(the_farthest_vertex_is_the_farthest_of_all),
                                       cmocka_unit_test(the_farthest_of_a_plane_is_found_to_the_last_digit),
                                       cmocka_unit_test(without_a_direction_all_are_as_high)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
