/* SPDX-License-Identifier: MIT */
/* First impacts and crossings of moving triangles: against Sturm chains, against the static test at many times, and by
 * symmetry. */
#include "graze/motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/triangle_impact.h"
#include "support/moving_triangles.h"
#include "support/random.h"
#include "support/unit.h"

enum
{
    ROUNDS = 1200,
    ORACLE_ROUNDS = 200
};

static int rounds(int count)
{
    const char *more = getenv("GRAZE_TEST_ROUNDS"); /* for long runs by hand */
    return more != NULL ? atoi(more) : TEST_ROUNDS(count);
}

static void print_pair(const moving_triangles *pair, const graze_moving_contact *answer)
{
    printf("answer %d [%a, %a]\n", (int)answer->when.verdict, answer->when.lower, answer->when.upper);
    for (int side = 0; side < 2; side++)
    {
        const graze_motion *m = &pair->motions[side];
        printf(" kind %d soft %d\n", (int)m->kind, pair->soft[side]);
        for (int i = 0; i < 3; i++)
            printf("  (%a %a %a) (%a %a %a)\n", pair->corners[side][i][0], pair->corners[side][i][1],
                   pair->corners[side][i][2], pair->end_corners[side][i][0], pair->end_corners[side][i][1],
                   pair->end_corners[side][i][2]);
        printf("  start");
        for (int i = 0; i < 12; i++)
            printf(" %g", m->start.m[i]);
        printf("\n  end");
        for (int i = 0; i < 12; i++)
            printf(" %g", m->end.m[i]);
        printf("\n  q %g %g %g %g, %g %g %g %g c %g %g %g\n", m->quaternion[0][0], m->quaternion[0][1],
               m->quaternion[0][2], m->quaternion[0][3], m->quaternion[1][0], m->quaternion[1][1], m->quaternion[1][2],
               m->quaternion[1][3], m->centre[0], m->centre[1], m->centre[2]);
        for (int i = 0; i < 3; i++)
            printf("  x%d %a %a %a\n", i, m->path[i][0], m->path[i][1], m->path[i][2]);
    }
}

static graze_moving_contact impact(const moving_triangles *pair, bool swap, bool crossing)
{
    graze_moving_triangle a = moving_triangle(pair, swap), b = moving_triangle(pair, !swap);
    graze_moving_contact answer;
    memset(&answer, 0, sizeof answer);
    assert_int_equal(graze_triangle_impact(&a, &b, crossing, &answer), GRAZE_STATUS_OK);
    return answer;
}

static bool same_time(const graze_impact_interval *a, const graze_impact_interval *b)
{
    return a->verdict == b->verdict && memcmp(&a->lower, &b->lower, sizeof a->lower) == 0 &&
           memcmp(&a->upper, &b->upper, sizeof a->upper) == 0;
}

/* What the static test says at t = k/16 fits the answers. */
static bool fits(const moving_triangles *pair, const graze_moving_contact *first, const graze_moving_contact *crossing)
{
    for (int k = 0; k <= 16; k++)
    {
        double t = k / 16.0;
        graze_triangle_contact contact = moving_triangles_contact(pair, k);
        bool hit = first->when.verdict == GRAZE_IMPACT_AT, crosses = crossing->when.verdict == GRAZE_IMPACT_AT;
        bool at_impact = hit && first->when.lower >= t && first->when.upper <= t;
        if (contact.found && (!hit || first->when.lower > t))
            return false;
        if (at_impact && memcmp(&contact, &first->contact, sizeof contact) != 0)
            return false;
        if (contact.crossing && (!crosses || crossing->when.lower > t))
            return false;
        if (crosses && crossing->when.lower >= t && crossing->when.upper <= t &&
            memcmp(&contact, &crossing->contact, sizeof contact) != 0)
            return false;
    }
    return true;
}

