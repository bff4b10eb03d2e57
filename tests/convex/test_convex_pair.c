/* SPDX-License-Identifier: MIT */
/*
 * Pairs of convex bodies: whether they meet and their distance, against exact queries of their meshes. What is
 * certified must be true: at all scales, in all environments, with caches of other pairs; and most must be certified.
 */
#include "convex/convex_pair.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "convex/convex_scaling.h"
#include "graze/distance.h"
#include "support/convex_pairs.h"
#include "support/environment.h"
#include "support/unit.h"

enum
{
    SEED = 7301
};

static const grz_convex_limits exact_limits = {0, INFINITY};

typedef struct tally
{
    size_t pairs, together, undecided, touching;
} tally;

static void expect(grz_convex_verdict verdict, bool together, tally *t)
{
    assert_true(verdict == GRZ_CONVEX_UNDECIDED || (verdict == GRZ_CONVEX_TOGETHER) == together);
    t->undecided += verdict == GRZ_CONVEX_UNDECIDED;
}

static void random_cache(grz_random *random, grz_convex_cache *cache)
{
    memset(cache, 0, sizeof *cache);
    for (size_t i = 0; i < sizeof *cache; i++)
        ((unsigned char *)cache)[i] = (unsigned char)grz_random_below(random, grz_random_below(random, 2) ? 256 : 8);
}

/* The verdict with no cache, that of the pair before, an own one, and one of nonsense; arguments swapped. */
static void check_verdicts(grz_random *random, const convex_pair *pair, bool together, grz_convex_cache *of_before,
                           tally *t)
{
    const grz_convex_body *a = &pair->a.body, *b = &pair->b.body;
    tally unused = {0};
    expect(grz_convex_pair_collide(a, b, NULL), together, t);
    expect(grz_convex_pair_collide(b, a, NULL), together, &unused);
    expect(grz_convex_pair_collide(a, b, of_before), together, &unused);
    grz_convex_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 3; i++)
        expect(grz_convex_pair_collide(a, b, &cache), together, &unused);
    random_cache(random, &cache);
    expect(grz_convex_pair_collide(a, b, &cache), together, &unused);
    t->pairs++;
    t->together += together;
}

static void check_distance(const convex_pair *pair, bool together, grz_convex_cache *cache, double radius)
{
    grz_convex_body a = pair->a.body, b = pair->b.body;
    graze_placed_mesh mesh_a = {pair->a.mesh, NULL, a.pose}, mesh_b = {pair->b.mesh, NULL, b.pose};
    grz_convex_distance r;
    graze_distance d;
    a.radius = radius;
    b.radius = 0.5 * radius;
    grz_convex_pair_distance(&a, &b, cache, &exact_limits, &r);
    assert_true(r.lower >= 0 && r.lower <= r.upper);
    assert_true(r.verdict != GRZ_CONVEX_APART || r.lower > 0);
    assert_true(r.verdict != GRZ_CONVEX_TOGETHER || r.upper == 0);
    if (together)
    {
        assert_true(r.lower == 0 && r.verdict != GRZ_CONVEX_APART);
        return;
    }
    assert_int_equal(graze_pair_distance(NULL, &mesh_a, &mesh_b, NULL, &d), GRAZE_STATUS_OK);
    assert_true((long double)r.lower <= (long double)d.upper - 1.5L * radius || r.lower == 0);
    assert_true((long double)r.upper >= (long double)d.lower - 1.5L * radius);
    grz_convex_verdict verdict = grz_convex_pair_collide(&a, &b, NULL);
    assert_true(verdict != GRZ_CONVEX_TOGETHER || (long double)d.lower <= 1.5L * radius);
    assert_true(verdict != GRZ_CONVEX_APART || (long double)d.upper >= 1.5L * radius);
}

static double width_of_distance(const convex_pair *pair)
{
    grz_convex_distance r;
    grz_convex_pair_distance(&pair->a.body, &pair->b.body, NULL, &exact_limits, &r);
    return r.upper - r.lower;
}

/* Bars of undecided pairs in percent. Touching pairs without a common simplex on grids that are turned need integers.
 */
