/* SPDX-License-Identifier: MIT */
/* First impacts of curved surfaces: at known times, within bounds; inside of patches and at their edges. */
#include <math.h>
#include <string.h>

#include "graze/motion_method.h"
#include "motion/method/curved_surface.h"
#include "support/failing_allocator.h"
#include "support/moving_surfaces.h"
#include "support/unit.h"

static void known_times_are_found(void **state)
{
    (void)state;
    graze_moving_surface ball = moving_surface_make(GRAZE_CURVED_SPHERE, 1, 0, 0),
                         other = moving_surface_make(GRAZE_CURVED_SPHERE, 0.5, 0, 0);
    moving_surface_shift(&other, 4, 0, 0, -4, 0, 0);
    moving_surface_expect(&ball, &other, (4 - 1.5) / 4);
    graze_moving_surface egg = moving_surface_make(GRAZE_CURVED_ELLIPSOID, 1, 2, 3);
    moving_surface_shift(&other, 0, 0, 8, 0, 0, -8);
    moving_surface_expect(&egg, &other, (8 - 3.5) / 8);
}

static const double flat[4][3] = {{-1, -1, 0}, {-1, 1, 0}, {1, -1, 0}, {1, 1, 0}};

static graze_moving_surface make_patch(const double (*points)[3], uint32_t degree)
{
    graze_moving_surface made = moving_surface_make(GRAZE_CURVED_BEZIER, 0, 0, 0);
    made.surface.points = points;
    made.surface.degree_u = made.surface.degree_v = degree;
    return made;
}

/* Over the middle of a patch, and over an edge, where nothing is tangent. */
static void patches_are_met_inside_and_at_their_edges(void **state)
{
    (void)state;
    graze_moving_surface patch = make_patch(flat, 1);
    graze_moving_surface ball = moving_surface_make(GRAZE_CURVED_SPHERE, 0.5, 0, 0);
    moving_surface_shift(&ball, 0.3, 0.2, 2, 0, 0, -2);
    moving_surface_expect(&patch, &ball, 0.75);
    moving_surface_shift(&ball, 1.3, 0.1, 2, 0, 0, -2);
    graze_motion_method_answer answer;
    const graze_budget budget = {.box_tests = 3000};
    assert_int_equal(graze_curved_surface_impact(NULL, &patch, &ball, 0, &budget, &answer), GRAZE_STATUS_OK);
    double time = (2 - 0.4) / 2;
    print_message("edge: [%g, %g], %llu boxes\n", answer.lower, answer.upper,
                  (unsigned long long)answer.counters.steps);
    assert_int_equal(answer.verdict, GRAZE_IMPACT_AT);
    assert_true(answer.lower <= time && answer.upper >= time && answer.upper - answer.lower < 1e-3);
    moving_surface_shift(&ball, 1.6, 0.1, 2, 0, 0, -2);
    assert_int_equal(moving_surface_ask(&patch, &ball).verdict, GRAZE_IMPACT_NONE);
}

static void surfaces_that_cross_at_the_start_meet_at_0(void **state)
{
    (void)state;
    graze_moving_surface ball = moving_surface_make(GRAZE_CURVED_SPHERE, 1, 0, 0),
                         other = moving_surface_make(GRAZE_CURVED_SPHERE, 1, 0, 0);
    moving_surface_shift(&other, 1.2, 0.3, 0.1, 3, 0, 0);
    graze_motion_method_answer answer = moving_surface_ask(&ball, &other);
    assert_int_equal(answer.verdict, GRAZE_IMPACT_AT);
    assert_true(answer.lower == 0 && answer.upper == 0);
    moving_surface_shift(&other, 2, 0, 0, 3, 0, 0); /* touching: nothing proves it, and nothing denies it */
    graze_budget budget = {.box_tests = 500};
    assert_int_equal(graze_curved_surface_impact(NULL, &ball, &other, 0, &budget, &answer), GRAZE_STATUS_OK);
    assert_int_equal(answer.verdict, GRAZE_IMPACT_UNKNOWN);
    assert_true(answer.lower == 0 && answer.guess == GRAZE_IMPACT_UNKNOWN);
    other.surface.sizes[0] = 0.25; /* within the ball, and stays there: surfaces */
    moving_surface_shift(&other, 0.1, 0, 0, 0.2, 0, 0);
    assert_int_equal(moving_surface_ask(&ball, &other).verdict, GRAZE_IMPACT_NONE);
}