static void impacts_fit_the_static_test_at_many_times(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1931);
    int hits = 0, crossings = 0, later = 0, at_once = 0, total = rounds(ROUNDS);
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        do
            moving_triangles_draw(&random, &pair);
        while (!pair.whole);
        graze_moving_contact first = impact(&pair, false, false), crossing = impact(&pair, false, true);
        if (!fits(&pair, &first, &crossing))
        {
            print_pair(&pair, &first);
            print_pair(&pair, &crossing);
            fail();
        }
        bool hit = first.when.verdict == GRAZE_IMPACT_AT, crosses = crossing.when.verdict == GRAZE_IMPACT_AT;
        assert_true(hit || !crosses);
        assert_true(!hit || first.contact.found);
        if (crosses)
        {
            assert_true(crossing.when.lower >= first.when.lower && crossing.crosses);
            assert_true(crossing.contact.found);
        }
        if (hit && first.crosses && first.when.lower < 1)
            assert_true(crosses && same_time(&crossing.when, &first.when));
        hits += hit;
        crossings += crosses;
        later += crosses && crossing.when.lower > first.when.lower;
        at_once += hit && !(first.when.upper > 0);
    }
    printf("  %d pairs: %d hits, %d at the start, %d crossings, %d after touching\n", total, hits, at_once, crossings,
           later);
    assert_true(hits > total / 4 && hits - at_once > total / 10 && crossings > total / 8 &&
                (later > 0 || total < 1000));
}

static void swapping_the_triangles_swaps_the_answer(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1932);
    for (int round = 0; round < rounds(ROUNDS) / 4; round++)
    {
        moving_triangles pair;
        moving_triangles_draw(&random, &pair);
        bool crossing = random_once_in(&random, 2);
        graze_moving_contact answer = impact(&pair, false, crossing), swapped = impact(&pair, true, crossing);
        assert_true(same_time(&answer.when, &swapped.when));
        assert_int_equal(answer.crosses, swapped.crosses);
        assert_int_equal(answer.contact.mask_a, swapped.contact.mask_b);
        assert_int_equal(answer.contact.mask_b, swapped.contact.mask_a);
        assert_int_equal(answer.contact.dimension, swapped.contact.dimension);
    }
}

static void first_impacts_are_those_of_sturm_chains(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1934);
    int between = 0, total = rounds(ORACLE_ROUNDS);
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        moving_triangles_draw(&random, &pair);
        graze_moving_contact answer = impact(&pair, false, false);
        if (!moving_triangles_agree(&pair, &answer.when))
        {
            print_pair(&pair, &answer);
            fail();
        }
        between += answer.when.lower < answer.when.upper;
    }
    printf("  %d pairs, %d impacts between doubles\n", total, between);
    assert_true(between > total / 25);
}

/* B turns about one of its corners, which arrives at a corner of A at t = 1, exactly, by sums that doubles round. A and
   B lie on different sides of that corner. */
static void contacts_at_the_limit_of_rounding_are_found(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1933);
    for (int round = 0; round < TEST_ROUNDS(600); round++)
    {
        moving_triangles pair;
        memset(&pair, 0, sizeof pair);
        graze_motion *a = &pair.motions[0], *b = &pair.motions[1];
        *a = (graze_motion){.kind = GRAZE_MOTION_STILL, .start = graze_pose_identity()};
        *b = (graze_motion){.kind = GRAZE_MOTION_TURN, .quaternion = {{1, 0, 0, 0}, {1, 0, 0, 0}}};
        for (int k = 0; k < 3; k++)
        {
            double x0 = random_real(&random, -1, 1), x1 = random_real(&random, -2, -1);
            b->quaternion[1][1 + k] = random_real(&random, -0.1, 0.1);
            b->path[0][k] = x0;
            b->path[1][k] = x1;
            a->start.m[4 * k + 3] = x1;
            pair.corners[0][0][k] = x0;
            b->centre[k] = pair.corners[1][0][k] = random_real(&random, -1, 1);
            for (int i = 1; i < 3; i++)
            {
                pair.corners[0][i][k] = x0 - random_real(&random, 1, 2);
                pair.corners[1][i][k] = b->centre[k] + random_real(&random, 1, 1.2);
            }
        }
        graze_moving_contact answer = impact(&pair, false, false);
        assert_int_equal(answer.when.verdict, GRAZE_IMPACT_AT);
        assert_true(answer.when.lower >= 1 && answer.when.upper <= 1);
        assert_int_equal(answer.contact.mask_a, 1);
        assert_int_equal(answer.contact.mask_b, 1);
        assert_int_equal(answer.contact.dimension, 0);
    }
}

static void turn_axes(double *x, int stride)
{
    double first = x[0];
    x[0] = x[stride];
    x[stride] = x[2 * stride];
    x[2 * stride] = first;
}