static const size_t most_undecided[CONVEX_KINDS] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100};

static void verdicts_and_distances_are_true(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    oracle *judge = oracle_create();
    grz_convex_cache cache, distance_cache;
    memset(&cache, 0, sizeof cache);
    memset(&distance_cache, 0, sizeof distance_cache);
    for (int kind = 0; kind < CONVEX_KINDS; kind++)
    {
        tally t = {0};
        double widest = 0;
        for (int round = 0; round < TEST_ROUNDS(1000); round++)
        {
            convex_pair pair;
            convex_pair_make(&random, (convex_pair_kind)kind, &pair);
            bool together = convex_pair_collide_exactly(judge, &pair);
            check_verdicts(&random, &pair, together, &cache, &t);
            check_distance(&pair, together, round % 2 == 0 ? NULL : &distance_cache, 0);
            check_distance(&pair, together, NULL, 0.25);
            widest = fmax(widest, width_of_distance(&pair));
            convex_pair_release(&pair);
        }
        printf("kind %d: %zu pairs, %zu together, %zu undecided, widest distance %g\n", kind, t.pairs, t.together,
               t.undecided, widest);
        assert_true(100 * t.undecided <= most_undecided[kind] * t.pairs);
        assert_true(t.together > t.pairs / 15);
        assert_true(t.pairs - t.together > t.pairs / 10 || kind == CONVEX_CONTAINED || kind == CONVEX_EQUAL);
        assert_true(widest < 1e-9);
    }
    oracle_destroy(judge);
}

static void answers_are_the_same_at_all_scales(void **state)
{
    (void)state;
    static const int exponents[8] = {-380, -300, -200, -101, 101, 200, 300, 380};
    grz_random random = grz_random_make(SEED + 1);
    oracle *judge = oracle_create();
    tally t = {0};
    for (int round = 0; round < TEST_ROUNDS(1600); round++)
    {
        convex_pair pair;
        convex_pair_make(&random, (convex_pair_kind)(round % CONVEX_KINDS), &pair);
        bool together = convex_pair_collide_exactly(judge, &pair);
        convex_pair_scale(&pair, exponents[round / CONVEX_KINDS % 8]);
        if (together != convex_pair_collide_exactly(judge, &pair)) /* denormals were rounded */
            together = !together;
        grz_convex_cache cache;
        memset(&cache, 0, sizeof cache);
        check_verdicts(&random, &pair, together, &cache, &t);
        check_distance(&pair, together, &cache, 0);
        convex_pair_release(&pair);
    }
    printf("%zu pairs, %zu together, %zu undecided\n", t.pairs, t.together, t.undecided);
    assert_true(20 * t.undecided < t.pairs);
    oracle_destroy(judge);
}

/* Numbers beyond the limits of doubles are scaled: points and bounds come back as they were, but for denormals. */
static void scaled_pairs_have_scaled_points(void **state)
{
    (void)state;
    static const int exponents[6] = {-1000, -990, -600, 0, 600, 990};
    double corners[2][8][3];
    for (int v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++)
        {
            corners[0][v][k] = (v >> k & 1) + (k == 0 ? 0 : 0.5);
            corners[1][v][k] = (v >> k & 1) + (k == 0 ? 3.5 : 0.5);
        }
    for (int i = 0; i < 6; i++)
    {
        convex_pair pair;
        grz_convex_distance r;
        convex_body_make((const double(*)[3])corners[0], 8, &pair.a);
        convex_body_make((const double(*)[3])corners[1], 8, &pair.b);
        for (int k = 0; k < 12; k++)
        {
            pair.a.body.pose.m[k] = ldexp(pair.a.body.pose.m[k], exponents[i]);
            pair.b.body.pose.m[k] = ldexp(pair.b.body.pose.m[k], exponents[i]);
        }
        for (int swapped = 0; swapped < 2; swapped++)
        {
            const convex_body *a = swapped == 0 ? &pair.a : &pair.b, *b = swapped == 0 ? &pair.b : &pair.a;
            grz_convex_pair_distance(&a->body, &b->body, NULL, &exact_limits, &r);
            assert_int_equal(r.verdict, GRZ_CONVEX_APART);
            assert_true(r.lower <= ldexp(2.5, exponents[i]) && r.upper >= ldexp(2.5, exponents[i]));
            double first = swapped == 0 ? 1 : 3.5, second = swapped == 0 ? 3.5 : 1;
            assert_true(fabs(r.points[0][0] - ldexp(first, exponents[i])) <= ldexp(1e-9, exponents[i]));
            assert_true(fabs(r.points[1][0] - ldexp(second, exponents[i])) <= ldexp(1e-9, exponents[i]));
            for (int k = 1; k < 3; k++)
                assert_true(r.points[0][k] >= ldexp(0.5, exponents[i]) && r.points[0][k] <= ldexp(1.5, exponents[i]) &&
                            fabs(r.points[0][k] - r.points[1][k]) <= ldexp(1e-9, exponents[i]));
        }
        convex_pair_release(&pair);
    }
}

