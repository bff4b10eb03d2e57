/* SPDX-License-Identifier: MIT */
/*
 * Motions along curves: functions with known derivatives stay within the deviation of their pieces; impacts of splines
 * and functions are true, fit sampled poses, and few remain unknown; wrong bounds and functions that fail prove
 * nothing.
 */
#include "motion/curve_motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/distance.h"
#include "graze/generate.h"
#include "graze/motion_query.h"
#include "graze/tree.h"
#include "support/random.h"
#include "support/rotations.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(1500),
    IMPACTS = TEST_ROUNDS(20),
    TIMES = 40
};

/* Two rotations in a row, by angles a0 + a1 t + a2 sin(w t), about two axes; and a path that is a wave. */
typedef struct wave
{
    double axes[2][3], angle[2][3], frequency, base[3], drift[3], swing[3], path_frequency;
    double error; /* that is added, in angle and path */
    bool silent;  /* says nothing in the middle of the time */
} wave;

static long double wave_angle(const wave *w, int i, long double t)
{
    return w->angle[i][0] + w->angle[i][1] * t + w->angle[i][2] * sinl(w->frequency * t);
}

static void wave_at(const wave *w, long double t, long double q[4], long double x[3])
{
    long double a[4], b[4];
    for (int i = 0; i < 2; i++)
    {
        long double half = wave_angle(w, i, t) / 2, *out = i == 0 ? a : b;
        out[0] = cosl(half);
        for (int k = 0; k < 3; k++)
            out[k + 1] = sinl(half) * w->axes[i][k];
    }
    q[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3 + 1, j = (k + 2) % 3 + 1;
        q[k + 1] = a[0] * b[k + 1] + b[0] * a[k + 1] + a[i] * b[j] - a[j] * b[i];
        x[k] = w->base[k] + w->drift[k] * t + w->swing[k] * sinl(w->path_frequency * t);
    }
}