static bool never(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void budgets_memory_and_mistakes_are_told(void **state)
{
    (void)state;
    graze_moving_surface ball = moving_surface_make(GRAZE_CURVED_SPHERE, 1, 0, 0),
                         other = moving_surface_make(GRAZE_CURVED_SPHERE, 0.5, 0, 0);
    graze_moving_surface wrong;
    graze_motion_method_answer answer;
    moving_surface_shift(&other, 4, 0, 0, -4, 0, 0);
    for (uint64_t boxes = 1; boxes < 300; boxes = 4 * boxes)
    {
        const graze_budget budget = {.box_tests = boxes};
        assert_int_equal(graze_curved_surface_impact(NULL, &ball, &other, 0, &budget, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.verdict, GRAZE_IMPACT_UNKNOWN);
        assert_true(answer.lower <= 0.625 && answer.upper == 1 && answer.counters.steps <= boxes);
    }
    const graze_budget cancelled = {.progress = never};
    assert_int_equal(graze_curved_surface_impact(NULL, &ball, &other, 0, &cancelled, &answer), GRAZE_STATUS_CANCELLED);
    failing_allocator allocator = {.allowed = 0};
    graze_context context = failing_allocator_context(&allocator);
    assert_int_equal(graze_curved_surface_impact(&context, &ball, &other, 0, NULL, &answer),
                     GRAZE_STATUS_OUT_OF_MEMORY);
    const double sizes[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
    {
        wrong = ball;
        wrong.surface.sizes[0] = sizes[i];
        assert_int_equal(graze_curved_surface_impact(NULL, &wrong, &other, 0, NULL, &answer),
                         i < 2 ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_NOT_FINITE);
        assert_int_equal(graze_curved_surface_impact(NULL, &other, &wrong, 0, NULL, &answer),
                         i < 2 ? GRAZE_STATUS_BAD_ARGUMENT : GRAZE_STATUS_NOT_FINITE);
    }
    wrong = ball;
    wrong.motion.kind = GRAZE_MOTION_SLERP;
    assert_int_equal(graze_curved_surface_impact(NULL, &wrong, &other, 0, NULL, &answer), GRAZE_STATUS_UNSUPPORTED);
    wrong = ball;
    wrong.surface.kind = (graze_curved_kind)9;
    assert_int_equal(graze_curved_surface_impact(NULL, &wrong, &other, 0, NULL, &answer), GRAZE_STATUS_BAD_ARGUMENT);
    wrong = make_patch(flat, GRZ_CURVED_MOST_DEGREE + 1);
    assert_int_equal(graze_curved_surface_impact(NULL, &wrong, &other, 0, NULL, &answer), GRAZE_STATUS_BAD_ARGUMENT);
    wrong = make_patch(NULL, 1);
    assert_int_equal(graze_curved_surface_impact(NULL, &wrong, &other, 0, NULL, &answer), GRAZE_STATUS_BAD_ARGUMENT);
    const double infinite[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, INFINITY}};
    wrong = make_patch(infinite, 1);
    assert_int_equal(graze_curved_surface_impact(NULL, &wrong, &other, 0, NULL, &answer), GRAZE_STATUS_NOT_FINITE);
    assert_int_equal(graze_curved_surface_impact(NULL, &ball, &other, -1, NULL, &answer), GRAZE_STATUS_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_times_are_found),
        cmocka_unit_test(patches_are_met_inside_and_at_their_edges),
        cmocka_unit_test(surfaces_that_cross_at_the_start_meet_at_0),
        cmocka_unit_test(budgets_memory_and_mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