/* Upper bounds that are denormal stay above the lengths they bound. */
static void scaled_lengths_are_raised(void **state)
{
    (void)state;
    for (int exponent = -1100; exponent <= 0; exponent += 10)
        for (int i = 0; i < 32; i++)
        {
            double length = 1 + i / 32.0, raised = grz_convex_scaled_raise(length, exponent);
            assert_true((long double)raised >= ldexpl(length, exponent));
            assert_true(raised == (exponent < -1022 ? 0x1p-1022 : ldexp(length, exponent)));
            assert_true(grz_convex_scaled_raise(0, exponent) == 0);
        }
}

static void answers_are_true_in_every_environment(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 2);
    oracle *judge = oracle_create();
    size_t undecided[ENVIRONMENTS] = {0};
    for (int round = 0; round < TEST_ROUNDS(1000); round++)
    {
        convex_pair pair;
        convex_pair_make(&random, (convex_pair_kind)(round % CONVEX_KINDS), &pair);
        if (round % 5 == 0)
            convex_pair_scale(&pair, round % 2 == 0 ? -330 : 300);
        bool together = convex_pair_collide_exactly(judge, &pair);
        graze_placed_mesh a = {pair.a.mesh, NULL, pair.a.body.pose}, b = {pair.b.mesh, NULL, pair.b.body.pose};
        graze_distance d;
        assert_int_equal(graze_pair_distance(NULL, &a, &b, NULL, &d), GRAZE_STATUS_OK);
        for (int e = 0; e < ENVIRONMENTS; e++)
        {
            saved_environment saved;
            grz_convex_distance r;
            environment_enter(&saved, e);
            grz_convex_verdict verdict = grz_convex_pair_collide(&pair.a.body, &pair.b.body, NULL);
            grz_convex_pair_distance(&pair.a.body, &pair.b.body, NULL, &exact_limits, &r);
            environment_leave(&saved);
            assert_true(verdict == GRZ_CONVEX_UNDECIDED || (verdict == GRZ_CONVEX_TOGETHER) == together);
            undecided[e] += verdict == GRZ_CONVEX_UNDECIDED;
            assert_true(together ? r.lower == 0 : r.lower <= d.upper && r.upper >= d.lower);
        }
        convex_pair_release(&pair);
    }
    for (int e = 0; e < ENVIRONMENTS; e++)
    {
        printf("%s: %zu undecided\n", environment_name(e), undecided[e]);
        assert_true(undecided[e] < (size_t)TEST_ROUNDS(1000) / 10);
    }
    oracle_destroy(judge);
}

