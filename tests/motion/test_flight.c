/* SPDX-License-Identifier: MIT */
/* Free flights: poses and pieces against Euler's equations solved in long doubles with many small steps, and against
 * what is known of symmetric tops; momentum stays. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graze/generate.h"
#include "graze/motion_query.h"
#include "motion/curve_motion.h"
#include "support/failing_allocator.h"
#include "support/random.h"
#include "support/rotations.h"
#include "support/unit.h"

enum
{
    ROUNDS = TEST_ROUNDS(120),
    STEPS = 1024,
    TIMES = 16
};

static graze_flight_def draw(test_random *random)
{
    graze_flight_def def = graze_flight_def_default();
    double size = random_once_in(random, 4) ? 0 : random_real(random, 0.5, 5), push = random_once_in(random, 2) ? 0 : 4;
    for (int k = 0; k < 3; k++)
    {
        def.position[k] = random_real(random, -3, 3);
        def.velocity[k] = random_real(random, -3, 3);
        def.acceleration[k] = random_real(random, -3, 3);
        def.inertia[k] = random_real(random, 0.5, 2);
        def.angular_velocity[k] = size * random_real(random, -1, 1);
        def.torque[k] = push * random_real(random, -1, 1);
    }
    for (int k = 0; k < 4; k++)
    {
        def.orientation[k] = random_real(random, -1, 1);
        def.axes[k] = random_once_in(random, 2) ? random_real(random, -1, 1) : (k == 0);
    }
    if (random_once_in(random, 4))
        def.inertia[0] = def.inertia[1] = def.inertia[2] = 1;
    return def;
}

/* omega along the axes, and the quaternion of the axes. */
typedef struct top
{
    long double x[7];
} top;

static void multiply(const long double p[4], const long double q[4], long double out[4])
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3 + 1, j = (k + 2) % 3 + 1;
        out[k + 1] = p[0] * q[k + 1] + q[0] * p[k + 1] + p[i] * q[j] - p[j] * q[i];
    }
}

static top slope(const graze_flight_def *def, const top *s)
{
    top out;
    const long double omega[4] = {0, s->x[0], s->x[1], s->x[2]};
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out.x[k] =
            (((long double)def->inertia[i] - def->inertia[j]) * s->x[i] * s->x[j] + def->torque[k]) / def->inertia[k];
    }
    multiply(s->x + 3, omega, out.x + 3);
    for (int k = 0; k < 4; k++)
        out.x[3 + k] /= 2;
    return out;
}

static top moved(const top *s, const top *by, long double h)
{
    top out;
    for (int k = 0; k < 7; k++)
        out.x[k] = s->x[k] + h * by->x[k];
    return out;
}

/* One step of the classical method of order 4. */
static top stepped(const graze_flight_def *def, const top *s, long double h)
{
    top a = slope(def, s), at = moved(s, &a, h / 2), b = slope(def, &at), c, d, out;
    at = moved(s, &b, h / 2);
    c = slope(def, &at);
    at = moved(s, &c, h);
    d = slope(def, &at);
    for (int k = 0; k < 7; k++)
        out.x[k] = s->x[k] + h / 6 * (a.x[k] + 2 * b.x[k] + 2 * c.x[k] + d.x[k]);
    return out;
}

/* Extrapolated from two solutions, one with half the steps, so that the error is of order 5. States at i / TIMES. */
static void solve(const graze_flight_def *def, top states[TIMES + 1])
{
    top start, coarse, fine;
    long double q[4], a[4], length[2] = {0, 0};
    for (int k = 0; k < 4; k++)
    {
        length[0] += (long double)def->orientation[k] * def->orientation[k];
        length[1] += (long double)def->axes[k] * def->axes[k];
    }
    for (int k = 0; k < 4; k++)
    {
        q[k] = def->orientation[k] / sqrtl(length[0]);
        a[k] = def->axes[k] / sqrtl(length[1]);
    }
    for (int k = 0; k < 3; k++)
        start.x[k] = def->angular_velocity[k];
    multiply(q, a, start.x + 3);
    coarse = fine = states[0] = start;
    for (int i = 1; i <= STEPS; i++)
    {
        fine = stepped(def, &fine, 1.0L / STEPS);
        if (i % 2 == 0)
            coarse = stepped(def, &coarse, 2.0L / STEPS);
        for (int k = 0; k < 7 && i % (STEPS / TIMES) == 0; k++)
            states[i * TIMES / STEPS].x[k] = fine.x[k] + (fine.x[k] - coarse.x[k]) / 15;
    }
}

static void place(const graze_flight_def *def, const top *state, double t, const double centre[3], const double p[3],
                  long double out[3])
{
    long double q[4];
    const long double axes[4] = {def->axes[0], -def->axes[1], -def->axes[2], -def->axes[3]};
    multiply(state->x + 3, axes, q);
    rotate_about(q, p, centre, out);
    for (int k = 0; k < 3; k++)
        out[k] += def->position[k] + (long double)t * def->velocity[k] + 0.5L * t * t * def->acceleration[k];
}