/* The same pair in a world whose axes are renamed: other polynomials, and the same time. */
static moving_triangles renamed_axes(const moving_triangles *pair)
{
    moving_triangles out = *pair;
    for (int side = 0; side < 2; side++)
    {
        graze_motion *m = &out.motions[side];
        bool turns = m->kind >= GRAZE_MOTION_TURN;
        for (int i = 0; i < 3 && turns; i++)
            turn_axes(out.corners[side][i], 1);
        for (int i = 0; i < 4 && !turns; i++) /* rows of the poses */
        {
            turn_axes(m->start.m + i, 4);
            turn_axes(m->end.m + i, 4);
        }
        for (int i = 0; i < 2; i++)
            turn_axes(m->quaternion[i] + 1, 1);
        turn_axes(m->centre, 1);
        for (int i = 0; i < 3; i++)
            turn_axes(m->path[i], 1);
    }
    return out;
}

static int order_of(const moving_triangles *p, const moving_triangles *q)
{
    graze_moving_triangle first[2] = {moving_triangle(p, 0), moving_triangle(p, 1)};
    graze_moving_triangle second[2] = {moving_triangle(q, 0), moving_triangle(q, 1)};
    int order = 7;
    const grz_impact_question within = {.until = 1};
    assert_int_equal(grz_triangle_impact_order(NULL, first, second, &within, &order), GRAZE_STATUS_OK);
    return order;
}

static void times_between_the_same_doubles_are_ordered_exactly(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1935);
    int equal = 0, same_doubles = 0;
    for (int round = 0; round < rounds(ROUNDS); round++)
    {
        moving_triangles pair, other, third;
        moving_triangles_draw(&random, &pair);
        graze_moving_contact answer = impact(&pair, false, false);
        if (!(answer.when.lower < answer.when.upper))
            continue;
        other = renamed_axes(&pair);
        graze_moving_contact renamed = impact(&other, false, false);
        assert_true(same_time(&renamed.when, &answer.when));
        assert_int_equal(order_of(&pair, &other), 0);
        equal++;
        third = pair;
        third.corners[0][random_below(&random, 3)][random_below(&random, 3)] += 0x1p-50;
        graze_moving_contact near = impact(&third, false, false);
        if (near.when.verdict != GRAZE_IMPACT_AT)
            continue;
        int order = order_of(&pair, &third);
        assert_int_equal(order_of(&third, &pair), -order);
        assert_int_equal(order_of(&third, &other), -order);
        if (same_time(&near.when, &answer.when))
            same_doubles += order != 0;
        else
            assert_int_equal(order,
                             answer.when.lower < near.when.lower || answer.when.upper < near.when.upper ? -1 : 1);
    }
    printf("  %d equal times, %d different ones between the same doubles\n", equal, same_doubles);
    assert_true(equal > rounds(ROUNDS) / 25 && same_doubles > 0);
}

/* Nothing changes where it is known that they do not meet before some time, up to their first impact itself. */
static void knowing_the_time_before_changes_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start("knowing_the_time_before_changes_nothing", 71);
    int hits = 0, total = rounds(ORACLE_ROUNDS);
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        do
            moving_triangles_draw(&random, &pair);
        while (!pair.whole);
        graze_moving_triangle a = moving_triangle(&pair, false), b = moving_triangle(&pair, true);
        grz_impact_question question = {.details = true, .until = 1};
        graze_moving_contact first, again;
        assert_int_equal(grz_triangle_impact(NULL, &a, &b, &question, &first), GRAZE_STATUS_OK);
        bool found = first.when.verdict == GRAZE_IMPACT_AT;
        hits += found;
        for (int part = 1; part <= 4; part++)
        {
            question.from = 0.25 * part * (found ? first.when.lower : 1);
            assert_int_equal(grz_triangle_impact(NULL, &a, &b, &question, &again), GRAZE_STATUS_OK);
            assert_true(same_time(&again.when, &first.when));
            assert_int_equal(again.crosses, first.crosses);
            assert_memory_equal(&again.contact, &first.contact, sizeof again.contact);
        }
    }
    printf("%d hits\n", hits);
    assert_true(hits > total / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knowing_the_time_before_changes_nothing),

        cmocka_unit_test(first_impacts_are_those_of_sturm_chains),
        cmocka_unit_test(impacts_fit_the_static_test_at_many_times),
        cmocka_unit_test(contacts_at_the_limit_of_rounding_are_found),
        cmocka_unit_test(times_between_the_same_doubles_are_ordered_exactly),
        cmocka_unit_test(swapping_the_triangles_swaps_the_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
