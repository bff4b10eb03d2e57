/* SPDX-License-Identifier: MIT */
/* Points in tree coordinates: no box is farther than the triangles in it, for poses of every kind, also very close to
 * the surface and far from the origin. */
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
    grz_tree_point_squares(&c->at, node, squares);
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
            box_check check = {.surface = &surface};
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_no_farther_than_their_triangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