static bool wave_place(void *user, double t, double out_quaternion[4], double out_path[3])
{
    const wave *w = user;
    long double q[4], x[3];
    if (w->silent && t > 0.3 && t < 0.6)
        return false;
    wave_at(w, t, q, x);
    for (int k = 0; k < 4; k++) /* a rotation about z that may be as wrong as was stated */
        out_quaternion[k] = 3 * (double)(q[k] + (k == 0   ? -q[3]
                                                 : k == 1 ? -q[2]
                                                 : k == 2 ? q[1]
                                                          : q[0]) *
                                                    (long double)w->error / 2.001L);
    for (int k = 0; k < 3; k++)
        out_path[k] = (double)x[k] + (k == 0 ? w->error : 0);
    return true;
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static graze_motion_function function_of(wave *w)
{
    double speed[2], bend[2], f = w->frequency;
    for (int i = 0; i < 2; i++)
    {
        speed[i] = fabs(w->angle[i][1]) + fabs(w->angle[i][2]) * f;
        bend[i] = fabs(w->angle[i][2]) * f * f;
    }
    return (graze_motion_function){.place = wave_place,
                                   .user = w,
                                   .acceleration =
                                       length_of(w->swing) * w->path_frequency * w->path_frequency * (1 + 1e-12),
                                   .angular_speed = (speed[0] + speed[1]) * (1 + 1e-12),
                                   .angular_acceleration = (bend[0] + bend[1] + speed[0] * speed[1]) * (1 + 1e-12),
                                   .path_error = w->error + 1e-15,
                                   .turn_error = w->error + 1e-15};
}

static wave draw(test_random *random, double reach, double turns)
{
    wave w = {.frequency = random_real(random, 1, 7), .path_frequency = random_real(random, 1, 7)};
    for (int i = 0; i < 2; i++)
    {
        double length = 0;
        for (int k = 0; k < 3; k++)
            w.axes[i][k] = random_real(random, -1, 1);
        length = length_of(w.axes[i]);
        for (int k = 0; k < 3; k++)
        {
            w.axes[i][k] /= length;
            w.angle[i][k] = (k == 0 ? 3 : turns) * random_real(random, -1, 1);
        }
    }
    w.angle[1][1] *= random_once_in(random, 3) ? 0 : 1; /* about one axis only */
    w.angle[1][2] *= random_once_in(random, 3) ? 0 : 1;
    for (int k = 0; k < 3; k++)
    {
        w.base[k] = random_real(random, -reach, reach);
        w.drift[k] = random_real(random, -reach, reach);
        w.swing[k] = 0.3 * random_real(random, -reach, reach);
    }
    return w;
}

static void pieces_of_functions_stay_within_their_deviation(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1961);
    int counted = 0, close = 0, coarse = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        wave w = draw(&random, 1, 2);
        w.error = random_once_in(&random, 3) ? 1e-3 : 0;
        graze_motion_function function = function_of(&w);
        graze_motion motion = {.kind = GRAZE_MOTION_FUNCTION, .function = &function}, turn;
        int k = random_between(&random, 1, random_once_in(&random, 4) ? 24 : 8);
        uint32_t n = (uint32_t)random_below(&random, 1 << k);
        double reach = random_once_in(&random, 4) ? 0 : random_real(&random, 0.1, 10), deviation, most = 0;
        for (int i = 0; i < 3; i++)
            motion.centre[i] = random_real(&random, -1, 1);
        assert_int_equal(graze_motion_enclose(&motion, n, k, reach, &turn, &deviation), GRAZE_STATUS_OK);
        for (int i = 0; i <= TIMES; i++)
            for (int axis = 0; axis < 3; axis++)
            {
                double s = (double)i / TIMES, p[3];
                memcpy(p, motion.centre, sizeof p);
                p[axis] += reach;
                long double q[4], x[3], real[3], turned[3], t = (n + (long double)s) * ldexpl(1, -k);
                wave_at(&w, t, q, x);
                rotate_about(q, p, motion.centre, real);
                for (int j = 0; j < 3; j++)
                    real[j] += x[j];
                place_turn(&turn, s, p, turned);
                most = fmax(most, distance_of_points(real, turned) - 3e-15);
            }
        assert_true(most <= deviation);
        counted += w.error <= 0 && most > 1e-9;
        close += w.error <= 0 && most > 1e-9 && most > 0.25 * deviation;
        coarse += deviation > 1.9 * reach;
    }
    printf("  %d bent pieces, %d use a quarter of the deviation; of %d nothing is known\n", counted, close, coarse);
    assert_true(counted > ROUNDS / 3 && close > counted / 4 && coarse > ROUNDS / 20 && coarse < ROUNDS / 2);
}

/* ---- impacts ---- */

typedef struct bodies
{
    graze_mesh *meshes[2];
    graze_tree *trees[2];
} bodies;

static bodies make_bodies(void)
{
    bodies made;
    assert_int_equal(graze_mesh_create_torus(NULL, 1, 0.25, 14, 8, &made.meshes[0]), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 1.2, 0.3, 0.3, 1, &made.meshes[1]), GRAZE_STATUS_OK);
    for (int side = 0; side < 2; side++)
        assert_int_equal(graze_tree_create(NULL, made.meshes[side], NULL, NULL, &made.trees[side]), GRAZE_STATUS_OK);
    return made;
}

static void release(bodies *made)
{
    for (int side = 0; side < 2; side++)
    {
        graze_tree_destroy(made->trees[side]);
        graze_mesh_destroy(made->meshes[side]);
    }
}

static double distance_at(const bodies *made, const graze_motion motions[2], double t)
{
    graze_placed_mesh placed[2];
    graze_distance distance;
    for (int side = 0; side < 2; side++)
    {
        placed[side] = (graze_placed_mesh){made->meshes[side], made->trees[side], graze_pose_identity()};
        assert_int_equal(graze_motion_pose(&motions[side], t, &placed[side].pose, NULL), GRAZE_STATUS_OK);
    }
    assert_int_equal(graze_pair_distance(NULL, &placed[0], &placed[1], NULL, &distance), GRAZE_STATUS_OK);
    return distance.distance;
}

