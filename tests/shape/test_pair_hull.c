/* SPDX-License-Identifier: MIT */
/*
 * The fast queries of two convex cores against their slow twins, the exact queries of meshes: the same verdicts,
 * distances and depths that agree, with a cache from frame to frame and without one, also with a cache of other shapes.
 */
#include "shape/pair_hull.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shape/core.h"
#include "support/environment.h"
#include "support/random_shapes.h"
#include "support/unit.h"

enum
{
    PAIRS = 400,
    FRAMES = 12
};

typedef struct counters
{
    int frames, collide, decided, distances, depths;
} counters;

static void check_distances(const graze_placed *a, const graze_placed *b, grz_shape_query *fast, grz_shape_query *slow,
                            counters *c)
{
    graze_shape_distance_options wanted = graze_shape_distance_options_default();
    graze_shape_distance d, exact;
    if (!grz_hulls_distance(fast, a, b, INFINITY, &d))
        return;
    assert_int_equal(grz_core_core_distance(slow, a, b, &wanted, &exact), GRAZE_STATUS_OK);
    assert_true((d.distance == 0) == (exact.distance == 0));
    assert_true(d.lower <= exact.upper && exact.lower <= d.upper && d.lower <= d.distance && d.distance <= d.upper);
    c->distances++;
}

static void check_depths(const graze_placed *a, const graze_placed *b, grz_shape_query *fast, grz_shape_query *slow,
                         counters *c)
{
    graze_shape_depth_options wanted = graze_shape_depth_options_default();
    graze_shape_depth d, exact;
    wanted.max_queries = 20;
    if (!grz_hulls_depth(fast, a, b, 1e-6, &d))
        return;
    assert_int_equal(grz_core_core_depth(slow, a, b, &wanted, &exact), GRAZE_STATUS_OK);
    assert_true(d.lower <= exact.upper && exact.lower <= d.upper);
    assert_true(exact.overlap == GRAZE_VERDICT_UNKNOWN || exact.overlap == d.overlap);
    c->depths++;
}

static void check_frame(const graze_placed *a, const graze_placed *b, graze_shape_cache *cache, counters *c)
{
    grz_shape_query fast = {.cache = cache}, slow = {.slow = true};
    const grz_reach touch = {0, false};
    graze_verdict verdict, exact;
    graze_shape_hit hit;
    assert_int_equal(grz_core_core_decide(&slow, a, b, touch, &exact, NULL), GRAZE_STATUS_OK);
    c->frames++;
    c->collide += exact == GRAZE_VERDICT_YES;
    const double radii[GRZ_REACH_TERMS] = {a->shape->radius, b->shape->radius, 0};
    bool within;
    assert_int_equal(grz_core_surfaces_within(&slow, a, b, radii, false, &within, NULL), GRAZE_STATUS_OK);
    assert_true(!within || exact == GRAZE_VERDICT_YES);
    if (grz_hulls_collide(&fast, a, b, &verdict, &hit))
    {
        assert_int_equal(verdict, exact);
        c->decided++;
    }
    assert_int_equal(grz_core_core_decide(&fast, a, b, touch, &verdict, &hit), GRAZE_STATUS_OK);
    assert_int_equal(verdict, exact);
    check_distances(a, b, &fast, &slow, c);
    check_depths(a, b, &fast, &slow, c);
}

static void fast_and_exact_queries_agree(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_HULL,    GRAZE_SHAPE_SPHERE,  GRAZE_SHAPE_CAPSULE,
                                             GRAZE_SHAPE_BOX,     GRAZE_SHAPE_ROUNDED, GRAZE_SHAPE_TRIANGLE,
                                             GRAZE_SHAPE_SEGMENT, GRAZE_SHAPE_POINT};
    test_random random = test_random_start("fast queries of convex shapes", 41);
    graze_shape_cache cache = graze_shape_cache_default(); /* stays from pair to pair */
    counters c = {0};
    for (int pair = 0; pair < TEST_ROUNDS(PAIRS); pair++)
    {
        random_shape x, y;
        random_shape_make(&random, kinds[random_below(&random, 8)], &x);
        random_shape_make(&random, kinds[random_below(&random, 8)], &y);
        graze_placed a = {x.shape, random_pose_for(&random, x.shape)}, b = {y.shape, random_pose_for(&random, y.shape)};
        for (int k = 0; k < 3; k++)
            b.pose.m[4 * k + 3] = a.pose.m[4 * k + 3] + random_between(&random, -2, 2);
        double step = random_once_in(&random, 2) ? 0.25 : 0.01;
        for (int frame = 0; frame < FRAMES; frame++)
        {
            check_frame(&a, &b, random_once_in(&random, 4) ? NULL : &cache, &c);
            b.pose.m[3 + 4 * (pair % 3)] += step;
        }
        random_shape_clear(&x);
        random_shape_clear(&y);
    }
    printf("%d frames, %d collide, %d decided; %d distances, %d depths\n", c.frames, c.collide, c.decided, c.distances,
           c.depths);
    assert_true(c.collide > c.frames / 8 && c.decided > c.frames / 2 && c.distances > c.frames / 3 &&
                c.depths > c.frames / 8);
}

