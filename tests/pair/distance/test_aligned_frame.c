/* SPDX-License-Identifier: MIT */
/*
 * Boxes in an aligned frame contain their geometry, under poses of every kind, and are no larger than necessary. The
 * reference places every corner in long doubles.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/generate.h"
#include "pair/distance/aligned_frame.h"
#include "support/bodies.h"
#include "support/unit.h"

enum
{
    ROUNDS = 60,
    DUST = 60
};

static graze_pose random_pose(grz_random *random, int kind)
{
    graze_pose pose = graze_pose_identity();
    double axis[3], position[3], far = kind == 3 ? 1e9 : 0;
    for (int k = 0; k < 3; k++)
    {
        axis[k] = grz_random_between(random, -1, 1);
        position[k] = far + grz_random_between(random, -3, 3);
    }
    graze_pose_from_axis_angle(axis, grz_random_between(random, 0, 6), position, &pose);
    for (int k = 0; k < 12; k++)
    {
        if (kind == 1 && k % 4 != 3) /* sheared */
            pose.m[k] += grz_random_between(random, -0.3, 0.3);
        if (kind == 2) /* small */
            pose.m[k] *= 0x1p-40;
    }
    return pose;
}

/* A vertex along the frame's third axis, and along all by the frame's own transform. */
typedef struct corner_image
{
    long double height, own[3];
} corner_image;

static corner_image place(const grz_aligned_frame *aligned, const grz_aligned_tree *t, const grz_distance_frame *frame,
                          const graze_pose *pose, const graze_pose *pose_a, const double from[3], const double *vertex)
{
    corner_image result = {.height = 0};
    for (int i = 0; i < 3; i++)
    {
        const double *row = pose->m + 4 * i;
        long double x = (long double)row[3] - pose_a->m[4 * i + 3] - from[i];
        result.own[i] = t->offset[i];
        for (int k = 0; k < 3; k++)
        {
            x += (long double)row[k] * vertex[k];
            result.own[i] += t->matrix[i][k] * (((long double)vertex[k] - t->tree->origin[k]) / t->tree->scale);
        }
        result.height += x * aligned->normal[i] / frame->unit;
    }
    return result;
}

/* The state of checking one tree. */
typedef struct check
{
    const grz_aligned_frame *aligned;
    grz_aligned_tree *tree;
    const grz_distance_frame *frame;
    const graze_mesh *mesh;
    const graze_pose *pose, *pose_a;
    const double *from;
    unsigned long held;
    float loosest; /* how much larger than necessary boxes of leaves are, in heights */
} check;

/* Asserts that the corners of a child's triangles lie in a box. */
static void check_run(check *c, uint32_t first, uint32_t count, const float lower[3], const float upper[3], bool leaf)
{
    long double lowest = INFINITY, highest = -INFINITY;
    const double *vertices = graze_mesh_vertices(c->mesh);
    for (uint32_t n = first; n < first + count; n++)
    {
        const uint32_t *corners = graze_mesh_triangles(c->mesh) + 3 * (size_t)c->tree->tree->order[n];
        for (int corner = 0; corner < 3; corner++)
        {
            corner_image at = place(c->aligned, c->tree, c->frame, c->pose, c->pose_a, c->from,
                                    vertices + 3 * (size_t)corners[corner]);
            for (int k = 0; k < 3; k++)
                assert_true(at.own[k] >= (long double)lower[k] && at.own[k] <= (long double)upper[k]);
            assert_true(at.height >= (long double)lower[2] && at.height <= (long double)upper[2]);
            lowest = at.height < lowest ? at.height : lowest;
            highest = at.height > highest ? at.height : highest;
            c->held++;
        }
    }
    float loose = (float)fmaxl(lowest - (long double)lower[2], (long double)upper[2] - highest);
    if (leaf && loose > c->loosest)
        c->loosest = loose;
}

/* The run of triangles below a child. */
static void run_below(const graze_tree *tree, uint32_t child, uint32_t *first, uint32_t *end)
{
    if ((child & GRZ_LEAF_FLAG) != 0)
    {
        const grz_leaf *leaf = &tree->leaves[child & ~GRZ_LEAF_FLAG];
        *first = leaf->first < *first ? leaf->first : *first;
        *end = leaf->first + leaf->count > *end ? leaf->first + leaf->count : *end;
        return;
    }
    for (int i = 0; i < GRZ_TREE_WIDTH && tree->nodes[child].children[i] != GRZ_NO_CHILD; i++)
        run_below(tree, tree->nodes[child].children[i], first, end);
}