/* A spline that turns little about a random orientation, or a wave. */
typedef struct curve
{
    graze_motion_spline spline;
    graze_motion_function function;
    wave wave;
    graze_motion motion;
} curve;

static void make_curve(test_random *random, double reach, curve *out)
{
    out->motion = (graze_motion){.kind = GRAZE_MOTION_FUNCTION, .function = &out->function, .spline = &out->spline};
    out->wave = draw(random, reach, 1);
    out->function = function_of(&out->wave);
    for (int k = 0; k < 3; k++)
        out->motion.centre[k] = random_real(random, -0.5, 0.5);
    if (random_once_in(random, 2))
        return;
    out->motion.kind = GRAZE_MOTION_SPLINE;
    do
        for (int i = 0; i < 4; i++)
        {
            for (int k = 0; k < 4; k++)
                out->spline.quaternion[i][k] = random_real(random, -1, 1) + (i > 0 ? out->spline.quaternion[0][k] : 0);
            for (int k = 0; k < 3; k++)
                out->spline.path[i][k] = random_real(random, -reach, reach);
        }
    while (grz_spline_check(&out->spline) != GRAZE_STATUS_OK);
}

static void impacts_fit_sampled_poses(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1962);
    bodies made = make_bodies();
    int verdicts[3] = {0, 0, 0}, wide = 0, kinds = 0;
    for (int round = 0; round < IMPACTS; round++)
    {
        curve curves[2];
        make_curve(&random, 0.3, &curves[0]);
        make_curve(&random, 2.2, &curves[1]);
        graze_motion motions[2] = {curves[0].motion, curves[1].motion};
        graze_impact_options options = graze_impact_options_default();
        options.margin = random_once_in(&random, 3) ? random_real(&random, 0, 0.3) : 0;
        graze_moving_mesh a = {made.meshes[0], NULL, made.trees[0], motions[0]};
        graze_moving_mesh b = {made.meshes[1], NULL, made.trees[1], motions[1]};
        graze_impact impact;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
        bool none = impact.verdict == GRAZE_IMPACT_NONE;
        for (int i = 0; i <= TIMES; i++)
            if (none || (double)i / TIMES < impact.lower)
                assert_true(distance_at(&made, motions, (double)i / TIMES) > options.margin - 1e-12);
        if (impact.verdict == GRAZE_IMPACT_AT)
            assert_true(distance_at(&made, motions, impact.upper) < options.margin + 1e-12);
        verdicts[impact.verdict]++;
        wide += impact.verdict == GRAZE_IMPACT_AT && impact.upper - impact.lower > 1e-4;
        kinds += motions[1].kind == GRAZE_MOTION_SPLINE;
    }
    printf("  %d none, %d at, %d unknown; %d wide; %d splines\n", verdicts[0], verdicts[1], verdicts[2], wide, kinds);
    assert_true(verdicts[0] > IMPACTS / 10 && verdicts[1] > IMPACTS / 10 && kinds > IMPACTS / 8);
    assert_true(verdicts[2] <= IMPACTS / 20 && wide <= IMPACTS / 20);
    release(&made);
}

/* The bounds that were stated are all that counts: where they are loose, or the function says nothing for a while, the
   answer is unknown, and nothing is said to meet. */
static void what_functions_do_not_say_is_unknown(void **state)
{
    (void)state;
    bodies made = make_bodies();
    wave w = {.axes = {{0, 0, 1}, {1, 0, 0}}, .base = {4, 0, 0}, .drift = {0, 3, 0}, .frequency = 1};
    graze_motion_function function = function_of(&w);
    graze_moving_mesh a = {made.meshes[0], NULL, made.trees[0], {.kind = GRAZE_MOTION_STILL}}, b = a;
    a.motion.start = graze_pose_identity();
    b.motion = (graze_motion){.kind = GRAZE_MOTION_FUNCTION, .function = &function};
    graze_impact impact;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_OK);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_NONE);
    assert_true(impact.clearance_lower < 2.9);
    w.silent = true;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_OK);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_UNKNOWN);
    assert_true(impact.lower <= 0.3 && impact.lower > 0.29);
    w.silent = false;
    function.path_error = 9;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_OK);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_UNKNOWN);
    w.base[0] = 1; /* they meet at the start, but for an error that may be as large */
    assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_OK);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_UNKNOWN);
    function.path_error = 1e-9;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_OK);
    assert_true(impact.verdict == GRAZE_IMPACT_AT && impact.at_start);
    release(&made);
}

