/* SPDX-License-Identifier: MIT */
/* Bodies given by fields: vertices inside are found, and nothing else is proved. */
#include <math.h>

#include "graze/generate.h"
#include "graze/graze.h"
#include "support/environment.h"
#include "support/unit.h"

static unsigned asked;
static double least_radius = INFINITY;

/* A ball of radius 1. */
static double ball(void *user, const double point[3], double radius)
{
    const double *size = user;
    asked++;
    least_radius = fmin(least_radius, radius);
    double length = sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    return length - *size + radius + 1e-14 * (1 + length);
}

static graze_implicit_body make_ball(double *size)
{
    graze_implicit_body made = {.field = ball, .user = size};
    made.motion.kind = GRAZE_MOTION_STILL;
    made.motion.start = graze_pose_identity();
    return made;
}

static void vertices_inside_are_found_at_their_time(void **state)
{
    (void)state;
    double size = 1;
    graze_implicit_body body = make_ball(&size);
    graze_moving_mesh box = {.mesh = NULL};
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 0.2, 0.2, 0.2, 2, &mesh), GRAZE_STATUS_OK);
    box.mesh = mesh;
    box.motion.kind = GRAZE_MOTION_BLEND;
    for (int kind = 0; kind < 3; kind++)
    {
        /* Still, scaled by two, or mirrored: the field's frame changes, and where its body is. */
        body.motion.start.m[0] = kind == 1 ? 2 : kind == 2 ? -1 : 1;
        double reach = kind == 1 ? 2 : 1, first = -1;
        box.motion.start = graze_pose_translation(4, -0.1, -0.1);
        box.motion.end = graze_pose_translation(0.15, -0.1, -0.1);
        uint32_t deepest = 77;
        graze_motion_method_answer answer;
        for (int i = 0; i <= 64 && first < 0; i++) /* corners are at 0.1 of the middle */
        {
            double x = 4 - 3.85 * i / 64.0 - 0.1;
            first = x / reach * (x / reach) < 1 ? i / 64.0 : -1;
        }
        assert_int_equal(graze_implicit_body_impact(&body, &box, 64, NULL, &deepest, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.verdict, GRAZE_IMPACT_AT);
        assert_true(answer.lower == 0 && answer.upper == first);
        assert_true(deepest < graze_mesh_vertex_count(mesh));
        /* The deepest one is asked first: at a time of collision alone. */
        box.motion.start = box.motion.end = graze_pose_translation(4 - 3.85 * first, -0.1, -0.1);
        asked = 0;
        assert_int_equal(graze_implicit_body_impact(&body, &box, 1, NULL, &deepest, &answer), GRAZE_STATUS_OK);
        assert_true(answer.verdict == GRAZE_IMPACT_AT && answer.upper == 0);
        assert_int_equal(asked, 1);
    }
    graze_mesh_destroy(mesh);
}

/* Times are rounded to nearest, whatever the caller's environment is. */
static void times_are_the_same_in_all_environments(void **state)
{
    (void)state;
    double size = 1;
    graze_implicit_body body = make_ball(&size);
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 0.2, 0.2, 0.2, 1, &mesh), GRAZE_STATUS_OK);
    graze_moving_mesh box = {.mesh = mesh};
    box.motion.kind = GRAZE_MOTION_BLEND;
    box.motion.start = graze_pose_translation(4, 0, 0);
    box.motion.end = graze_pose_translation(0, 0, 0);
    for (uint32_t frames = 3; frames < 20; frames++)
    {
        graze_motion_method_answer first, answer;
        assert_int_equal(graze_implicit_body_impact(&body, &box, frames, NULL, NULL, &first), GRAZE_STATUS_OK);
        assert_int_equal(first.verdict, GRAZE_IMPACT_AT);
        for (int number = 0; number < ENVIRONMENTS; number++)
        {
            saved_environment saved;
            environment_enter(&saved, number);
            graze_status status = graze_implicit_body_impact(&body, &box, frames, NULL, NULL, &answer);
            environment_leave(&saved);
            assert_int_equal(status, GRAZE_STATUS_OK);
            assert_true(answer.verdict == first.verdict && answer.upper == first.upper);
        }
    }
    graze_mesh_destroy(mesh);
}

/* Touching, apart, and crossing without a vertex inside: unknown. */
static void what_is_not_inside_is_unknown(void **state)
{
    (void)state;
    double size = 1;
    graze_implicit_body body = make_ball(&size);
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 4, 4, 0.5, 1, &mesh), GRAZE_STATUS_OK);
    graze_moving_mesh box = {.mesh = mesh};
    const double heights[3] = {9, 1.25, 0};
    for (int i = 0; i < 3; i++)
    {
        graze_motion_method_answer answer;
        box.motion.kind = GRAZE_MOTION_STILL;
        box.motion.start = graze_pose_translation(0, 0, heights[i]);
        assert_int_equal(graze_implicit_body_impact(&body, &box, 4, NULL, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.verdict, GRAZE_IMPACT_UNKNOWN);
        assert_true(answer.guess == GRAZE_IMPACT_NONE && answer.lower == 0 && answer.upper == 1);
        assert_int_equal(answer.counters.frames, 5);
        assert_int_equal(answer.counters.features, 5 * graze_mesh_vertex_count(mesh));
    }
    /* The ball that is asked about holds the roundings of three coordinates of a few units. */
    assert_true(least_radius > 0x1p-52 && least_radius < 1e-12);
    graze_mesh_destroy(mesh);
}

static void mistakes_budgets_and_singular_poses_are_told(void **state)
{
    (void)state;
    double size = 1;
    graze_implicit_body body = make_ball(&size), wrong = body;
    graze_mesh *mesh = NULL;
    graze_motion_method_answer answer;
    assert_int_equal(graze_mesh_create_box(NULL, 0.2, 0.2, 0.2, 2, &mesh), GRAZE_STATUS_OK);
    graze_moving_mesh box = {.mesh = mesh}, soft = {.mesh = mesh, .end_mesh = mesh};
    box.motion = soft.motion = body.motion;
    wrong.field = NULL;
    assert_int_equal(graze_implicit_body_impact(&wrong, &box, 4, NULL, NULL, &answer), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_implicit_body_impact(&body, &box, 0, NULL, NULL, &answer), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_implicit_body_impact(&body, &soft, 4, NULL, NULL, &answer), GRAZE_STATUS_UNSUPPORTED);
    wrong = body;
    wrong.motion.start.m[3] = NAN;
    assert_int_equal(graze_implicit_body_impact(&wrong, &box, 4, NULL, NULL, &answer), GRAZE_STATUS_NOT_FINITE);
    wrong = body; /* flattened: no point has one place in its frame */
    wrong.motion.start.m[10] = 0;
    assert_int_equal(graze_implicit_body_impact(&wrong, &box, 4, NULL, NULL, &answer), GRAZE_STATUS_OK);
    assert_int_equal(answer.verdict, GRAZE_IMPACT_UNKNOWN);
    const graze_budget past = {.seconds = 1e-9};
    size = 1e-3;
    assert_int_equal(graze_implicit_body_impact(&body, &box, 100000, &past, NULL, &answer), GRAZE_STATUS_OK);
    assert_true(answer.verdict == GRAZE_IMPACT_UNKNOWN && answer.guess == GRAZE_IMPACT_UNKNOWN);
    assert_true(answer.counters.frames < 100000);
    graze_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_inside_are_found_at_their_time),
        cmocka_unit_test(times_are_the_same_in_all_environments),
        cmocka_unit_test(what_is_not_inside_is_unknown),
        cmocka_unit_test(mistakes_budgets_and_singular_poses_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