/* A ball rolls along a wall of two boxes: warm answers are as those without a cache. */
static void caches_follow_motion(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 3);
    size_t apart = 0, together = 0;
    for (int round = 0; round < 20; round++)
    {
        convex_pair pair;
        convex_pair_make(&random, CONVEX_RANDOM, &pair);
        grz_convex_cache cache, distance_cache;
        memset(&cache, 0, sizeof cache);
        memset(&distance_cache, 0, sizeof distance_cache);
        for (int i = 0; i < 100; i++)
        {
            pair.b.body.pose.m[3] += 0.02;
            grz_convex_verdict cold = grz_convex_pair_collide(&pair.a.body, &pair.b.body, NULL);
            grz_convex_verdict warm = grz_convex_pair_collide(&pair.a.body, &pair.b.body, &cache);
            assert_true(cold == warm || cold == GRZ_CONVEX_UNDECIDED || warm == GRZ_CONVEX_UNDECIDED);
            grz_convex_distance x, y;
            grz_convex_pair_distance(&pair.a.body, &pair.b.body, NULL, &exact_limits, &x);
            grz_convex_pair_distance(&pair.a.body, &pair.b.body, &distance_cache, &exact_limits, &y);
            assert_true(x.lower <= y.upper && y.lower <= x.upper && y.upper - y.lower < 1e-9);
            apart += warm == GRZ_CONVEX_APART;
            together += warm == GRZ_CONVEX_TOGETHER;
        }
        convex_pair_release(&pair);
    }
    assert_true(apart > 200 && together > 200);
}

/* Limits end the search early; bounds hold, and are as good as was asked for. */
static void limits_are_kept(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 5);
    size_t earlier = 0, wider = 0;
    for (int round = 0; round < 500; round++)
    {
        convex_pair pair;
        convex_pair_make(&random, CONVEX_RANDOM, &pair);
        grz_convex_body a = pair.a.body, b = pair.b.body;
        grz_convex_distance exact, rough, far;
        a.radius = round % 2 == 0 ? 0 : 0.03125;
        grz_convex_pair_distance(&a, &b, NULL, &exact_limits, &exact);
        grz_convex_pair_distance(&a, &b, NULL, &(grz_convex_limits){0.25, INFINITY}, &rough);
        grz_convex_pair_distance(&a, &b, NULL, &(grz_convex_limits){0, 0.25}, &far);
        assert_true(rough.lower <= exact.upper && rough.upper >= exact.lower && rough.upper - rough.lower < 0.26);
        assert_true(far.lower <= exact.upper && far.upper >= exact.lower);
        assert_true(far.lower > 0.25 - 1e-12 || far.upper - far.lower < 1e-9);
        wider += rough.upper - rough.lower > 1e-6;
        earlier += far.upper - far.lower > 1e-6;
        convex_pair_release(&pair);
    }
    printf("%zu wider, %zu ended earlier\n", wider, earlier);
    assert_true(wider > 50 && earlier > 20);
}

/* Boxes with a gap of 2 and radii that sum up to that, or nearly. */
static void rounded_bodies_that_touch_are_never_apart(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 4);
    size_t decided = 0;
    for (int round = 0; round < 400; round++)
    {
        double points[2][8][3];
        convex_pair pair;
        for (int i = 0; i < 2; i++)
            for (int v = 0; v < 8; v++)
                for (int k = 0; k < 3; k++)
                    points[i][v][k] = (v >> k & 1) + (i == 1 && k == 2 ? 3 : 0);
        convex_body_make((const double(*)[3])points[0], 8, &pair.a);
        convex_body_make((const double(*)[3])points[1], 8, &pair.b);
        pair.b.body.pose.m[3] = grz_random_between(&random, -0.9, 0.9);
        pair.b.body.pose.m[7] = grz_random_between(&random, -0.9, 0.9);
        int off = (int)grz_random_below(&random, 5) - 2; /* of the radii, in millionths and in ulps */
        double more = off * (round % 2 == 0 ? 0x1p-20 : 0x1p-52);
        pair.a.body.radius = pair.b.body.radius = 1 + more;
        grz_convex_verdict verdict = grz_convex_pair_collide(&pair.a.body, &pair.b.body, NULL);
        grz_convex_distance r;
        grz_convex_pair_distance(&pair.a.body, &pair.b.body, NULL, &exact_limits, &r);
        assert_true(verdict != (off >= 0 ? GRZ_CONVEX_APART : GRZ_CONVEX_TOGETHER));
        assert_true(r.verdict != (off >= 0 ? GRZ_CONVEX_APART : GRZ_CONVEX_TOGETHER));
        assert_true(r.lower <= fmax(-2 * more, 0) && r.upper >= fmax(-2 * more, 0));
        decided += verdict != GRZ_CONVEX_UNDECIDED;
        assert_true(verdict != GRZ_CONVEX_UNDECIDED || off == 0 || round % 2 != 0);
        convex_pair_release(&pair);
    }
    assert_true(decided > 100);
}

