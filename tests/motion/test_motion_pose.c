/* SPDX-License-Identifier: MIT */
/*
 * Errors of poses are bounded for rotations and translations each, so that answers about enclosed motions do not depend
 * on the unit of length, nor on the product of a body's coordinates and its place.
 */
#include "motion/motion_pose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/motion_method.h"
#include "graze/motion_query.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(24)
};

static graze_motion random_motion(test_random *random, graze_motion_kind kind)
{
    graze_motion motion = {.kind = kind};
    double inner = 0;
    for (int i = 0; i < 8; i++)
        motion.quaternion[i / 4][i % 4] = random_real(random, -1, 1);
    for (int i = 0; i < 4; i++)
        inner += motion.quaternion[0][i] * motion.quaternion[1][i];
    for (int i = 0; i < 4 && inner < 0; i++)
        motion.quaternion[1][i] = -motion.quaternion[1][i];
    for (int k = 0; k < 3; k++)
    {
        motion.centre[k] = random_real(random, -0.5, 0.5);
        motion.path[0][k] = random_real(random, -1.8, 1.8);
        motion.path[1][k] = random_real(random, -1.8, 1.8);
    }
    return motion;
}

static graze_motion scaled(graze_motion motion, double scale)
{
    for (int k = 0; k < 3; k++)
    {
        motion.centre[k] *= scale;
        motion.path[0][k] *= scale;
        motion.path[1][k] *= scale;
    }
    return motion;
}

static void rotations_are_as_good_far_away(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 5);
    static const graze_motion_kind kinds[] = {GRAZE_MOTION_TURN, GRAZE_MOTION_SCREW, GRAZE_MOTION_SLERP};
    for (int round = 0; round < ROUNDS; round++)
    {
        const graze_motion near = random_motion(&random, kinds[round % 3]), far = scaled(near, 0x1p40);
        double t = random_unit(&random), both;
        graze_pose poses[2], pose;
        grz_pose_error errors[2];
        assert_int_equal(grz_motion_pose(&near, t, &poses[0], &errors[0]), GRAZE_STATUS_OK);
        assert_int_equal(grz_motion_pose(&far, t, &poses[1], &errors[1]), GRAZE_STATUS_OK);
        assert_true(errors[0].linear > 0 && errors[0].linear < 1e-11 && errors[0].translation < 1e-11);
        assert_true(errors[1].linear <= errors[0].linear * (1 + 1e-9));
        assert_true(errors[1].translation <= 0x1p40 * errors[0].translation * (1 + 1e-9));
        for (int k = 0; k < 12; k++)
            assert_true(poses[1].m[k] == poses[0].m[k] * (k % 4 == 3 ? 0x1p40 : 1));
        assert_int_equal(graze_motion_pose(&far, t, &pose, &both), GRAZE_STATUS_OK);
        assert_true(both == fmax(errors[1].linear, errors[1].translation));
    }
}

static graze_impact ask(const graze_mesh *a, const graze_mesh *b, const graze_motion motions[2], double margin)
{
    graze_moving_mesh sides[2] = {{.mesh = a, .motion = motions[0]}, {.mesh = b, .motion = motions[1]}};
    graze_impact_options options = graze_impact_options_default();
    graze_impact impact;
    options.margin = margin;
    options.resolution = 0x1p-12;
    assert_int_equal(graze_pair_impact(NULL, &sides[0], &sides[1], &options, &impact), GRAZE_STATUS_OK);
    return impact;
}

static void answers_do_not_depend_on_the_unit_of_length(void **state)
{
    (void)state;
    static const int exponents[] = {0, -200, -60, 60, 200};
    static const graze_motion_kind kinds[] = {GRAZE_MOTION_SCREW, GRAZE_MOTION_SLERP, GRAZE_MOTION_TWIST};
    test_random random = test_random_start(__func__, 8);
    int verdicts[3] = {0};
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_impact first = {0};
        graze_motion motions[2] = {random_motion(&random, kinds[round % 3]),
                                   random_motion(&random, kinds[round / 3 % 3])};
        double margin = round % 2 == 0 ? 0.125 : 0;
        for (int i = 0; i < 5; i++)
        {
            double scale = ldexp(1, exponents[i]);
            const graze_motion now[2] = {scaled(motions[0], scale), scaled(motions[1], scale)};
            graze_mesh *meshes[2];
            assert_int_equal(graze_mesh_create_torus(NULL, scale, 0.25 * scale, 10, 6, &meshes[0]), GRAZE_STATUS_OK);
            assert_int_equal(graze_mesh_create_box(NULL, 1.2 * scale, 0.3 * scale, 0.3 * scale, 1, &meshes[1]),
                             GRAZE_STATUS_OK);
            graze_impact impact = ask(meshes[0], meshes[1], now, margin * scale);
            first = i == 0 ? impact : first;
            assert_int_equal(impact.verdict, first.verdict);
            assert_true(fabs(impact.lower - first.lower) < 0x1p-10);
            assert_true(fabs(impact.upper - first.upper) < 0x1p-10);
            for (int side = 0; side < 2; side++)
                graze_mesh_destroy(meshes[side]);
        }
        verdicts[first.verdict]++;
    }
    printf("%d none, %d at, %d unknown\n", verdicts[0], verdicts[1], verdicts[2]);
    assert_true(verdicts[0] > ROUNDS / 10 && verdicts[1] > ROUNDS / 10);
}

