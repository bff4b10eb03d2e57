/* SPDX-License-Identifier: MIT */
/* The literature's methods for moving meshes against the engine: what they prove is true, what they guess is counted;
 * bounds are no wild guesses; vertices on lines are exact. */
#include "graze/motion_method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "motion/method/method.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(120)
};

typedef struct pair_of_meshes
{
    graze_mesh *meshes[2];
} pair_of_meshes;

static pair_of_meshes make(void)
{
    pair_of_meshes made;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.3, 8, 6, &made.meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1.2, 0.4, 0.5, 1, &made.meshes[1]), GRAZE_STATUS_OK);
    return made;
}

static void release(pair_of_meshes *made)
{
    graze_mesh_destroy(made->meshes[0]);
    graze_mesh_destroy(made->meshes[1]);
}

static graze_motion draw(test_random *random, double reach)
{
    static const graze_motion_kind kinds[] = {GRAZE_MOTION_STILL, GRAZE_MOTION_BLEND, GRAZE_MOTION_TURN,
                                              GRAZE_MOTION_BALLISTIC_TURN};
    graze_motion motion = {.kind = kinds[random_below(random, 4)]};
    double turn = random_once_in(random, 2) ? 0.2 : 1;
    motion.start = motion.end = graze_pose_identity();
    for (int i = 0; i < 4; i++)
    {
        motion.quaternion[0][i] = random_real(random, -1, 1);
        motion.quaternion[1][i] = motion.quaternion[0][i] + turn * random_real(random, -0.4, 0.4);
    }
    for (int k = 0; k < 3; k++)
    {
        motion.centre[k] = random_real(random, -0.3, 0.3);
        motion.path[0][k] = motion.start.m[4 * k + 3] = random_real(random, -reach, reach);
        motion.path[1][k] = random_real(random, -reach, reach);
        motion.path[2][k] = random_real(random, -reach, reach);
        motion.end.m[4 * k + 3] = motion.path[0][k] + motion.path[1][k];
        motion.end.m[4 * k + (k + 1) % 3] = turn * random_real(random, -0.4, 0.4);
    }
    return graze_motion_check(&motion) == GRAZE_STATUS_OK ? motion : draw(random, reach);
}

static void what_methods_prove_is_true(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1991);
    pair_of_meshes made = make();
    static const char *const names[2] = {"mirtich", "space-time-bounds"};
    int none = 0, proved[2] = {0, 0}, right[2] = {0, 0};
    for (int round = 0; round < ROUNDS; round++)
    {
        const graze_moving_mesh a = {made.meshes[0], NULL, NULL, draw(&random, 1)};
        const graze_moving_mesh b = {made.meshes[1], NULL, NULL, draw(&random, 2)};
        graze_impact truth;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &truth), GRAZE_STATUS_OK);
        none += truth.verdict == GRAZE_IMPACT_NONE;
        for (int i = 0; i < 2; i++)
        {
            graze_motion_method_answer answer;
            assert_int_equal(graze_motion_method_impact(NULL, names[i], &a, &b, NULL, &answer), GRAZE_STATUS_OK);
            assert_true(answer.verdict != GRAZE_IMPACT_AT && answer.counters.steps > 0);
            if (truth.verdict == GRAZE_IMPACT_AT)
            {
                assert_int_equal(answer.verdict, GRAZE_IMPACT_UNKNOWN);
                assert_true(answer.lower <= truth.upper);
            }
            proved[i] += answer.verdict == GRAZE_IMPACT_NONE;
            right[i] += answer.verdict == truth.verdict || answer.guess == truth.verdict;
        }
    }
    printf("  of %d without an impact %d, %d proved; of %d answers and guesses %d, %d right\n", none, proved[0],
           proved[1], ROUNDS, right[0], right[1]);
    assert_true(none > ROUNDS / 4 && none < ROUNDS && proved[0] > none / 2 && proved[1] > none / 4);
    assert_true(right[0] > ROUNDS - ROUNDS / 10 && right[1] > ROUNDS - ROUNDS / 5);
    release(&made);
}

