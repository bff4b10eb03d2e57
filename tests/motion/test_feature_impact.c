/* SPDX-License-Identifier: MIT */
/* First impacts of vertex and face, and of two edges, against an oracle in integers, on pairs that are mostly
 * degenerate; and known cases. */
#include "graze/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/environment.h"
#include "support/moving_features.h"
#include "support/unit.h"

enum
{
    ROUNDS = 1500,
    LIMIT_ROUNDS = 8000
};

static int rounds(int count)
{
    const char *more = getenv("GRAZE_TEST_ROUNDS"); /* for long runs by hand */
    return more != NULL ? atoi(more) : TEST_ROUNDS(count);
}

static void print_features(const moving_features *f, const graze_impact_interval *answer)
{
    printf("%s: answer %d [%a, %a]\n", f->edges ? "edges" : "vertex and face", (int)answer->verdict, answer->lower,
           answer->upper);
    for (int i = 0; i < 8; i++)
        printf("  {%a, %a, %a},\n", f->places[i / 2][i % 2][0], f->places[i / 2][i % 2][1], f->places[i / 2][i % 2][2]);
}

static void first_impacts_are_those_of_the_oracle(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1911);
    int hits = 0, at_start = 0, between = 0, total = rounds(ROUNDS);
    for (int round = 0; round < total; round++)
    {
        moving_features features;
        graze_impact_interval answer;
        moving_features_draw(&random, &features);
        graze_status status = moving_features_impact(&features, &answer);
        if (status == GRAZE_STATUS_NOT_FINITE) /* a scale was too large */
            continue;
        assert_int_equal(status, GRAZE_STATUS_OK);
        if (!moving_features_agree(&features, &answer))
        {
            print_features(&features, &answer);
            fail();
        }
        bool hit = answer.verdict == GRAZE_IMPACT_AT;
        hits += hit;
        at_start += hit && !(answer.upper > 0);
        between += hit && answer.lower < answer.upper;
    }
    printf("  %d pairs: %d hits, %d at the start, %d between doubles\n", total, hits, at_start, between);
    assert_true(hits > total / 4 && at_start > total / 100 && between > total / 100);
}

/* A corner of the face is the vertex at t = 1/4, by coordinates whose differences are rounded. From there on the other
   corners stay on one side of the vertex on each axis, while the corner passes the vertex in opposite directions on two
   axes: rounding alone may seem to part them. */
static void draw_meeting_corner(test_random *random, moving_features *out)
{
    for (int k = 0; k < 3; k++)
    {
        int direction = k == 0 ? 1 : k == 1 ? -1 : random_between(random, -1, 1);
        double j = random_below(random, 256) * 0x1p-52, l = random_below(random, 256) * 0x1p-51;
        double m = random_between(random, -255, 255) * 0x1p-60;
        out->places[0][0][k] = -direction * (1 + j);
        out->places[0][1][k] = direction * (3 + l);
        out->places[1][0][k] = m;
        out->places[1][1][k] = direction * (l - 3 * j) - 3 * m;
        for (int i = 2; i < 4; i++)
            for (int t = 0; t < 2; t++)
                out->places[i][t][k] = 4 + random_unit(random);
    }
    out->edges = false;
}

/* The vertex lies on an edge of the face at t = 1, exactly, by large integers whose determinants are rounded. */
static void draw_meeting_edge(test_random *random, moving_features *out)
{
    for (int i = 0; i < 24; i++)
        out->places[i / 6][i / 3 % 2][i % 3] = 4 * floor(random_real(random, -0x1p50, 0x1p50));
    for (int k = 0; k < 3; k++)
    {
        double a = out->places[1][1][k], b = out->places[2][1][k];
        out->places[0][1][k] = a / 4 * 3 + b / 4;
    }
    out->edges = false;
}

static void contacts_at_the_limit_of_rounding_are_found(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1912);
    for (int round = 0; round < TEST_ROUNDS(LIMIT_ROUNDS); round++)
    {
        moving_features features;
        graze_impact_interval answer;
        bool corner = round % 2 == 0;
        if (corner)
            draw_meeting_corner(&random, &features);
        else
            draw_meeting_edge(&random, &features);
        assert_int_equal(moving_features_impact(&features, &answer), GRAZE_STATUS_OK);
        assert_int_equal(answer.verdict, GRAZE_IMPACT_AT);
        assert_true(answer.lower <= (corner ? 0.25 : 1));
        assert_true(round % 200 >= 2 || moving_features_agree(&features, &answer));
    }
}

static bool same(const graze_impact_interval *a, const graze_impact_interval *b)
{
    return a->verdict == b->verdict && memcmp(&a->lower, &b->lower, sizeof a->lower) == 0 &&
           memcmp(&a->upper, &b->upper, sizeof a->upper) == 0;
}

static void every_environment_gives_the_same_answers(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1913);
    for (int round = 0; round < TEST_ROUNDS(4 * ROUNDS); round++)
    {
        moving_features features;
        graze_impact_interval answer = {GRAZE_IMPACT_UNKNOWN, 0, 0}, other = answer;
        moving_features_draw(&random, &features);
        graze_status status = moving_features_impact(&features, &answer);
        saved_environment saved;
        environment_enter(&saved, 1 + round % (ENVIRONMENTS - 1));
        graze_status other_status = moving_features_impact(&features, &other);
        environment_leave(&saved);
        assert_int_equal(other_status, status);
        assert_true(same(&other, &answer));
    }
}