/* A box whose vertices are about 10^7 away from its origin turns about its middle, 10^7 away from that of the world,
   close over a plate that stands there. */
static void products_of_coordinates_and_places_do_not_count(void **state)
{
    (void)state;
    const double far = 1e7, gap = 1e-4;
    graze_mesh *box, *plate;
    assert_int_equal(graze_mesh_create_box(NULL, 1, 2, 1, 1, &box), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 9, 9, 1, 1, &plate), GRAZE_STATUS_OK);
    double vertices[64][3];
    size_t count = graze_mesh_vertex_count(box);
    assert_true(count <= 64);
    memcpy(vertices, graze_mesh_vertices(box), count * sizeof vertices[0]);
    for (size_t i = 0; i < count; i++)
        vertices[i][0] += far;
    assert_int_equal(graze_mesh_move_vertices(box, vertices, 0, GRAZE_SCALAR_DOUBLE, NULL), GRAZE_STATUS_OK);
    for (int i = 0; i < 2; i++)
    {
        graze_motion motions[2] = {{.kind = GRAZE_MOTION_SCREW, .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 1}}},
                                   {.kind = GRAZE_MOTION_STILL, .start = graze_pose_translation(far, far, 0)}};
        motions[0].centre[0] = motions[0].path[0][0] = motions[0].path[0][1] = far;
        motions[0].path[0][2] = i == 0 ? 1 + gap : 1 - gap;
        graze_impact impact = ask(box, plate, motions, 0);
        assert_int_equal(impact.verdict, i == 0 ? GRAZE_IMPACT_NONE : GRAZE_IMPACT_AT);
    }
    graze_mesh_destroy(plate);
    graze_mesh_destroy(box);
}

static double ball(void *user, const double point[3], double radius)
{
    double unit = *(const double *)user;
    return hypot(hypot(point[0], point[1]), point[2]) + radius - unit;
}

/* A box comes to a ball given by a field, both at 2^40 of their size. */
static void fields_are_met_in_every_unit(void **state)
{
    (void)state;
    for (int i = -2; i <= 2; i++)
    {
        double unit = ldexp(1, 150 * i), far = 0x1p40 * unit;
        graze_mesh *box;
        assert_int_equal(graze_mesh_create_box(NULL, unit, unit, unit, 1, &box), GRAZE_STATUS_OK);
        graze_implicit_body field = {.field = ball, .user = &unit};
        graze_moving_mesh moving = {.mesh = box};
        field.motion = (graze_motion){.kind = GRAZE_MOTION_TURN, .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 1}}};
        moving.motion = (graze_motion){.kind = GRAZE_MOTION_TURN, .quaternion = {{1, 0, 0, 0}, {1, 0.5, 0, 0}}};
        field.motion.path[0][0] = moving.motion.path[0][0] = far;
        moving.motion.path[0][1] = 4 * unit;
        moving.motion.path[1][1] = -4 * unit;
        graze_motion_method_answer answer;
        assert_int_equal(graze_implicit_body_impact(&field, &moving, 64, NULL, NULL, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.verdict, GRAZE_IMPACT_AT);
        assert_true(answer.upper > 0.5 && answer.upper < 0.8);
        graze_mesh_destroy(box);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_as_good_far_away),
        cmocka_unit_test(answers_do_not_depend_on_the_unit_of_length),
        cmocka_unit_test(products_of_coordinates_and_places_do_not_count),
        cmocka_unit_test(fields_are_met_in_every_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