/* Mirtich's bound is sharp for boxes that come straight on, and for one that falls. Others are below the real time. */
static void bounds_of_bodies_that_come_straight_are_sharp(void **state)
{
    (void)state;
    graze_mesh *cube = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 1, 1, 1, &cube), GRAZE_STATUS_OK);
    for (int gravity = 0; gravity < 3; gravity++)
        for (int swapped = 0; swapped < 2; swapped++)
        {
            graze_moving_mesh a = {cube, NULL, NULL, {.kind = GRAZE_MOTION_STILL}}, b = a;
            a.motion.start = graze_pose_identity();
            b.motion = (graze_motion){.kind = GRAZE_MOTION_BALLISTIC_TURN, .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}}};
            /* at (4, 0.1, 0.1): comes evenly; falls; or goes away first and comes back */
            b.motion.path[0][0] = 4;
            b.motion.path[0][1] = b.motion.path[0][2] = 0.1;
            b.motion.path[1][0] = gravity == 0 ? -4 : gravity == 1 ? -1 : 2;
            b.motion.path[2][0] = gravity == 0 ? 0 : gravity == 1 ? -4 : -8;
            double expected = gravity == 0   ? 0.75
                              : gravity == 1 ? (-1 + sqrt(1 + 4.0 * 4 * 3)) / 8
                                             : (2 + sqrt(4 + 4.0 * 8 * 3)) / 16;
            graze_motion_method_answer answer;
            assert_int_equal(
                graze_motion_method_impact(NULL, "mirtich", swapped ? &b : &a, swapped ? &a : &b, NULL, &answer),
                GRAZE_STATUS_OK);
            assert_int_equal(answer.verdict, GRAZE_IMPACT_UNKNOWN);
            assert_int_equal(answer.guess, GRAZE_IMPACT_AT);
            assert_true(answer.lower <= expected + 1e-15 && answer.lower > expected - 1e-4);
            assert_true(answer.counters.distances < (gravity == 0 ? 8 : 40));
            assert_int_equal(graze_motion_method_impact(NULL, "space-time-bounds", swapped ? &b : &a, swapped ? &a : &b,
                                                        NULL, &answer),
                             GRAZE_STATUS_OK);
            assert_true(answer.verdict == GRAZE_IMPACT_UNKNOWN && answer.lower <= expected && answer.lower > 0);
            assert_true(answer.guess == GRAZE_IMPACT_AT && answer.upper >= expected && answer.upper < expected + 0.02);
        }
    graze_mesh_destroy(cube);
}

/* Balls that pass one another at the edge of what their spheres allow. */
static void bounds_of_spheres_end_where_these_touch(void **state)
{
    (void)state;
    graze_mesh *ball = NULL;
    assert_int_equal(graze_mesh_create_geodesic_sphere(NULL, 1, 2, &ball), GRAZE_STATUS_OK);
    int proved = 0;
    for (int i = 0; i < 40; i++)
    {
        double shift = 1.9 + 0.01 * i; /* the surface is within the radius 1, at vertices at it */
        graze_moving_mesh a = {ball, NULL, NULL, {.kind = GRAZE_MOTION_STILL}}, b = a;
        a.motion.start = graze_pose_identity();
        b.motion.kind = GRAZE_MOTION_BLEND;
        b.motion.start = graze_pose_translation(-5, shift, 0);
        b.motion.end = graze_pose_translation(5, shift, 0);
        graze_impact truth;
        graze_motion_method_answer answer;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &truth), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_method_impact(NULL, "space-time-bounds", &a, &b, NULL, &answer), GRAZE_STATUS_OK);
        assert_true(answer.verdict == GRAZE_IMPACT_UNKNOWN || truth.verdict == GRAZE_IMPACT_NONE);
        assert_int_equal(answer.verdict, shift > 2 + 1e-9 ? GRAZE_IMPACT_NONE : GRAZE_IMPACT_UNKNOWN);
        proved += answer.verdict == GRAZE_IMPACT_NONE;
    }
    printf("  %d of 40 proved\n", proved);
    assert_true(proved > 2 && proved < 40);
    graze_mesh_destroy(ball);
}

/* ---- moving points ---- */

/* Triangles on a grid of eighths, which may share corners, be degenerate, move in their plane. */
static graze_mesh *grid_mesh(test_random *random)
{
    double vertices[18];
    static const uint32_t corners[6] = {0, 1, 2, 3, 4, 5};
    for (int i = 0; i < 18; i++)
        vertices[i] = random_between(random, -6, 6) / 8.0;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = def.corner_count = 6;
    def.corners = corners;
    graze_mesh *mesh = NULL;
    assert_int_equal(graze_mesh_create(NULL, &def, NULL, &mesh), GRAZE_STATUS_OK);
    return mesh;
}