/* ---- what the cache knows before anything is prepared ---- */

typedef struct recalled
{
    int frames, apart, together, hits;
} recalled;

static graze_verdict ask(const graze_placed *a, const graze_placed *b, graze_shape_cache *cache, graze_shape_hit *hit,
                         graze_stats *stats)
{
    graze_shape_options options = graze_shape_options_default();
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    options.cache = cache;
    options.stats = stats;
    assert_int_equal(graze_shape_pair_any(NULL, a, b, &options, &verdict, hit), GRAZE_STATUS_OK);
    return verdict;
}

/* In any floating-point environment; the exact verdict is found in the usual one. */
static void check_recalled(const graze_placed *a, const graze_placed *b, graze_shape_cache *cache, int environment,
                           recalled *c)
{
    grz_shape_query slow = {.slow = true};
    saved_environment saved;
    graze_verdict exact;
    graze_shape_hit hit;
    assert_int_equal(grz_core_core_decide(&slow, a, b, (grz_reach){0, false}, &exact, NULL), GRAZE_STATUS_OK);
    environment_enter(&saved, environment);
    graze_verdict known = grz_hulls_recall(cache, a, b), with_hit = ask(a, b, cache, &hit, NULL);
    graze_stats stats = {0};
    graze_verdict without = ask(a, b, cache, NULL, &stats);
    environment_leave(&saved);
    assert_true(known == GRAZE_VERDICT_UNKNOWN || known == exact);
    assert_int_equal(with_hit, exact);
    assert_int_equal(without, exact);
    assert_true(stats.box_tests >= 1);
    c->frames++;
    c->apart += known == GRAZE_VERDICT_NO;
    c->together += known == GRAZE_VERDICT_YES;
    c->hits += with_hit == GRAZE_VERDICT_YES && hit.has_point;
}

