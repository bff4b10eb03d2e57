/* SPDX-License-Identifier: MIT */
/* NULLs and failing allocations: exact predicates, poses, contexts and thread pools. */
#include "graze/exact.h"
#include "graze/tasks.h"
#include "support/failure.h"
#include "support/unit.h"

static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const double square[8] = {0, 0, 4, 0, 4, 4, 0, 4}, matrix[12] = {1, 0, 0, 7, 0, 1, 0, 0, 0, 0, 1, 0};
static const uint32_t loop_sizes[1] = {4};

static struct
{
    graze_pose pose;
    graze_placed_point points[4];
    graze_placed_triangle a, b;
    graze_error error;
    graze_pool *pool;
    void *memory;
} world;

static struct
{
    graze_pose pose;
    double point[3], bound;
    uint64_t index;
    graze_pool *pool;
} out;

static void set_up(void)
{
    world.pose = graze_pose_translation(0.25, 0.25, 0);
    assert_int_equal(graze_pool_create(&failure.context, 1, &world.pool), GRAZE_STATUS_OK);
    world.memory = failure.context.allocator.allocate(failure.context.allocator.user, 8);
}

static void tear_down(void)
{
    graze_pool_destroy(world.pool);
    graze_memory_release(&failure.context, world.memory);
}

/* The points of a tetrahedron of positive volume. */
static const graze_placed_point *points(int count)
{
    static const int order[4] = {0, 2, 1, 3};
    for (int i = 0; i < count; i++)
        world.points[i] =
            (graze_placed_point){NEED(INNER + 2 * i, corners[order[i]]), MAY(INNER + 2 * i + 1, &world.pose)};
    return world.points;
}

static const graze_placed_point *point(int number, int place)
{
    world.points[number] = (graze_placed_point){NEED(place, corners[number]), MAY(place + 1, &world.pose)};
    return &world.points[number];
}

static const graze_placed_triangle *triangle(graze_placed_triangle *place, int first)
{
    for (int i = 0; i < 3; i++)
        place->corners[i] = NEED(first + i, corners[i]);
    place->pose = MAY(first + 3, &world.pose);
    return place;
}

/* From a corner of the triangle upward. */
static const graze_placed_point *segment(void)
{
    world.points[0] = (graze_placed_point){NEED(INNER, corners[0]), &world.pose};
    world.points[1] = (graze_placed_point){NEED(INNER + 1, corners[3]), &world.pose};
    return world.points;
}

VALUE(int, graze_point_orient2d, (NEED(0, corners[0]), NEED(1, corners[1]), NEED(2, corners[2])), result == 1)
VALUE(int, graze_point_orient3d, (NEED(0, corners[0]), NEED(1, corners[2]), NEED(2, corners[1]), NEED(3, corners[3])),
      result != 0)
VALUE(int, graze_point_orient3d_placed, (NEED(0, points(4))), result != 0)
VALUE(int, graze_point_orient2d_placed, (NEED(0, points(3)), 2), result != 0)
VALUE(int, graze_point_compare_placed, (NEED(0, point(1, INNER)), NEED(1, point(2, INNER + 2)), 0), result == 1)
VALUE(int, graze_pose_handedness, (NEED(0, &world.pose)), result == 1)
VALUE(graze_triangle_contact, graze_triangle_collide,
      (NEED(0, triangle(&world.a, INNER)), NEED(1, triangle(&world.b, INNER + 4))), result.found)
VALUE(graze_intersection, graze_triangle_intersection,
      (NEED(0, triangle(&world.a, INNER)), NEED(1, triangle(&world.b, INNER + 4))), result.count > 0)
VALUE(graze_feature, graze_point_in_triangle, (NEED(0, point(0, INNER)), NEED(1, triangle(&world.b, INNER + 2))),
      result != GRAZE_FEATURE_NONE || failure.missing == INNER + 1 || failure.missing == INNER + 5)