static void poses_and_pieces_are_those_of_the_equations(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1971);
    static const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double largest = 0;
    int close = 0;
    for (int round = 0; round < ROUNDS; round++)
    {
        graze_flight_def def = draw(&random);
        graze_flight *flight = NULL;
        assert_int_equal(graze_flight_create(NULL, &def, &flight), GRAZE_STATUS_OK);
        graze_motion motion = {.kind = GRAZE_MOTION_FLIGHT, .flight = flight, .centre = {0.5, 1, -0.25}}, turn;
        top states[TIMES + 1];
        solve(&def, states);
        int k = random_between(&random, 1, 3), n = random_below(&random, 1 << k);
        double deviation, most = 0, reach = 2;
        assert_int_equal(graze_motion_enclose(&motion, (uint32_t)n, k, reach, &turn, &deviation), GRAZE_STATUS_OK);
        for (int i = 0; i <= TIMES; i++)
        {
            graze_pose pose;
            double t = (double)i / TIMES, bound, s = ldexp(t, k) - n;
            assert_int_equal(graze_motion_pose(&motion, t, &pose, &bound), GRAZE_STATUS_OK);
            largest = fmax(largest, bound);
            long double origin[3], image[3], turned[3];
            place(&def, &states[i], t, motion.centre, points[0], origin);
            for (int j = 0; j < 4; j++)
            {
                place(&def, &states[i], t, motion.centre, points[(j + 1) % 4], image);
                for (int c = 0; c < 3; c++) /* the reference is good to some 1e-13 */
                    assert_true(fabsl(pose.m[4 * c + j] - (j < 3 ? image[c] - origin[c] : image[c])) <= bound + 2e-12);
            }
            for (int axis = 0; axis < 3 && s >= 0 && s <= 1; axis++)
            {
                double p[3] = {motion.centre[0], motion.centre[1], motion.centre[2]};
                p[axis] += reach;
                place(&def, &states[i], t, motion.centre, p, image);
                place_turn(&turn, s, p, turned);
                most = fmax(most, distance_of_points(image, turned) - 2e-12);
            }
        }
        assert_true(most <= deviation);
        close += most > 0.1 * deviation;
        /* The bound of the seeds holds, and with no torque the angular momentum in the world stays. */
        for (int i = 0; i <= TIMES; i++)
        {
            long double speed = 0;
            for (int c = 0; c < 3; c++)
                speed += states[i].x[c] * states[i].x[c];
            assert_true(sqrtl(speed) <= graze_flight_speed_bound(flight) + 1e-12);
        }
        graze_flight_destroy(flight);
    }
    printf("  bounds up to %.1e; %d of %d pieces use a tenth of their deviation\n", largest, close, ROUNDS);
    assert_true(largest < 1e-8 && close > ROUNDS / 8);
}

/* Of a body with two equal moments the axis precesses about the angular momentum at L / J1, without torque. */
static void symmetric_tops_precess_as_they_should(void **state)
{
    (void)state;
    graze_flight_def def = graze_flight_def_default();
    def.inertia[0] = def.inertia[1] = 1;
    def.inertia[2] = 1.75;
    def.angular_velocity[0] = 2;
    def.angular_velocity[2] = 1;
    graze_flight *flight = NULL;
    assert_int_equal(graze_flight_create(NULL, &def, &flight), GRAZE_STATUS_OK);
    graze_motion motion = {.kind = GRAZE_MOTION_FLIGHT, .flight = flight};
    const double momentum[3] = {2, 0, 1.75}, size = sqrt(2 * 2 + 1.75 * 1.75);
    for (int i = 0; i <= 10; i++)
    {
        graze_pose pose;
        double t = i / 10.0, angle = size * t, bound, axis[3];
        assert_int_equal(graze_motion_pose(&motion, t, &pose, &bound), GRAZE_STATUS_OK);
        assert_true(bound < 1e-12);
        /* (0, 0, 1) turned about L by the angle */
        double along = momentum[2] / size;
        const double l[3] = {momentum[0] / size, 0, along};
        for (int k = 0; k < 3; k++)
            axis[k] = along * l[k] * (1 - cos(angle)) + (k == 2) * cos(angle);
        axis[1] += -l[0] * sin(angle);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(pose.m[4 * k + 2] - axis[k]) <= bound + 1e-14);
    }
    graze_flight_destroy(flight);
}