static void box_at(const grz_aligned8 *boxes, int place, float lower[3], float upper[3])
{
    for (int k = 0; k < 3; k++)
    {
        lower[k] = boxes->lower[k][place];
        upper[k] = boxes->upper[k][place];
    }
}

static void check_tree(check *c)
{
    const graze_tree *tree = c->tree->tree;
    float lower[3], upper[3];
    for (uint32_t node = 0; node < tree->node_count; node++)
    {
        const grz_aligned_node *image = grz_aligned_node_of(c->aligned, c->tree, node);
        uint32_t all_first = UINT32_MAX, all_end = 0;
        run_below(tree, node, &all_first, &all_end);
        box_at(&image->around, 0, lower, upper);
        check_run(c, all_first, all_end - all_first, lower, upper, false);
        for (int pass = 0; pass < 2; pass++)
        {
            for (int i = 0; i < GRZ_TREE_WIDTH && tree->nodes[node].children[i] != GRZ_NO_CHILD; i++)
            {
                uint32_t first = UINT32_MAX, end = 0, child = tree->nodes[node].children[i];
                run_below(tree, child, &first, &end);
                box_at(&image->boxes, i, lower, upper);
                check_run(c, first, end - first, lower, upper, pass == 1 && (child & GRZ_LEAF_FLAG) != 0);
            }
            grz_aligned_tighten(c->aligned, c->tree, node, 0xff);
        }
    }
    for (uint32_t leaf = 0; leaf < tree->leaf_count; leaf++)
    {
        const grz_aligned8 *boxes = grz_aligned_leaf_of(c->aligned, c->tree, leaf);
        for (uint32_t i = 0; i < tree->leaves[leaf].count; i++)
        {
            box_at(boxes, (int)i, lower, upper);
            check_run(c, tree->leaves[leaf].first + i, 1, lower, upper, true);
        }
    }
}

static graze_mesh *make_dust(grz_random *random)
{
    double vertices[3 * DUST][3];
    uint32_t corners[3 * DUST];
    for (uint32_t i = 0; i < 3 * DUST; i++)
    {
        corners[i] = i;
        for (int k = 0; k < 3; k++)
            vertices[i][k] = i % 3 == 0 ? grz_random_between(random, -1, 1)
                                        : vertices[i - i % 3][k] + grz_random_between(random, -1e-6, 1e-6);
    }
    return body_of_triangles(vertices, 3 * DUST, corners, DUST);
}

static void boxes_hold_their_triangles_and_fit(void **state)
{
    (void)state;
    grz_random random = grz_random_make(61);
    printf("seed 61\n");
    graze_mesh *a, *b, *dust;
    graze_tree *tree_a, *tree_b, *tree_dust;
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.3, 6, 62, &a), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 0.7, 0.3, 5, 63, &b), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, a, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, b, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
    /* triangles so small that only the error of their position counts in their margins */
    dust = make_dust(&random);
    graze_tree_def def = graze_tree_def_default();
    def.leaf_size = 1;
    assert_int_equal(graze_tree_create(NULL, dust, &def, NULL, &tree_dust), GRAZE_STATUS_OK);
    unsigned long held = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_placed_mesh first = {a, tree_a, random_pose(&random, round % 4)};
        bool dusty = round / 4 % 2 == 1;
        graze_placed_mesh second = {dusty ? dust : b, dusty ? tree_dust : tree_b, random_pose(&random, round % 4)};
        grz_distance_frame frame;
        assert_true(grz_distance_frame_make(&frame, &first, &second));
        double size = round % 4 == 2 ? 0x1p-40 : 1;
        grz_distance_bound bound = {.witnessed = true};
        for (int k = 0; k < 3; k++)
        {
            bound.point_a[k] = size * grz_random_between(&random, -1, 1);
            bound.point_b[k] = size * grz_random_between(&random, -1, 1);
        }
        static grz_aligned_frame aligned;
        aligned.kernels = grz_distance_kernels_for(GRAZE_INSTRUCTIONS_BEST);
        assert_true(grz_aligned_frame_make(&aligned, &frame, &first.pose, &second.pose, &bound));
        assert_false(grz_aligned_frame_is_stale(&aligned, &bound));
        check c = {&aligned, &aligned.a, &frame, a, &first.pose, &first.pose, bound.point_a, 0, 0};
        check_tree(&c);
        held += c.held;
        assert_true(c.loosest < 1e-4f);
        c = (check){&aligned, &aligned.b, &frame, second.mesh, &second.pose, &first.pose, bound.point_a, 0, 0};
        check_tree(&c);
        held += c.held;
        assert_true(c.loosest < 1e-4f);
    }
    assert_true(held > 1000ul * ROUNDS);
    graze_tree_destroy(tree_dust);
    graze_mesh_destroy(dust);
    graze_tree_destroy(tree_a);
    graze_tree_destroy(tree_b);
    graze_mesh_destroy(a);
    graze_mesh_destroy(b);
}

