/* SPDX-License-Identifier: MIT */
/* Points in tree coordinates: no box is farther than the triangles in it, for poses of every kind, also very close to
 * the surface and far from the origin. Residuals bound the distance to the exact image, in long double. */
#include "pair/depth/tree_point.h"

#include <stdio.h>

#include "pair/depth/nearest_triangle.h"
#include "pair/distance/triangle_distance.h"
#include "support/placed_shapes.h"
#include "support/unit.h"

enum
{
    SEED = 1618
};

typedef struct box_check
{
    const grz_surface *surface;
    grz_tree_point at;
    v3 point;
    const grz_distance_kernels *kernels;
    size_t boxes, tight;
} box_check;

/* The least distance of a leaf's triangles. */
static double distance_of_leaf(const box_check *c, const grz_leaf *leaf)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < leaf->count; i++)
    {
        v3 corners[3];
        grz_surface_corners(c->surface, c->surface->body->world.tree->order[leaf->first + i], corners);
        least = fmin(least, grz_distance_to_triangle(c->surface, corners, c->point));
    }
    return least;
}

static double check_node(box_check *c, uint32_t index) /* NOLINT(misc-no-recursion) */
{
    const graze_tree *tree = c->surface->body->world.tree;
    const grz_node *node = &tree->nodes[index];
    float squares[GRZ_TREE_WIDTH];
    double least = INFINITY;
    c->kernels->point_boxes(c->at.at, &node->boxes, INFINITY, squares);
    for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
    {
        uint32_t child = node->children[lane];
        if (child == GRZ_NO_CHILD)
        {
            assert_true(squares[lane] == INFINITY);
            continue;
        }
        double distance = (child & GRZ_LEAF_FLAG) != 0 ? distance_of_leaf(c, &tree->leaves[child & ~GRZ_LEAF_FLAG])
                                                       : check_node(c, child);
        float limit = grz_tree_point_limit(&c->at, distance);
        assert_true(squares[lane] < limit);
        c->tight += squares[lane] > 0.9999F * limit;
        c->boxes++;
        least = fmin(least, distance);
    }
    return least;
}

/* A point near a vertex, mostly so near that floats cannot tell the two apart. */
static void choose_point(grz_random *random, const graze_placed_mesh *placed, double out_point[3])
{
    size_t vertex = grz_random_below(random, graze_mesh_vertex_count(placed->mesh));
    double offset[3], away = pow(10, grz_random_between(random, -10, 0));
    for (int axis = 0; axis < 3; axis++)
        offset[axis] =
            graze_mesh_vertices(placed->mesh)[3 * vertex + (size_t)axis] + away * grz_random_between(random, -1, 1);
    graze_pose_apply(&placed->pose, offset, out_point);
}

static void boxes_are_no_farther_than_their_triangles(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    placed_shapes *shapes = placed_shapes_create();
    size_t boxes = 0, tight = 0, usable = 0;
    for (unsigned round = 0; round < 200; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES);
        graze_pose pose, other;
        placed_poses(&random, round % POSE_KINDS, &pose, &other);
        graze_placed_mesh placed = {shapes->meshes[i], shapes->trees[i][round % PLACED_LEAF_SIZES], pose};
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        double reach = grz_coordinate_bound(placed.mesh, &placed.pose), point[3];
        grz_surface surface = grz_surface_make(&body, 2 * reach, NULL);
        grz_tree_frame frame = grz_tree_frame_make(&body);
        for (int k = 0; k < 20; k++)
        {
            graze_instructions choice =
                round / POSE_KINDS % 2 == 0 ? GRAZE_INSTRUCTIONS_BEST : GRAZE_INSTRUCTIONS_SCALAR;
            box_check check = {.surface = &surface, .kernels = grz_distance_kernels_for(choice)};
            choose_point(&random, &placed, point);
            check.point = v3_load(point);
            if (!grz_tree_point_make(&frame, point, &check.at))
                continue;
            check_node(&check, 0);
            usable++;
            boxes += check.boxes;
            tight += check.tight;
        }
        grz_placed_body_release(NULL, &body);
    }
    placed_shapes_destroy(shapes);
    printf("%zu points, %zu boxes, %zu as far as their triangles\n", usable, boxes, tight);
    assert_true(usable > 2000 && boxes > 20000 && tight > 200);
}