/* A and B follow one another at a distance of 1. In the piece of time in which B says nothing, A is where B was in the
   one before, which proves nothing. */
static void a_silent_function_proves_nothing(void **state)
{
    (void)state;
    static const double flat[9] = {-0.3, -0.3, 0, 0.3, -0.3, 0, 0, 0.3, 0};
    static const double upright[9] = {0, 0, -0.3, 0, 0.05, 0.3, 0, -0.05, 0.3};
    static const uint32_t corners[3] = {0, 1, 2};
    graze_mesh *meshes[2];
    for (int side = 0; side < 2; side++)
    {
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = side == 0 ? flat : upright;
        def.vertex_count = def.corner_count = 3;
        def.corners = corners;
        assert_int_equal(graze_mesh_create(NULL, &def, NULL, &meshes[side]), GRAZE_STATUS_OK);
    }
    wave w = {.axes = {{0, 0, 1}, {1, 0, 0}}, .drift = {8, 0, 0}, .frequency = 1, .silent = true};
    graze_motion_function function = function_of(&w);
    graze_moving_mesh a = {meshes[0], NULL, NULL, {.kind = GRAZE_MOTION_BLEND}}, b = {meshes[1], NULL, NULL, {0}};
    a.motion.start = graze_pose_translation(-1, 0, 0);
    a.motion.end = graze_pose_translation(7, 0, 0);
    b.motion = (graze_motion){.kind = GRAZE_MOTION_FUNCTION, .function = &function};
    graze_impact_options options = graze_impact_options_default();
    options.resolution = 0.125;
    graze_impact impact;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_UNKNOWN);
    assert_true(impact.lower <= 0.25 && impact.lower > 0.24);
    w.silent = false;
    assert_int_equal(graze_pair_impact(NULL, &a, &b, &options, &impact), GRAZE_STATUS_OK);
    assert_int_equal(impact.verdict, GRAZE_IMPACT_NONE);
    for (int side = 0; side < 2; side++)
        graze_mesh_destroy(meshes[side]);
}

static void wrong_functions_are_refused(void **state)
{
    (void)state;
    wave w = {.axes = {{0, 0, 1}, {1, 0, 0}}, .frequency = 1};
    graze_motion_function function = function_of(&w);
    graze_motion motion = {.kind = GRAZE_MOTION_FUNCTION, .function = &function};
    graze_pose pose;
    double error = 7;
    assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, &error), GRAZE_STATUS_OK);
    assert_true(error < 1e-13);
    double *const bounds[5] = {&function.acceleration, &function.angular_speed, &function.angular_acceleration,
                               &function.path_error, &function.turn_error};
    for (int i = 0; i < 5; i++)
    {
        double kept = *bounds[i];
        *bounds[i] = -1;
        assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, NULL), GRAZE_STATUS_BAD_ARGUMENT);
        *bounds[i] = NAN;
        assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, NULL), GRAZE_STATUS_NOT_FINITE);
        *bounds[i] = kept;
    }
    w.silent = true;
    assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, NULL), GRAZE_STATUS_NOT_FINITE);
    function.place = NULL;
    assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    motion.function = NULL;
    assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    motion.function = &function;
    motion.centre[1] = INFINITY;
    assert_int_equal(graze_motion_pose(&motion, 0.5, &pose, NULL), GRAZE_STATUS_NOT_FINITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_functions_stay_within_their_deviation),
        cmocka_unit_test(impacts_fit_sampled_poses),
        cmocka_unit_test(what_functions_do_not_say_is_unknown),
        cmocka_unit_test(a_silent_function_proves_nothing),
        cmocka_unit_test(wrong_functions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