/* What is refused without a cache is refused with one, whatever it knows. */
static void check_refused(const graze_placed *a, const graze_placed *b, graze_shape_cache *cache)
{
    graze_shape_options options = graze_shape_options_default();
    graze_verdict verdict = GRAZE_VERDICT_UNKNOWN;
    graze_placed bad = *b;
    options.cache = cache;
    static const double numbers[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3 * 12 * 3; i++) /* in A, in B, in both */
    {
        graze_placed bad_a = *a, bad_b = *b;
        double *of_a = &bad_a.pose.m[i % 36 / 3], *of_b = &bad_b.pose.m[i % 36 / 3];
        *of_a = i / 36 != 1 ? numbers[i % 3] : *of_a;
        *of_b = i / 36 != 0 ? numbers[i % 3] : *of_b;
        assert_int_equal(graze_shape_pair_any(NULL, &bad_a, &bad_b, &options, &verdict, NULL), GRAZE_STATUS_NOT_FINITE);
    }
    for (int i = 0; i < 2; i++)
    {
        bad = i == 0 ? *a : *b;
        bad.pose.m[0] += 1e-6; /* still apart, or together */
        if (bad.shape->radius > 0)
            assert_int_equal(graze_shape_pair_any(NULL, i == 0 ? &bad : a, i == 0 ? b : &bad, &options, &verdict, NULL),
                             GRAZE_STATUS_NOT_RIGID);
    }
    bad.shape = NULL;
    assert_int_equal(graze_shape_pair_any(NULL, a, &bad, &options, &verdict, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    assert_int_equal(graze_shape_pair_any(NULL, NULL, b, &options, &verdict, NULL), GRAZE_STATUS_BAD_ARGUMENT);
    options.budget.box_tests = 1;
    assert_int_equal(graze_shape_pair_any(NULL, a, b, &options, &verdict, NULL), GRAZE_STATUS_UNFINISHED);
    assert_int_equal(verdict, GRAZE_VERDICT_UNKNOWN);
}

static void what_a_cache_recalls_is_true(void **state)
{
    (void)state;
    static const graze_shape_kind kinds[] = {GRAZE_SHAPE_HULL, GRAZE_SHAPE_BOX, GRAZE_SHAPE_ROUNDED,
                                             GRAZE_SHAPE_CAPSULE};
    test_random random = test_random_start("recalled verdicts", 43);
    recalled c = {0};
    for (int pair = 0; pair < TEST_ROUNDS(PAIRS); pair++)
    {
        random_shape x, y;
        graze_shape_cache cache = graze_shape_cache_default();
        random_shape_make(&random, kinds[random_below(&random, 4)], &x);
        random_shape_make(&random, kinds[random_below(&random, 4)], &y);
        graze_placed a = {x.shape, random_pose_for(&random, x.shape)}, b = {y.shape, random_pose_for(&random, y.shape)};
        for (int k = 0; k < 3; k++)
            b.pose.m[4 * k + 3] = a.pose.m[4 * k + 3] + 0.5 * random_between(&random, -3, 3);
        double step = random_once_in(&random, 2) ? 0.1 : 0.01;
        for (int frame = 0; frame < FRAMES; frame++)
        {
            check_recalled(&a, &b, &cache, (pair + frame) % ENVIRONMENTS, &c);
            b.pose.m[3 + 4 * (pair % 3)] += step;
        }
        check_refused(&a, &b, &cache);
        random_shape_clear(&x);
        random_shape_clear(&y);
    }
    printf("%d frames, recalled: %d apart, %d together; %d common points\n", c.frames, c.apart, c.together, c.hits);
    assert_true(c.apart > c.frames / 8 && c.together > c.frames / 32 && c.hits > c.frames / 16);
}

/* Boxes whose faces, edges or corners come to touch exactly: planes fail there, and doubles cannot tell. */
static void searches_from_the_cache_decide_contacts_exactly(void **state)
{
    (void)state;
    test_random random = test_random_start("contacts from the cache", 47);
    int touching = 0, known_together = 0, known_apart = 0;
    for (int pair = 0; pair < TEST_ROUNDS(PAIRS); pair++)
    {
        graze_shape *boxes[2];
        graze_shape_cache cache = graze_shape_cache_default();
        graze_placed a = {NULL, graze_pose_identity()}, b = {NULL, graze_pose_identity()};
        double half[2][3];
        for (int i = 0; i < 2; i++)
        {
            double size[3];
            for (int k = 0; k < 3; k++)
                size[k] = 2 * (half[i][k] = 0.5 * random_between(&random, 1, 4));
            assert_int_equal(graze_shape_create_box(NULL, size, &boxes[i]), GRAZE_STATUS_OK);
        }
        a.shape = boxes[0];
        b.shape = boxes[1];
        int axis = random_below(&random, 3);
        for (int k = 0; k < 3; k++) /* often at the end of a face, too */
        {
            a.pose.m[4 * k + 3] = random_between(&random, -8, 8);
            b.pose.m[4 * k + 3] = a.pose.m[4 * k + 3] + (random_once_in(&random, 2) ? half[0][k] + half[1][k] : 0.5);
        }
        for (int step = 2; step >= -1; step--)
        {
            b.pose.m[4 * axis + 3] = a.pose.m[4 * axis + 3] + half[0][axis] + half[1][axis] + step * 0.125;
            grz_shape_query slow = {.slow = true};
            graze_verdict exact;
            assert_int_equal(grz_core_core_decide(&slow, &a, &b, (grz_reach){0, false}, &exact, NULL), GRAZE_STATUS_OK);
            graze_verdict known = grz_hulls_recall(&cache, &a, &b), asked = ask(&a, &b, &cache, NULL, NULL);
            assert_true(known == GRAZE_VERDICT_UNKNOWN || known == exact);
            assert_int_equal(asked, exact);
            touching += step == 0;
            known_together += step == 0 && known == GRAZE_VERDICT_YES;
            known_apart += step > 0 && known == GRAZE_VERDICT_NO;
        }
        graze_shape_destroy(boxes[0]);
        graze_shape_destroy(boxes[1]);
    }
    printf("%d contacts, %d told from the cache; %d times apart\n", touching, known_together, known_apart);
    assert_true(known_together > touching / 4 * 3 && known_apart > touching / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_and_exact_queries_agree),
        cmocka_unit_test(what_a_cache_recalls_is_true),
        cmocka_unit_test(searches_from_the_cache_decide_contacts_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