/* Swapping edges, turning the face around, and running back in time: what follows from one answer for another. */
static void symmetric_questions_have_symmetric_answers(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1914);
    int both = 0;
    for (int round = 0; round < TEST_ROUNDS(4 * ROUNDS); round++)
    {
        moving_features features, other;
        graze_impact_interval answer = {GRAZE_IMPACT_UNKNOWN, 0, 0}, swapped = answer, back = answer;
        moving_features_draw(&random, &features);
        if (moving_features_impact(&features, &answer) != GRAZE_STATUS_OK)
            continue;
        for (int i = 0; i < 4; i++)
            memcpy(other.places[i],
                   features.places[features.edges ? 3 - i
                                   : i == 0       ? 0
                                                  : 4 - i],
                   sizeof other.places[i]);
        other.edges = features.edges;
        assert_int_equal(moving_features_impact(&other, &swapped), GRAZE_STATUS_OK);
        assert_true(same(&swapped, &answer));
        for (int i = 0; i < 8; i++)
            memcpy(other.places[i / 2][i % 2], features.places[i / 2][1 - i % 2], sizeof other.places[0][0]);
        assert_int_equal(moving_features_impact(&other, &back), GRAZE_STATUS_OK);
        assert_int_equal(back.verdict, answer.verdict);
        if (answer.verdict == GRAZE_IMPACT_AT) /* the last contact is not before the first */
            assert_true(back.lower <= 1 - answer.lower + 0x1p-52);
        both += answer.verdict == GRAZE_IMPACT_AT;
    }
    assert_true(both > TEST_ROUNDS(ROUNDS) / 4);
}

static void known_impacts_are_at_their_times(void **state)
{
    (void)state;
    const double face[2][3][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    double vertex[2][3] = {{0.25, 0.25, 1}, {0.25, 0.25, -2}};
    graze_impact_interval answer;
    assert_int_equal(graze_vertex_face_impact((const double(*)[3])vertex, face, &answer), GRAZE_STATUS_OK);
    assert_int_equal(answer.verdict, GRAZE_IMPACT_AT); /* at 1/3 */
    assert_true(answer.lower < answer.upper && answer.lower * 3 <= 1 && answer.upper * 3 >= 1);
    vertex[1][2] = -3;
    assert_int_equal(graze_vertex_face_impact((const double(*)[3])vertex, face, &answer), GRAZE_STATUS_OK);
    assert_true(answer.verdict == GRAZE_IMPACT_AT && memcmp(&answer.lower, &answer.upper, sizeof(double)) == 0);
    assert_true(answer.lower <= 0.25 && answer.lower >= 0.25);
    vertex[0][2] = 0x1p-1074; /* almost there at the start */
    vertex[1][2] = 0;
    assert_int_equal(graze_vertex_face_impact((const double(*)[3])vertex, face, &answer), GRAZE_STATUS_OK);
    assert_true(answer.verdict == GRAZE_IMPACT_AT && answer.lower >= 1 && answer.upper <= 1);
    vertex[0][2] = NAN;
    answer.lower = 7;
    assert_int_equal(graze_vertex_face_impact((const double(*)[3])vertex, face, &answer), GRAZE_STATUS_NOT_FINITE);
    assert_true(answer.lower > 6);
}

/* Each of the numbers in turn. */
static void numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    const double no_numbers[3] = {INFINITY, -INFINITY, NAN};
    graze_impact_interval out;
    for (int i = 0; i < 24; i++)
        for (int k = 0; k < 3; k++)
        {
            double vertex[2][3] = {{0, 0, 1}, {0, 0, -1}};
            double face[2][3][3] = {{{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}, {{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}};
            double a[2][2][3] = {{{-1, 0, 1}, {1, 0, 1}}, {{-1, 0, -1}, {1, 0, -1}}};
            double b[2][2][3] = {{{0, -1, 0}, {0, 1, 0}}, {{0, -1, 0}, {0, 1, 0}}};
            assert_int_equal(graze_vertex_face_impact((const double(*)[3])vertex, (const double(*)[3][3])face, &out),
                             GRAZE_STATUS_OK);
            assert_int_equal(graze_edge_edge_impact((const double(*)[2][3])a, (const double(*)[2][3])b, &out),
                             GRAZE_STATUS_OK);
            *(i < 6 ? &vertex[i / 3][i % 3] : &face[(i - 6) / 9][(i - 6) / 3 % 3][i % 3]) = no_numbers[k];
            *(i < 12 ? &a[i / 6][i / 3 % 2][i % 3] : &b[(i - 12) / 6][i / 3 % 2][i % 3]) = no_numbers[k];
            assert_int_equal(graze_vertex_face_impact((const double(*)[3])vertex, (const double(*)[3][3])face, &out),
                             GRAZE_STATUS_NOT_FINITE);
            assert_int_equal(graze_edge_edge_impact((const double(*)[2][3])a, (const double(*)[2][3])b, &out),
                             GRAZE_STATUS_NOT_FINITE);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_impacts_are_those_of_the_oracle),
        cmocka_unit_test(contacts_at_the_limit_of_rounding_are_found),
        cmocka_unit_test(every_environment_gives_the_same_answers),
        cmocka_unit_test(symmetric_questions_have_symmetric_answers),
        cmocka_unit_test(known_impacts_are_at_their_times),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
