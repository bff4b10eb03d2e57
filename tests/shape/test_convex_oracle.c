/* SPDX-License-Identifier: MIT */
/*
 * Pairs of hulls, plain and rounded, against rationals: grids, shared faces, edges on edges, an ulp apart, one inside
 * the other, radii whose sum is the distance or an ulp from it. GRAZE_TEST_TIMES in the environment multiplies the
 * pairs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/shape_query.h"
#include "support/convex_pairs.h"
#include "support/oracle_shapes.h"
#include "support/unit.h"

enum
{
    PAIRS = 60 /* of a kind; half of them rounded */
};

typedef struct counters
{
    int pairs, yes, touching, rounded;
} counters;

static long times(void)
{
    const char *wish = getenv("GRAZE_TEST_TIMES");
    long value = wish != NULL ? strtol(wish, NULL, 10) : 1;
    return value > 0 ? value : 1;
}

static graze_shape *hull_of(const convex_body *body)
{
    graze_shape *shape;
    assert_int_equal(graze_shape_create_hull(NULL, body->hull->vertices[0], body->hull->vertex_count, NULL, &shape),
                     GRAZE_STATUS_OK);
    return shape;
}

static double ulps_away(double x, int count)
{
    for (; count != 0; count -= count > 0 ? 1 : -1)
        x = nextafter(x, count > 0 ? INFINITY : -INFINITY);
    return x;
}

/* Two radii whose sum is about the distance: the doubles next to it, or a multiple of a quarter. */
static void take_radii(test_random *random, double distance, double radii[2])
{
    radii[0] = 0.25 * random_below(random, 8);
    if (random_once_in(random, 4))
        radii[1] = 0.25 * random_below(random, 8);
    else
    {
        radii[0] = random_once_in(random, 2) ? 0 : radii[0];
        radii[1] = fmax(ulps_away(distance, random_between(random, -2, 2)) - radii[0], 0);
    }
    if (random_once_in(random, 2))
    {
        double first = radii[0];
        radii[0] = radii[1];
        radii[1] = first;
    }
}

/* Whether within a distance, from both sides, with and without a cache that holds what it learned of other pairs. */
static void check_order(const graze_placed *a, const graze_placed *b, int order, graze_shape_cache *cache)
{
    graze_shape_options cached = graze_shape_options_default();
    graze_verdict expected = order <= 0 ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO, verdict;
    cached.cache = cache;
    for (int i = 0; i < 4; i++)
    {
        assert_int_equal(
            graze_shape_pair_any(NULL, i != 1 ? a : b, i != 1 ? b : a, i < 2 ? NULL : &cached, &verdict, NULL),
            GRAZE_STATUS_OK);
        assert_int_equal(verdict, expected);
    }
}

static void check_distance(const graze_placed *a, const graze_placed *b, const core_distance *truth)
{
    graze_shape_distance d;
    const double radii[2] = {graze_shape_radius(a->shape), graze_shape_radius(b->shape)};
    assert_int_equal(graze_shape_pair_distance(NULL, a, b, NULL, &d), GRAZE_STATUS_OK);
    const double lower[3] = {radii[0], radii[1], d.lower}, upper[3] = {radii[0], radii[1], d.upper};
    assert_true(d.found && d.lower <= d.distance && d.distance <= d.upper && d.upper - d.lower < 1e-11);
    assert_true((d.distance == 0) == (oracle_compare_core_distance(truth, radii, 2) <= 0));
    assert_true(oracle_compare_core_distance(truth, upper, 3) <= 0);
    if (d.lower > 0)
        assert_true(oracle_compare_core_distance(truth, lower, 3) >= 0);
}

static void check_pair(oracle *judge, test_random *random, const convex_pair *pair, bool round_it, counters *c,
                       graze_shape_cache *cache)
{
    graze_shape *cores[2] = {hull_of(&pair->a), hull_of(&pair->b)}, *rounded[2] = {NULL, NULL};
    graze_placed a = {cores[0], pair->a.body.pose}, b = {cores[1], pair->b.body.pose};
    core_distance truth;
    core_distance_init(&truth);
    oracle_cores(judge, random, &a, &b, &truth);
    double radii[2] = {0, 0};
    if (round_it)
    {
        take_radii(random, truth.nested ? 0 : sqrt(mpq_get_d(truth.square)), radii);
        for (int i = 0; i < 2; i++)
            assert_int_equal(graze_shape_create_rounded(NULL, cores[i], radii[i], &rounded[i]), GRAZE_STATUS_OK);
        a.shape = rounded[0];
        b.shape = rounded[1];
    }
    int order = truth.nested ? -1 : oracle_compare_core_distance(&truth, radii, 2);
    check_order(&a, &b, order, cache);
    check_distance(&a, &b, &truth);
    c->pairs++;
    c->yes += order <= 0;
    c->touching += order == 0;
    c->rounded += round_it;
    core_distance_clear(&truth);
    for (int i = 0; i < 2; i++)
    {
        graze_shape_destroy(rounded[i]);
        graze_shape_destroy(cores[i]);
    }
}

static void hulls_and_rounded_hulls_agree_with_rationals(void **state)
{
    (void)state;
    test_random random = test_random_start("hulls against rationals", 26);
    grz_random of_pairs = grz_random_make(random_next(&random));
    oracle *judge = oracle_create();
    graze_shape_cache cache = graze_shape_cache_default();
    counters c = {0};
    long rounds = TEST_ROUNDS(PAIRS) * times();
    for (long round = 0; round < rounds; round++)
        for (int kind = 0; kind < CONVEX_KINDS; kind++)
        {
            /* Poses of these scale: no radius there. */
            bool rigid = kind != CONVEX_SHEARED && kind != CONVEX_CONTAINED;
            convex_pair pair;
            convex_pair_make(&of_pairs, (convex_pair_kind)kind, &pair);
            check_pair(judge, &random, &pair, rigid && round % 2 != 0, &c, &cache);
            convex_pair_release(&pair);
        }
    printf("%d pairs, of which %d rounded: %d collide, %d of them touch\n", c.pairs, c.rounded, c.yes, c.touching);
    assert_true(c.yes > c.pairs / 4 && c.yes < c.pairs * 3 / 4 && c.touching > c.pairs / 20);
    assert_true(c.rounded > c.pairs / 3);
    oracle_destroy(judge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_and_rounded_hulls_agree_with_rationals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
