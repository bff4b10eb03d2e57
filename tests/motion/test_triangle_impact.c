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

static int stored_orders; /* that order_of compared with */

static int order_of(const moving_triangles *p, const moving_triangles *q)
{
    graze_moving_triangle first[2] = {moving_triangle(p, 0), moving_triangle(p, 1)};
    graze_moving_triangle second[2] = {moving_triangle(q, 0), moving_triangle(q, 1)};
    int order = 7;
    const grz_impact_question within = {.until = 1};
    assert_int_equal(grz_triangle_impact_order(NULL, first, second, &within, &order), GRAZE_STATUS_OK);
    grz_stored_root roots[2];
    for (int i = 0; i < 2; i++)
    {
        const graze_moving_triangle *triangles = i == 0 ? first : second;
        const grz_impact_question question = {.until = 1, .out_root = &roots[i]};
        graze_moving_contact ignored;
        assert_int_equal(grz_triangle_impact(NULL, &triangles[0], &triangles[1], &question, &ignored), GRAZE_STATUS_OK);
    }
    if (roots[0].usable && roots[1].usable)
    {
        int stored = 7;
        assert_int_equal(grz_stored_root_compare(NULL, &roots[0], &roots[1], &stored), GRAZE_STATUS_OK);
        assert_int_equal(stored, order);
        stored_orders++;
    }
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
    assert_true(equal > rounds(ROUNDS) / 25 && same_doubles > 0 && stored_orders > equal);
}

/* B comes down to the plane of A and leaves it again: at t = 1/3 one corner of it is in A, at 2/3 none. All volumes are
   the same polynomial but for a factor, and the first one that is tried has the impact at neither root. */
static graze_moving_contact dip(double scale)
{
    moving_triangles pair;
    memset(&pair, 0, sizeof pair);
    static const double corners[2][3][2] = {{{-1, -1}, {3, -1}, {-1, 3}}, {{-5, 0}, {-5, 1}, {0, 0}}};
    for (int i = 0; i < 12; i++)
        pair.corners[i / 6][i % 6 / 2][i % 2] = scale * corners[i / 6][i % 6 / 2][i % 2];
    for (int side = 0; side < 2; side++)
    {
        graze_motion *m = &pair.motions[side];
        m->kind = side == 0 ? GRAZE_MOTION_STILL : GRAZE_MOTION_BALLISTIC_TURN;
        m->start = graze_pose_identity();
        m->quaternion[0][0] = m->quaternion[1][0] = 1;
        static const double path[3][3] = {{-10, 0, 2}, {30, 0, -9}, {0, 0, 9}}; /* z = (3 t - 1) (3 t - 2) */
        for (int i = 0; i < 9; i++)
            m->path[i / 3][i % 3] = scale * path[i / 3][i % 3];
    }
    return impact(&pair, false, false);
}

static void a_root_before_the_known_one_is_not_divided_out(void **state)
{
    (void)state;
    graze_moving_contact usual = dip(1), large = dip(0x1p220); /* all roots at once: no doubles say where to look */
    assert_int_equal(usual.when.verdict, GRAZE_IMPACT_AT);
    assert_true(usual.when.lower < 1.0 / 3 + 1e-9 && usual.when.upper > 1.0 / 3 - 1e-9);
    assert_true(same_time(&usual.when, &large.when));
    assert_memory_equal(&usual.contact, &large.contact, sizeof usual.contact);
}

/* Triangles that only move, one of them often with a turn that does turn: as turns with equal quaternions, as turns
   whose quaternions differ in length only, as blends, and as soft triangles. The edge of it: quaternions that differ by
   a bit in one entry, which turn. */
static void what_only_moves_is_the_same_in_every_kind_of_motion(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 73);
    int hits = 0, between = 0, bent = 0, total = rounds(ROUNDS) / 4;
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        moving_triangles_draw(&random, &pair);
        if (pair.soft[0] || pair.motions[0].kind < GRAZE_MOTION_TURN)
            continue;
        graze_motion *m = &pair.motions[0];
        m->kind = GRAZE_MOTION_TURN;
        memset(m->centre, 0, sizeof m->centre);
        memset(m->quaternion, 0, sizeof m->quaternion);
        m->quaternion[0][0] = m->quaternion[1][0] = 1;
        graze_moving_contact first = impact(&pair, false, false), other;
        if (!moving_triangles_agree(&pair, &first.when))
        {
            print_pair(&pair, &first);
            fail();
        }
        hits += first.when.verdict == GRAZE_IMPACT_AT;
        between += first.when.lower < first.when.upper;
        for (int kind = 0; kind < 4; kind++)
        {
            moving_triangles same = pair;
            m = &same.motions[0];
            m->quaternion[1][0] = kind == 0 ? 2 : 1;
            if (kind > 0)
            {
                m->kind = kind == 3 ? GRAZE_MOTION_STILL : GRAZE_MOTION_BLEND;
                m->start = m->end = graze_pose_identity();
                for (int k = 0; k < 3 && kind != 2; k++)
                {
                    m->start.m[4 * k + 3] = kind == 3 ? 0 : m->path[0][k];
                    m->end.m[4 * k + 3] = m->path[0][k] + m->path[1][k];
                }
                same.soft[0] = kind > 1;
                for (int i = 0; i < 9 && kind > 1; i++)
                {
                    double p = same.corners[0][i / 3][i % 3];
                    same.corners[0][i / 3][i % 3] = p + m->path[0][i % 3];
                    same.end_corners[0][i / 3][i % 3] = p + m->path[0][i % 3] + m->path[1][i % 3];
                }
            }
            if (kind > 0 && !same.whole) /* sums are rounded */
                continue;
            other = impact(&same, false, false);
            assert_true(same_time(&other.when, &first.when));
            assert_int_equal(other.crosses, first.crosses);
            assert_memory_equal(&other.contact, &first.contact, sizeof other.contact);
        }
        pair.motions[0].quaternion[1][random_below(&random, 4)] += 0x1p-40;
        other = impact(&pair, false, false);
        assert_true(moving_triangles_agree(&pair, &other.when));
        bent += !same_time(&other.when, &first.when);
    }
    printf("  %d hits, %d between doubles, %d others when turned\n", hits, between, bent);
    assert_true(hits > total / 10 && between > total / 40 && bent > total / 40);
}