VALUE(bool, graze_segment_meets_triangle, (NEED(0, segment()), NEED(1, triangle(&world.b, INNER + 2))), result)
VALUE(graze_location, graze_point_in_polygon,
      (NEED(0, corners[0]), NEED(1, square), NEED(2, loop_sizes), sizeof loop_sizes / sizeof loop_sizes[0]),
      result == GRAZE_LOCATION_BOUNDARY)

VALUE(graze_pose, graze_pose_identity, (), result.m[0] == 1)
VALUE(graze_pose, graze_pose_translation, (1, 2, 3), result.m[7] == 2)
CALL(graze_pose_from_quaternion, (NEED(0, square + 2), MAY(1, corners[0]), NEED(2, &out.pose)), (void)0)
CALL(graze_pose_from_axis_angle, (NEED(0, corners[1]), 1, MAY(1, corners[0]), NEED(2, &out.pose)), (void)0)
CALL(graze_pose_from_matrix, (NEED(0, matrix), 3, MAY(1, &world.error), NEED(2, &out.pose)), (void)0)
CALL(graze_pose_check, (NEED(0, &world.pose), MAY(1, &out.index)), (void)0)
CALL(graze_pose_compose, (NEED(0, &world.pose), NEED(1, &world.pose), NEED(2, &out.pose), MAY(3, &out.bound)), (void)0)
CALL(graze_pose_invert, (NEED(0, &world.pose), NEED(1, &out.pose), MAY(2, &out.bound)), (void)0)
DOES(graze_pose_apply, (NEED(0, &world.pose), NEED(1, corners[1]), NEED(2, out.point)), out.point[0] == 1.25)

VALUE(const char *, graze_status_text, (GRAZE_STATUS_OK), result != NULL)
VALUE(const char *, graze_version_text, (), result != NULL)
VALUE(graze_context, graze_context_default, (), result.allocator.allocate != NULL)

static graze_status call_graze_memory_release(void)
{
    void *memory = MAY(1, world.memory);
    graze_memory_release(MAY(0, &failure.context), failure.missing == 0 ? NULL : memory);
    if (failure.missing == NOTHING)
        world.memory = NULL;
    return GRAZE_STATUS_OK;
}

CALL(graze_pool_create, (MAY(0, &failure.context), 1, NEED(1, &out.pool)), graze_pool_destroy(out.pool))
VALUE(graze_tasks, graze_pool_tasks, (NEED(0, world.pool)), result.run != NULL)

static graze_status call_graze_pool_destroy(void)
{
    graze_pool_destroy(MAY(0, world.pool));
    if (failure.missing == NOTHING)
        world.pool = NULL;
    return GRAZE_STATUS_OK;
}

static const failure_row rows[] = {
    ROW(graze_point_orient2d, 3, 0),
    ROW(graze_point_orient3d, 4, 0),
    ROW(graze_point_orient3d_placed, 1, 0),
    ROW(graze_point_orient2d_placed, 1, 0),
    ROW(graze_point_compare_placed, 2, 0),
    ROW(graze_pose_handedness, 1, 0),
    ROW(graze_triangle_collide, 2, 0),
    ROW(graze_triangle_intersection, 2, 0),
    ROW(graze_point_in_triangle, 2, 0),
    ROW(graze_segment_meets_triangle, 2, 0),
    ROW(graze_point_in_polygon, 3, 0),
    ROW(graze_pose_identity, 0, 0),
    ROW(graze_pose_translation, 0, 0),
    ROW(graze_pose_from_quaternion, 3, 0),
    ROW(graze_pose_from_axis_angle, 3, 0),
    ROW(graze_pose_from_matrix, 3, 0),
    ROW(graze_pose_check, 2, 0),
    ROW(graze_pose_compose, 4, 0),
    ROW(graze_pose_invert, 3, 0),
    ROW(graze_pose_apply, 3, 0),
    ROW(graze_status_text, 0, 0),
    ROW(graze_version_text, 0, 0),
    ROW(graze_context_default, 0, 0),
    ROW(graze_memory_release, 2, 0),
    ROW(graze_pool_create, 2, ALLOCATES),
    ROW(graze_pool_tasks, 1, 0),
    ROW(graze_pool_destroy, 1, 0),
};

FAILURE_TESTS(rows, out, NULL, NULL)