/* The world coordinate of a point in tree coordinates: t + sum m_k (o_k + s q_k). */
static long double exact_image(const grz_placed_body *body, const float at[3], int axis)
{
    const double *row = body->placed->pose.m + 4 * (size_t)axis;
    const graze_tree *tree = body->world.tree;
    long double sum = row[3];
    for (int k = 0; k < 3; k++)
        sum += (long double)row[k] * ((long double)tree->origin[k] + (long double)tree->scale * (long double)at[k]);
    return sum;
}

static void check_frame(const grz_placed_body *body, const grz_tree_frame *frame)
{
    const graze_tree *tree = body->world.tree;
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = body->placed->pose.m + 4 * (size_t)axis;
        double size = fabs(row[3]);
        for (int k = 0; k < 3; k++)
            size += fabs(row[k]) * (fabs(tree->origin[k]) + 2 * tree->scale);
        assert_true(frame->size >= (1 - 0x1p-48) * size);
    }
}

/* Returns whether the residual is about all rounding of the world tree: it counts no distance in doubles. */
static bool check_residual(const grz_placed_body *body, const grz_tree_frame *frame, const double point[3])
{
    grz_tree_point at;
    assert_true(grz_tree_point_make(frame, point, &at));
    long double square = 0;
    double length = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        long double off = (long double)point[axis] - exact_image(body, at.at, axis);
        square += off * off;
        for (int k = 0; k < 3; k++)
            length += fabs(body->world.steps[axis][k] * (double)at.at[k]);
    }
    long double distance = sqrtl(square);
    assert_true(distance <= (long double)at.residual);
    /* no more than a rounding to floats, and the error of the frame */
    assert_true(at.residual <= 0x1p-22 * length + 0x1p-39 * frame->size);
    return distance > 0 && at.residual < 0x1p-39 * frame->size;
}

/* Points anywhere near the tree, and points that are images of floats but for the rounding of the world's numbers. */
static void residuals_bound_the_distance_to_the_image(void **state)
{
    (void)state;
    printf("seed %d\n", SEED + 1);
    grz_random random = grz_random_make(SEED + 1);
    placed_shapes *shapes = placed_shapes_create();
    size_t points = 0, rounded = 0;
    for (unsigned round = 0; round < 400; round++)
    {
        size_t i = grz_random_below(&random, PLACED_SHAPES);
        graze_pose pose, other;
        placed_poses(&random, round % POSE_KINDS, &pose, &other);
        pose.m[round % 3 * 4 + 3] *= 30;
        graze_placed_mesh placed = {shapes->meshes[i], shapes->trees[i][round % PLACED_LEAF_SIZES],
                                    round % 2 == 0 ? pose : other};
        grz_placed_body body;
        assert_int_equal(grz_placed_body_make(NULL, &placed, NULL, NULL, &body), GRAZE_STATUS_OK);
        grz_tree_frame frame = grz_tree_frame_make(&body);
        check_frame(&body, &frame);
        for (int k = 0; k < 20 && frame.unit > 0; k++, points++)
        {
            float at[3];
            double point[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = (float)grz_random_between(&random, -2, 2);
            for (int axis = 0; axis < 3; axis++)
            {
                const double *steps = body.world.steps[axis];
                point[axis] =
                    k % 2 == 0 ? (double)exact_image(&body, at, axis) + 1e-9 * steps[0]
                               : body.world.origin[axis] +
                                     (steps[0] * (double)at[0] + steps[1] * (double)at[1] + steps[2] * (double)at[2]);
            }
            rounded += check_residual(&body, &frame, point);
        }
        grz_placed_body_release(NULL, &body);
    }
    placed_shapes_destroy(shapes);
    printf("%zu points, %zu of them images but for rounding\n", points, rounded);
    assert_true(points > 5000 && rounded > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_no_farther_than_their_triangles),
                                       cmocka_unit_test(residuals_bound_the_distance_to_the_image)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