/* Nothing changes where a time is said to be likely: that of the pair itself, or of the one before. */
static void likely_times_change_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 72);
    grz_stored_root last = {.usable = false};
    int hits = 0, total = rounds(ROUNDS);
    for (int round = 0; round < total; round++)
    {
        moving_triangles pair;
        moving_triangles_draw(&random, &pair);
        graze_moving_triangle a = moving_triangle(&pair, false), b = moving_triangle(&pair, true);
        grz_stored_root own = {.degree = 0}, again_own;
        grz_impact_question question = {.details = true, .until = 1, .out_root = &own};
        graze_moving_contact first, again;
        assert_int_equal(grz_triangle_impact(NULL, &a, &b, &question, &first), GRAZE_STATUS_OK);
        assert_true(own.usable == (first.when.verdict == GRAZE_IMPACT_AT && first.when.upper > 0) || own.degree > 4);
        question.out_root = &again_own;
        for (int i = 0; i < 2; i++)
        {
            question.likely = i == 0 ? &own : &last;
            assert_int_equal(grz_triangle_impact(NULL, &a, &b, &question, &again), GRAZE_STATUS_OK);
            assert_true(same_time(&again.when, &first.when));
            assert_int_equal(again.crosses, first.crosses);
            assert_memory_equal(&again.contact, &first.contact, sizeof again.contact);
            int order = 7;
            if (own.usable && again_own.usable)
            {
                assert_int_equal(grz_stored_root_compare(NULL, &again_own, &own, &order), GRAZE_STATUS_OK);
                assert_int_equal(order, 0);
            }
        }
        hits += own.usable;
        if (own.usable)
            last = own;
    }
    printf("  %d hits\n", hits);
    assert_true(hits > total / 20);
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

/* Faces of one plane at x = 2^-200, as one slides over the other. Their places are rounded to x that differ by 2^-251,
   and the normal of the first one has a length of 2^-838: its inner products with their corners are denormals that
   rounding sets apart, where the error bound underflows to 0. */
static void underflow_separates_nothing(void **state)
{
    (void)state;
    const double x[2] = {0x1p-200, -0x1.8p-199 - 0x1p-251}, y = (0x1p52 + 11 * 65536.0 + 32768) * 0x1p-470;
    const double z = 0x1p-420;
    double corners[2][3][3];
    graze_motion motions[2] = {{.kind = GRAZE_MOTION_STILL}, {.kind = GRAZE_MOTION_BLEND}};
    motions[0].start = motions[0].end = graze_pose_translation(-0x1p-251, 0, 0);
    motions[1].start = graze_pose_translation(0x1p-198, 4 * y, 0);
    motions[1].end = graze_pose_translation(0x1p-198, -4 * y, 0);
    graze_moving_triangle sides[2] = {{.motion = &motions[0]}, {.motion = &motions[1]}};
    for (int i = 0; i < 6; i++)
    {
        double *corner = corners[i / 3][i % 3];
        corner[0] = x[i / 3];
        corner[1] = i % 3 == 1 ? y : 0;
        corner[2] = i % 3 == 2 ? z : 0;
        sides[i / 3].corners[i % 3] = corner;
    }
    for (int first = 0; first < 2; first++)
    {
        graze_moving_contact contact;
        assert_int_equal(graze_triangle_impact(&sides[first], &sides[1 - first], false, &contact), GRAZE_STATUS_OK);
        assert_int_equal(contact.when.verdict, GRAZE_IMPACT_AT);
        assert_true(contact.when.lower == 0.375 && contact.when.upper == 0.375);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knowing_the_time_before_changes_nothing),
        cmocka_unit_test(what_only_moves_is_the_same_in_every_kind_of_motion),
        cmocka_unit_test(likely_times_change_nothing),
        cmocka_unit_test(a_root_before_the_known_one_is_not_divided_out),
        cmocka_unit_test(first_impacts_are_those_of_sturm_chains),
        cmocka_unit_test(impacts_fit_the_static_test_at_many_times),
        cmocka_unit_test(contacts_at_the_limit_of_rounding_are_found),
        cmocka_unit_test(underflow_separates_nothing),
        cmocka_unit_test(times_between_the_same_doubles_are_ordered_exactly),
        cmocka_unit_test(swapping_the_triangles_swaps_the_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