/* What is recalled of the last search is true wherever B has moved since, and known where nothing moved. */
static void what_is_recalled_is_true(void **state)
{
    (void)state;
    printf("seed %d\n", SEED + 8);
    grz_random random = grz_random_make(SEED + 8);
    oracle *judge = oracle_create();
    size_t together = 0, apart = 0, unknown = 0, four = 0;
    for (int round = 0; round < TEST_ROUNDS(400); round++)
    {
        convex_pair pair;
        convex_pair_make(&random, (convex_pair_kind)(round % CONVEX_KINDS), &pair);
        const grz_convex_body *a = &pair.a.body, *b = &pair.b.body;
        const graze_pose start = b->pose;
        grz_convex_cache cache;
        memset(&cache, 0, sizeof cache);
        grz_convex_verdict verdict = grz_convex_pair_collide(a, b, &cache);
        for (int step = 0; step < 12; step++)
        {
            grz_convex_cache copy = cache;
            pair.b.body.pose = start;
            for (int k = 0; k < 3 && step > 0; k++)
                pair.b.body.pose.m[4 * k + 3] += 0.15 * step * grz_random_between(&random, -1, 1);
            grz_convex_verdict found = grz_convex_pair_recall(a, &a->pose, b, &b->pose, &copy);
            unknown += found == GRZ_CONVEX_UNDECIDED;
            if (step == 0 && verdict == GRZ_CONVEX_TOGETHER && cache.simplex_size == 4)
            {
                four++;
                together += found == GRZ_CONVEX_TOGETHER;
            }
            if (found == GRZ_CONVEX_UNDECIDED)
                continue;
            assert_int_equal(found == GRZ_CONVEX_TOGETHER, convex_pair_collide_exactly(judge, &pair));
            apart += found == GRZ_CONVEX_APART;
        }
        convex_pair_release(&pair);
    }
    printf("%zu of %zu together known, %zu apart, %zu unknown\n", together, four, apart, unknown);
    assert_true(together > four / 2 && four > TEST_ROUNDS(400) / 20 && apart > TEST_ROUNDS(400) / 4 &&
                unknown > TEST_ROUNDS(400) / 4);
    oracle_destroy(judge);
}

/* Vertices at one place, without any extent to scale by. */
static void points_at_one_place_touch(void **state)
{
    (void)state;
    const double origin[1][3] = {{0, 0, 0}};
    convex_body points[2];
    for (int i = 0; i < 2; i++)
    {
        convex_body_make(origin, 1, &points[i]);
        points[i].body.pose = graze_pose_translation(3, -1, 0x1p-1074);
    }
    grz_convex_distance r;
    assert_int_equal(grz_convex_pair_collide(&points[0].body, &points[1].body, NULL), GRZ_CONVEX_TOGETHER);
    grz_convex_pair_distance(&points[0].body, &points[1].body, NULL, NULL, &r);
    assert_true(r.verdict == GRZ_CONVEX_TOGETHER && r.lower == 0 && r.upper == 0);
    for (int i = 0; i < 2; i++)
        convex_body_release(&points[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_and_distances_are_true),
        cmocka_unit_test(answers_are_the_same_at_all_scales),
        cmocka_unit_test(scaled_pairs_have_scaled_points),
        cmocka_unit_test(scaled_lengths_are_raised),
        cmocka_unit_test(answers_are_true_in_every_environment),
        cmocka_unit_test(caches_follow_motion),
        cmocka_unit_test(what_is_recalled_is_true),
        cmocka_unit_test(points_at_one_place_touch),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(rounded_bodies_that_touch_are_never_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