static void moving_points_give_the_exact_answer(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1992);
    int verdicts[3] = {0, 0, 0}, at_start = 0;
    for (int round = 0; round < 3 * ROUNDS; round++)
    {
        graze_mesh *meshes[4];
        graze_moving_mesh moving[2];
        for (int i = 0; i < 4; i++)
            meshes[i] = grid_mesh(&random);
        for (int side = 0; side < 2; side++)
        {
            moving[side] = (graze_moving_mesh){meshes[side], NULL, NULL, {.kind = GRAZE_MOTION_BLEND}};
            for (int end = 0; end < 2; end++)
                *(end == 0 ? &moving[side].motion.start : &moving[side].motion.end) =
                    graze_pose_translation(random_between(&random, -9, 9) / 8.0, random_between(&random, -9, 9) / 8.0,
                                           random_between(&random, -4, 4) / 8.0);
            if (random_once_in(&random, 2))
                moving[side].end_mesh = meshes[side + 2];
            if (random_once_in(&random, 3))
                moving[side].motion.kind = GRAZE_MOTION_STILL;
        }
        graze_impact truth;
        graze_motion_method_answer answer;
        assert_int_equal(graze_pair_impact(NULL, &moving[0], &moving[1], NULL, &truth), GRAZE_STATUS_OK);
        assert_int_equal(graze_motion_method_impact(NULL, "moving-points", &moving[0], &moving[1], NULL, &answer),
                         GRAZE_STATUS_OK);
        assert_int_equal(answer.verdict, truth.verdict);
        if (truth.verdict == GRAZE_IMPACT_AT)
        {
            assert_true(answer.lower == truth.lower && answer.upper == truth.upper);
            at_start += truth.at_start;
        }
        verdicts[answer.verdict]++;
        for (int i = 0; i < 4; i++)
            graze_mesh_destroy(meshes[i]);
    }
    printf("  %d none, %d at, %d of them at the start\n", verdicts[0], verdicts[1], at_start);
    assert_true(verdicts[0] > ROUNDS / 4 && verdicts[1] - at_start > ROUNDS / 4 && at_start > ROUNDS / 20);
}

static void methods_say_what_they_do_not_take(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1993);
    pair_of_meshes made = make();
    graze_motion_method_answer answer;
    graze_moving_mesh a = {made.meshes[0], NULL, NULL, {.kind = GRAZE_MOTION_STILL}};
    graze_moving_mesh b = {made.meshes[1], NULL, NULL, {.kind = GRAZE_MOTION_BLEND}};
    a.motion.start = b.motion.end = graze_pose_identity();
    b.motion.start = graze_pose_translation(0.1, 4, 0); /* 0.1 + a corner is rounded */
    assert_int_equal(graze_motion_method_impact(NULL, "moving-points", &a, &b, NULL, &answer), GRAZE_STATUS_OK);
    assert_true(answer.verdict == GRAZE_IMPACT_UNKNOWN && answer.guess == GRAZE_IMPACT_AT);
    assert_true(answer.lower <= 0 && answer.upper >= 1);
    assert_int_equal(graze_motion_method_impact(NULL, "mirtic", &a, &b, NULL, &answer), GRAZE_STATUS_BAD_ARGUMENT);
    a.end_mesh = made.meshes[0];
    assert_int_equal(graze_motion_method_impact(NULL, "mirtich", &a, &b, NULL, &answer), GRAZE_STATUS_UNSUPPORTED);
    a.end_mesh = NULL;
    do
        a.motion = draw(&random, 1);
    while (a.motion.kind != GRAZE_MOTION_TURN);
    assert_int_equal(graze_motion_method_impact(NULL, "moving-points", &a, &b, NULL, &answer),
                     GRAZE_STATUS_UNSUPPORTED);
    a.motion.kind = GRAZE_MOTION_SCREW;
    assert_int_equal(graze_motion_method_impact(NULL, "mirtich", &a, &b, NULL, &answer), GRAZE_STATUS_UNSUPPORTED);
    assert_int_equal(graze_motion_method_count(), 3);
    for (size_t i = 0; i < graze_motion_method_count(); i++)
    {
        const graze_motion_method_info *info = graze_motion_method_at(i);
        assert_ptr_equal(graze_motion_method_find(info->name), info);
        const graze_budget little = {.box_tests = 1};
        a.motion.kind = GRAZE_MOTION_STILL;
        a.motion.start = graze_pose_identity();
        b.motion.start = graze_pose_translation(0, 4, 0);
        assert_int_equal(graze_motion_method_impact(NULL, info->name, &a, &b, &little, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.verdict, GRAZE_IMPACT_UNKNOWN);
        graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
        for (size_t allowed = 0; status != GRAZE_STATUS_OK; allowed++)
        {
            failing_allocator allocator = {.allowed = allowed};
            graze_context context = failing_allocator_context(&allocator);
            status = graze_motion_method_impact(&context, info->name, &a, &b, NULL, &answer);
            assert_true(status == GRAZE_STATUS_OK || status == GRAZE_STATUS_OUT_OF_MEMORY);
            assert_int_equal(allocator.live, 0);
        }
    }
    assert_null(graze_motion_method_at(3));
    assert_null(graze_motion_method_find("horn"));
    release(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_methods_prove_is_true),
        cmocka_unit_test(bounds_of_bodies_that_come_straight_are_sharp),
        cmocka_unit_test(bounds_of_spheres_end_where_these_touch),
        cmocka_unit_test(moving_points_give_the_exact_answer),
        cmocka_unit_test(methods_say_what_they_do_not_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
