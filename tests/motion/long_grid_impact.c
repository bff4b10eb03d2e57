/* SPDX-License-Identifier: MIT */
/*
 * Millions of first impacts of vertices, faces, edges and triangles between points of a small grid, in coordinates in
 * which doubles are of little use, as an oracle in integers of 128 bits has them; and that oracle against the one in
 * rationals. GRAZE_TEST_ROUNDS asks for another number of pairs, GRAZE_TEST_SEED for others.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/grid_impact.h"
#include "support/moving_features.h"
#include "support/moving_triangles.h"
#include "support/unit.h"

enum
{
    FEATURES = 1000000,
    TRIANGLES = 50000,
    COMPARED = 20000
};

static long rounds_of(long usual)
{
    const char *more = getenv("GRAZE_TEST_ROUNDS");
    return more != NULL ? strtol(more, NULL, 10) : TEST_ROUNDS(usual);
}

static void set_features(const grid_pair *pair, double places[6][2][3], moving_features *out)
{
    out->edges = pair->kind == GRID_EDGES;
    memcpy(out->places, places, sizeof out->places);
}

static void set_triangles(double places[6][2][3], moving_triangles *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 18; i++)
    {
        out->corners[i / 9][i / 3 % 3][i % 3] = places[i / 3][0][i % 3];
        out->end_corners[i / 9][i / 3 % 3][i % 3] = places[i / 3][1][i % 3];
    }
    for (int side = 0; side < 2; side++)
    {
        out->soft[side] = true;
        out->motions[side].start = out->motions[side].end = graze_pose_identity();
    }
}

static graze_impact_interval ask(const grid_pair *pair, double places[6][2][3])
{
    graze_impact_interval answer;
    graze_moving_contact contact;
    moving_features features;
    moving_triangles triangles;
    if (pair->kind != GRID_TRIANGLES)
    {
        set_features(pair, places, &features);
        assert_int_equal(moving_features_impact(&features, &answer), GRAZE_STATUS_OK);
        return answer;
    }
    set_triangles(places, &triangles);
    const graze_moving_triangle a = moving_triangle(&triangles, 0), b = moving_triangle(&triangles, 1);
    assert_int_equal(graze_triangle_impact(&a, &b, false, &contact), GRAZE_STATUS_OK);
    return contact.when;
}

/* What the oracle in rationals says, of the points as they are on the grid. */
static bool agrees_in_rationals(const grid_pair *pair, const graze_impact_interval *answer)
{
    double places[6][2][3];
    moving_features features;
    moving_triangles triangles;
    for (int i = 0; i < 36; i++)
        places[i / 6][i / 3 % 2][i % 3] = (double)pair->places[i / 6][i / 3 % 2][i % 3];
    if (pair->kind != GRID_TRIANGLES)
    {
        set_features(pair, places, &features);
        return moving_features_agree(&features, answer);
    }
    set_triangles(places, &triangles);
    return moving_triangles_agree(&triangles, answer);
}

static void compare_pairs(const char *name, uint64_t seed, grid_kind first, grid_kind last, long total)
{
    test_random random = test_random_start(name, seed);
    long hits = 0, between = 0, at_start = 0, undecided = 0, asked = 0;
    for (long round = 0; round < total; round++)
    {
        grid_pair pair;
        double places[6][2][3];
        grid_pair_draw(&random, (grid_kind)random_between(&random, (int)first, (int)last), &pair);
        if (!grid_pair_place(&random, &pair, places))
            continue;
        graze_impact_interval answer = ask(&pair, places);
        grid_answer right = grid_pair_check(&pair, &answer);
        if (right == GRID_WRONG || (right == GRID_UNDECIDED && !agrees_in_rationals(&pair, &answer)))
            fail_msg("pair %ld: verdict %d, [%a, %a]", round, (int)answer.verdict, answer.lower, answer.upper);
        asked++;
        undecided += right == GRID_UNDECIDED;
        hits += answer.verdict == GRAZE_IMPACT_AT;
        at_start += answer.verdict == GRAZE_IMPACT_AT && !(answer.upper > 0);
        between += answer.lower < answer.upper;
    }
    printf("%ld pairs: %ld hits, %ld at the start, %ld between doubles; %ld left to rationals\n", asked, hits, at_start,
           between, undecided);
    assert_true(asked > total / 2 && hits > total / 5 && between > total / 100 && at_start < 2 * hits / 3);
    assert_true(undecided <= total / 1000);
}

static void impacts_of_features_on_a_grid_are_right(void **state)
{
    (void)state;
    compare_pairs(__func__, 1911, GRID_VERTEX_FACE, GRID_EDGES, rounds_of(FEATURES));
}

static void impacts_of_triangles_on_a_grid_are_right(void **state)
{
    (void)state;
    compare_pairs(__func__, 1912, GRID_TRIANGLES, GRID_TRIANGLES, rounds_of(TRIANGLES));
}

/* An answer that may be wrong. */
static void change_answer(test_random *random, graze_impact_interval *answer)
{
    double up = nextafter(answer->lower, 2);
    switch (random_below(random, 6))
    {
    case 0:
        *answer = (graze_impact_interval){GRAZE_IMPACT_NONE, 0, 0};
        break;
    case 1:
        *answer = (graze_impact_interval){GRAZE_IMPACT_AT, random_unit(random), 0};
        answer->upper = nextafter(answer->lower, 2);
        break;
    case 2:
        *answer = (graze_impact_interval){GRAZE_IMPACT_AT, 0, 0};
        break;
    case 3:
        *answer = (graze_impact_interval){GRAZE_IMPACT_AT, up, nextafter(up, 2)};
        break;
    case 4:
        *answer = (graze_impact_interval){GRAZE_IMPACT_AT, answer->upper, answer->upper};
        break;
    default:
        *answer = (graze_impact_interval){GRAZE_IMPACT_AT, answer->lower, up};
        break;
    }
}

static void both_oracles_accept_and_refuse_the_same_answers(void **state)
{
    (void)state;
    test_random random = test_random_start(__func__, 1913);
    long total = rounds_of(COMPARED), refused = 0, right = 0;
    for (long round = 0; round < total; round++)
    {
        grid_pair pair;
        double places[6][2][3];
        grid_pair_draw(&random, (grid_kind)random_between(&random, 0, random_once_in(&random, 8) ? 2 : 1), &pair);
        for (int i = 0; i < 36; i++)
            places[i / 6][i / 3 % 2][i % 3] = (double)pair.places[i / 6][i / 3 % 2][i % 3];
        graze_impact_interval answer = ask(&pair, places);
        if (random_once_in(&random, 2))
            change_answer(&random, &answer);
        grid_answer fast = grid_pair_check(&pair, &answer);
        bool slow = agrees_in_rationals(&pair, &answer);
        if (fast != GRID_UNDECIDED && (fast == GRID_RIGHT) != slow)
            fail_msg("pair %ld: verdict %d, [%a, %a]", round, (int)answer.verdict, answer.lower, answer.upper);
        refused += !slow;
        right += slow;
    }
    printf("%ld answers right, %ld refused\n", right, refused);
    assert_true(right > total / 3 && refused > total / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(impacts_of_features_on_a_grid_are_right),
                                       cmocka_unit_test(impacts_of_triangles_on_a_grid_are_right),
                                       cmocka_unit_test(both_oracles_accept_and_refuse_the_same_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
