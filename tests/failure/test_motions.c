/* SPDX-License-Identifier: MIT */
/* NULLs: motions and first impacts, none of which allocates. */
#include "graze/enclosed_motion.h"
#include "support/failure.h"
#include "support/unit.h"

static const double vertex[2][3] = {{0.25, 0.25, 1}, {0.25, 0.25, -1}};
static const double face[2][3][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
static const double face_edges[2][2][3] = {{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}};

static struct
{
    graze_pose pose;
    graze_motion motion, even;
    graze_moving_triangle a, b;
} world;

static struct
{
    graze_pose pose;
    graze_motion motion;
    graze_motion_spline spline;
    double error;
    graze_impact_interval impact;
    graze_moving_contact contact;
} out;

static void set_up(void)
{
    world.pose = graze_pose_translation(0.25, 0.25, 0);
    world.motion = (graze_motion){.kind = GRAZE_MOTION_STILL, .start = world.pose};
    world.even = (graze_motion){.kind = GRAZE_MOTION_SLERP, .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}}};
}

/* The corners of the face, at rest. */
static const graze_moving_triangle *triangle(graze_moving_triangle *place, int first)
{
    place->motion = NEED(first, &world.motion);
    for (int i = 0; i < 3; i++)
        place->corners[i] = NEED(first + 1 + i, face[0][i]);
    return place;
}

static void tear_down(void)
{
}

CALL(graze_motion_check, (NEED(0, &world.motion)), (void)0)
CALL(graze_motion_still, (NEED(0, &world.pose), NEED(1, &out.motion)), (void)0)
CALL(graze_motion_between,
     (NEED(0, &world.pose), NEED(1, &world.pose), GRAZE_MOTION_TURN, NEED(2, &out.motion), MAY(3, &out.error)), (void)0)
CALL(graze_motion_pose, (NEED(0, &world.motion), 0.5, NEED(1, &out.pose), MAY(2, &out.error)), (void)0)
CALL(graze_motion_enclose, (NEED(0, &world.even), 0, 1, 1, NEED(1, &out.motion), NEED(2, &out.error)), (void)0)
CALL(graze_motion_spline_through,
     (MAY(0, &world.pose), NEED(1, &world.pose), NEED(2, &world.pose), MAY(3, &world.pose), NEED(4, &out.spline),
      MAY(5, &out.error)),
     (void)0)
CALL(graze_vertex_face_impact, (NEED(0, vertex), NEED(1, face), NEED(2, &out.impact)), (void)0)
CALL(graze_edge_edge_impact, (NEED(0, face_edges), NEED(1, face_edges), NEED(2, &out.impact)), (void)0)
CALL(graze_triangle_impact,
     (NEED(0, triangle(&world.a, INNER)), NEED(1, triangle(&world.b, INNER + 4)), false, NEED(2, &out.contact)),
     (void)0)

static const failure_row rows[] = {
    ROW(graze_motion_check, 1, 0),    ROW(graze_motion_still, 2, 0),       ROW(graze_motion_between, 4, 0),
    ROW(graze_motion_pose, 3, 0),     ROW(graze_vertex_face_impact, 3, 0), ROW(graze_edge_edge_impact, 3, 0),
    ROW(graze_triangle_impact, 3, 0), ROW(graze_motion_enclose, 3, 0),     ROW(graze_motion_spline_through, 6, 0),
};

static const failure_table table = {rows, sizeof rows / sizeof rows[0], set_up, tear_down, &out, sizeof out};

static void null_pointers_are_refused_or_mean_what_their_comment_says(void **state)
{
    (void)state;
    failure_check_nulls(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(null_pointers_are_refused_or_mean_what_their_comment_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