/* A mesh far from its own origin, along one axis, whose pose scales it and brings it back: the terms of its position
   cancel, and each is rounded by far more than boxes are widened for their own rounding. */
static void boxes_of_a_mesh_far_from_its_origin_hold_its_triangles(void **state)
{
    (void)state;
    grz_random random = grz_random_make(62);
    printf("seed 62\n");
    graze_mesh *a;
    graze_tree *tree_a;
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.3, 3, 62, &a), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, a, NULL, NULL, &tree_a), GRAZE_STATUS_OK);
    unsigned long held = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        double far[3] = {0}, vertices[3 * DUST][3];
        uint32_t corners[3 * DUST];
        far[round % 3] = 0x1p40 + grz_random_between(&random, 0, 0x1p39);
        for (uint32_t i = 0; i < 3 * DUST; i++)
        {
            corners[i] = i;
            for (int k = 0; k < 3; k++)
                vertices[i][k] = far[k] + grz_random_between(&random, -1, 1);
        }
        graze_mesh *b = body_of_triangles(vertices, 3 * DUST, corners, DUST);
        graze_tree *tree_b;
        assert_int_equal(graze_tree_create(NULL, b, NULL, NULL, &tree_b), GRAZE_STATUS_OK);
        graze_placed_mesh first = {a, tree_a, graze_pose_identity()}, second = {b, tree_b, graze_pose_identity()};
        double scale = grz_random_between(&random, 1, 2);
        for (int k = 0; k < 3; k++)
        {
            second.pose.m[5 * k] = scale;
            second.pose.m[4 * k + 3] = -scale * far[k];
        }
        grz_distance_frame frame;
        assert_true(grz_distance_frame_make(&frame, &first, &second));
        grz_distance_bound bound = {.witnessed = true};
        bound.point_b[round % 3] = 1;
        static grz_aligned_frame aligned;
        aligned.kernels = grz_distance_kernels_for(GRAZE_INSTRUCTIONS_BEST);
        assert_true(grz_aligned_frame_make(&aligned, &frame, &first.pose, &second.pose, &bound));
        check c = {&aligned, &aligned.b, &frame, b, &second.pose, &first.pose, bound.point_a, 0, 0};
        check_tree(&c);
        held += c.held;
        graze_tree_destroy(tree_b);
        graze_mesh_destroy(b);
    }
    assert_true(held > 100ul * ROUNDS);
    graze_tree_destroy(tree_a);
    graze_mesh_destroy(a);
}

static void no_frame_is_made_without_a_direction(void **state)
{
    (void)state;
    graze_mesh *mesh;
    graze_tree *tree;
    assert_int_equal(graze_mesh_create_bumpy_shell(NULL, 1, 0.3, 2, 64, &mesh), GRAZE_STATUS_OK);
    assert_int_equal(graze_tree_create(NULL, mesh, NULL, NULL, &tree), GRAZE_STATUS_OK);
    graze_placed_mesh placed = {mesh, tree, graze_pose_identity()};
    grz_distance_frame frame;
    static grz_aligned_frame aligned;
    assert_true(grz_distance_frame_make(&frame, &placed, &placed));
    grz_distance_bound bound = {.witnessed = true};
    assert_false(grz_aligned_frame_make(&aligned, &frame, &placed.pose, &placed.pose, &bound));
    bound.point_b[0] = NAN;
    assert_false(grz_aligned_frame_make(&aligned, &frame, &placed.pose, &placed.pose, &bound));
    bound.point_b[0] = 1;
    assert_true(grz_aligned_frame_make(&aligned, &frame, &placed.pose, &placed.pose, &bound));
    bound.witnessed = false;
    assert_false(grz_aligned_frame_make(&aligned, &frame, &placed.pose, &placed.pose, &bound));
    graze_tree_destroy(tree);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hold_their_triangles_and_fit),
        cmocka_unit_test(boxes_of_a_mesh_far_from_its_origin_hold_its_triangles),
        cmocka_unit_test(no_frame_is_made_without_a_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