/* Errors grow, and then nothing is known: said, not guessed. The first tenth of the flight is known still. */
static void what_is_not_bounded_is_unknown(void **state)
{
    (void)state;
    graze_flight_def def = graze_flight_def_default();
    const double inertia[3] = {1, 2, 3}, omega[3] = {30, 60, 20};
    memcpy(def.inertia, inertia, sizeof inertia);
    memcpy(def.angular_velocity, omega, sizeof omega);
    graze_flight *flight = NULL;
    graze_pose pose;
    double error = 7;
    assert_int_equal(graze_flight_create(NULL, &def, &flight), GRAZE_STATUS_OK);
    graze_motion motion = {.kind = GRAZE_MOTION_FLIGHT, .flight = flight};
    assert_int_equal(graze_motion_pose(&motion, 1, &pose, &error), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_motion_pose(&motion, 0.1, &pose, &error), GRAZE_STATUS_OK);
    assert_true(error < 1e-6);
    graze_flight_destroy(flight);
    def.angular_velocity[0] = 1e9;
    assert_int_equal(graze_flight_create(NULL, &def, &flight), GRAZE_STATUS_UNSUPPORTED);
    def.inertia[1] = 0;
    assert_int_equal(graze_flight_create(NULL, &def, &flight), GRAZE_STATUS_BAD_ARGUMENT);
    def.inertia[1] = INFINITY;
    assert_int_equal(graze_flight_create(NULL, &def, &flight), GRAZE_STATUS_NOT_FINITE);
    def = graze_flight_def_default();
    def.axes[0] = 0;
    assert_int_equal(graze_flight_create(NULL, &def, &flight), GRAZE_STATUS_BAD_ARGUMENT);
    motion.flight = NULL;
    assert_int_equal(graze_motion_pose(&motion, 1, &pose, &error), GRAZE_STATUS_BAD_ARGUMENT);
    assert_true(graze_flight_speed_bound(NULL) <= 0);
}

/* A rod that is thrown over a wall hits it or does not, by how it turns. */
static void thrown_rods_hit_walls_or_pass(void **state)
{
    (void)state;
    graze_mesh *rod = NULL, *wall = NULL;
    assert_int_equal(graze_mesh_create_box(NULL, 2, 0.1, 0.1, 1, &rod), GRAZE_STATUS_OK);
    assert_int_equal(graze_mesh_create_box(NULL, 0.1, 4, 2, 1, &wall), GRAZE_STATUS_OK);
    int verdicts[3] = {0, 0, 0};
    for (int spin = 0; spin < 8; spin++)
    {
        graze_flight_def def = graze_flight_def_default();
        const double inertia[3] = {0.0017, 0.334, 0.3342};
        memcpy(def.inertia, inertia, sizeof inertia);
        def.position[0] = -3;
        def.velocity[0] = 6;
        def.velocity[2] = 6;
        def.acceleration[2] = -10;
        def.angular_velocity[1] = 0.8 * spin; /* at the top it is upright with some of them */
        def.angular_velocity[0] = 0.2;
        graze_flight *flight = NULL;
        assert_int_equal(graze_flight_create(NULL, &def, &flight), GRAZE_STATUS_OK);
        graze_moving_mesh a = {wall, NULL, NULL, {.kind = GRAZE_MOTION_STILL}}, b = {rod, NULL, NULL, {0}};
        a.motion.start = graze_pose_identity();
        b.motion = (graze_motion){.kind = GRAZE_MOTION_FLIGHT, .flight = flight};
        graze_impact impact;
        assert_int_equal(graze_pair_impact(NULL, &a, &b, NULL, &impact), GRAZE_STATUS_OK);
        verdicts[impact.verdict]++;
        if (impact.verdict == GRAZE_IMPACT_AT)
            assert_true(impact.upper - impact.lower < 1e-4);
        for (int i = 0; i <= 64; i++)
        {
            double t = i / 64.0;
            graze_placed_mesh placed[2] = {{wall, NULL, a.motion.start}, {rod, NULL, graze_pose_identity()}};
            bool found = false;
            assert_int_equal(graze_motion_pose(&b.motion, t, &placed[1].pose, NULL), GRAZE_STATUS_OK);
            assert_int_equal(graze_pair_any(NULL, &placed[0], &placed[1], NULL, &found, NULL), GRAZE_STATUS_OK);
            assert_true(!found || (impact.verdict == GRAZE_IMPACT_AT && t >= impact.lower));
        }
        graze_flight_destroy(flight);
    }
    printf("  %d pass, %d hit\n", verdicts[0], verdicts[1]);
    assert_true(verdicts[0] > 1 && verdicts[1] > 1 && verdicts[2] == 0);
    graze_mesh_destroy(rod);
    graze_mesh_destroy(wall);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    graze_flight_def def = graze_flight_def_default();
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t allowed = 0; status != GRAZE_STATUS_OK; allowed++)
    {
        failing_allocator allocator = {.allowed = allowed};
        graze_context context = failing_allocator_context(&allocator);
        graze_flight *flight = NULL;
        status = graze_flight_create(&context, &def, &flight);
        assert_true(status == GRAZE_STATUS_OK || (status == GRAZE_STATUS_OUT_OF_MEMORY && flight == NULL));
        graze_flight_destroy(flight);
        assert_int_equal(allocator.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_and_pieces_are_those_of_the_equations),
        cmocka_unit_test(symmetric_tops_precess_as_they_should),
        cmocka_unit_test(what_is_not_bounded_is_unknown),
        cmocka_unit_test(thrown_rods_hit_walls_or_pass),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
