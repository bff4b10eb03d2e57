/* SPDX-License-Identifier: MIT */
/*
 * Depths of convex bodies against all candidates: normals of faces of both, and products of their edges. The stated
 * translation separates the bodies, by rational arithmetic; it is no longer than stated, and none is shorter than the
 * lower bound.
 */
#include "convex/convex_pair.h"
#include "convex/expanding_polytope.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/convex_pairs.h"
#include "support/environment.h"
#include "support/rationals.h"
#include "support/unit.h"

enum
{
    SEED = 9107,
    MOST_EDGES = 400
};

/* ---- the least support of A - B among candidates ---- */

typedef struct edges
{
    long double at[MOST_EDGES][3];
    size_t count;
} edges;

static void placed(const convex_body *body, size_t v, long double out[3])
{
    const double *m = body->body.pose.m, *p = body->hull->vertices[v];
    for (int i = 0; i < 3; i++)
        out[i] = (long double)m[4 * i] * p[0] + (long double)m[4 * i + 1] * p[1] + (long double)m[4 * i + 2] * p[2] +
                 m[4 * i + 3];
}

static void find_edges(const convex_body *body, edges *out)
{
    const grz_hull *hull = body->hull;
    out->count = 0;
    for (size_t v = 0; v < hull->vertex_count; v++)
        for (uint32_t i = hull->neighbour_starts[v]; i < hull->neighbour_starts[v + 1]; i++)
            if (hull->neighbours[i] > v)
            {
                long double x[3], y[3];
                placed(body, v, x);
                placed(body, hull->neighbours[i], y);
                for (int k = 0; k < 3; k++)
                    out->at[out->count][k] = y[k] - x[k];
                out->count++;
            }
}

static long double support(const convex_body *body, const long double n[3], long double sign)
{
    long double most = -INFINITY;
    for (size_t v = 0; v < body->hull->vertex_count; v++)
    {
        long double p[3];
        placed(body, v, p);
        most = fmaxl(most, sign * (n[0] * p[0] + n[1] * p[1] + n[2] * p[2]));
    }
    return most;
}

static void keep_least(const convex_pair *pair, const long double x[3], const long double y[3], long double *least)
{
    long double n[3], length_x = 0, length_y = 0, length = 0;
    for (int i = 0; i < 3; i++)
    {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        n[i] = x[k] * y[l] - x[l] * y[k];
        length += n[i] * n[i];
        length_x += x[i] * x[i];
        length_y += y[i] * y[i];
    }
    if (!(length > 1e-20L * length_x * length_y))
        return;
    for (int side = -1; side < 2; side += 2)
    {
        long double h = (support(&pair->a, n, side) + support(&pair->b, n, -side)) / sqrtl(length);
        *least = fminl(*least, h);
    }
}

/* Products of edges of the same body give its faces' normals, and others, which do no harm. */
static long double least_support(const convex_pair *pair)
{
    static edges all[2];
    long double least = INFINITY;
    find_edges(&pair->a, &all[0]);
    find_edges(&pair->b, &all[1]);
    for (int i = 0; i < 2; i++)
        for (int k = i; k < 2; k++)
            for (size_t x = 0; x < all[i].count; x++)
                for (size_t y = 0; y < all[k].count; y++)
                    keep_least(pair, all[i].at[x], all[k].at[y], &least);
    if (least == INFINITY) /* points and parallel segments only: flat */
        return 0;
    return least;
}

/* ---- whether a translation separates, exactly ---- */

/* The product of the translation and a placed vertex. */
static void height(const convex_body *body, size_t v, const double n[3], mpq_t out)
{
    mpq_t matrix[12], sum, term, factor;
    rational_matrix_init(matrix);
    rational_matrix_set(matrix, &body->body.pose);
    mpq_inits(sum, term, factor, NULL);
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < 3; i++)
    {
        mpq_set(sum, matrix[4 * i + 3]);
        for (int k = 0; k < 3; k++)
        {
            mpq_set_d(factor, body->hull->vertices[v][k]);
            mpq_mul(term, matrix[4 * i + k], factor);
            mpq_add(sum, sum, term);
        }
        mpq_set_d(factor, n[i]);
        mpq_mul(term, sum, factor);
        mpq_add(out, out, term);
    }
    mpq_clears(sum, term, factor, NULL);
    rational_matrix_clear(matrix);
}

/* A lies below a plane with the translation as normal, B above it after the translation. */
static bool separates(const convex_pair *pair, const double t[3])
{
    mpq_t most, h, length, x;
    mpq_inits(most, h, length, x, NULL);
    for (int i = 0; i < 3; i++)
    {
        mpq_set_d(x, t[i]);
        mpq_mul(x, x, x);
        mpq_add(length, length, x);
    }
    for (size_t v = 0; v < pair->a.hull->vertex_count; v++)
    {
        height(&pair->a, v, t, h);
        if (v == 0 || mpq_cmp(h, most) > 0)
            mpq_set(most, h);
    }
    bool above = true;
    for (size_t v = 0; v < pair->b.hull->vertex_count; v++)
    {
        height(&pair->b, v, t, h);
        mpq_add(h, h, length);
        above = above && mpq_cmp(h, most) >= 0;
    }
    mpq_clears(most, h, length, x, NULL);
    return above;
}

/* ---- tests ---- */

typedef struct tally
{
    size_t pairs, deep, open;
} tally;

static void check_depth(const convex_pair *pair, const grz_convex_depth *r, bool together, long double least, tally *t)
{
    double length = sqrt(r->translation[0] * r->translation[0] + r->translation[1] * r->translation[1] +
                         r->translation[2] * r->translation[2]);
    assert_true(r->lower >= 0 && r->lower <= r->upper);
    assert_true(length <= r->upper * (1 + 1e-15));
    assert_true(r->verdict == GRZ_CONVEX_UNDECIDED || (r->verdict == GRZ_CONVEX_TOGETHER) == together);
    if (!together)
    {
        assert_true(r->lower == 0);
        return;
    }
    assert_true(r->lower <= least * (1 + 1e-15L) + 1e-17L);
    assert_true(r->upper >= least * (1 - 1e-15L));
    if (length > 0)
        assert_true(separates(pair, r->translation));
    t->pairs++;
    t->deep += least > 1e-3L;
    t->open += r->upper - r->lower > 1e-9 + 1e-6 * r->upper;
}

static void depths_are_true(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    oracle *judge = oracle_create();
    grz_convex_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int kind = 0; kind < CONVEX_KINDS; kind++)
    {
        tally t = {0};
        for (int round = 0; round < TEST_ROUNDS(300); round++)
        {
            convex_pair pair;
            grz_convex_depth r;
            convex_pair_make(&random, (convex_pair_kind)kind, &pair);
            bool together = convex_pair_collide_exactly(judge, &pair);
            long double least = least_support(&pair);
            grz_convex_pair_depth(&pair.a.body, &pair.b.body, NULL, 0, &r);
            check_depth(&pair, &r, together, least, &t);
            grz_convex_pair_depth(&pair.a.body, &pair.b.body, &cache, 0, &r);
            check_depth(&pair, &r, together, least, &t);
            convex_pair_release(&pair);
        }
        printf("kind %d: %zu depths, %zu deep, %zu open\n", kind, t.pairs, t.deep, t.open);
        assert_true(t.pairs > (size_t)TEST_ROUNDS(300) / 12);
        assert_true(t.deep > t.pairs / 20 || kind == CONVEX_FLAT || kind == CONVEX_SHEARED);
        assert_true(100 * t.open <= t.pairs);
    }
    oracle_destroy(judge);
}

/* Bodies drift through one another; polytopes of the last step are used. */
static void caches_follow_motion(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    oracle *judge = oracle_create();
    tally t = {0};
    for (int round = 0; round < TEST_ROUNDS(40); round++)
    {
        convex_pair pair;
        convex_pair_make(&random, round % 2 == 0 ? CONVEX_RANDOM : CONVEX_GRID, &pair);
        grz_convex_cache cache;
        memset(&cache, 0, sizeof cache);
        for (int i = 0; i < 30; i++)
        {
            grz_convex_depth r;
            pair.b.body.pose.m[3] += 0.03;
            pair.b.body.pose.m[7] -= 0.01;
            bool together = convex_pair_collide_exactly(judge, &pair);
            grz_convex_pair_depth(&pair.a.body, &pair.b.body, &cache, 0, &r);
            check_depth(&pair, &r, together, least_support(&pair), &t);
        }
        convex_pair_release(&pair);
    }
    printf("%zu depths, %zu deep, %zu open\n", t.pairs, t.deep, t.open);
    assert_true(t.deep > (size_t)TEST_ROUNDS(100) / 2);
    assert_true(100 * t.open <= t.pairs);
    oracle_destroy(judge);
}

/* Boxes of different sizes one after the other: nothing of one is left in the next. */
static void boxes_are_measured_each_by_itself(void **state)
{
    (void)state;
    double corners[2][8][3];
    convex_body bodies[2];
    for (int i = 0; i < 2; i++)
    {
        for (int v = 0; v < 8; v++)
            for (int k = 0; k < 3; k++)
                corners[i][v][k] = (v >> k & 1) * (i == 0 ? 1 : 16) * (k + 1);
        convex_body_make((const double(*)[3])corners[i], 8, &bodies[i]);
    }
    grz_convex_depth r[8];
    for (int round = 0; round < 20; round++)
    {
        for (int i = 0; i < 8; i++) /* without any other call between them */
        {
            const grz_convex_body *body = &bodies[i % 2].body;
            grz_convex_body other = *body;
            other.pose.m[3 + 4 * (i / 2 % 3)] += (i % 2 == 0 ? 0.75 : 12) * (i / 2 % 3 + 1);
            grz_convex_pair_depth(body, &other, NULL, 0, &r[i]);
        }
        for (int i = 0; i < 8; i++) /* a quarter of the edge */
        {
            double way = (i % 2 == 0 ? 0.25 : 4) * (i / 2 % 3 + 1);
            assert_true(r[i].lower <= way && r[i].upper >= way && r[i].upper - r[i].lower < 1e-8);
        }
    }
    convex_body_release(&bodies[0]);
    convex_body_release(&bodies[1]);
}

/* A cache of this pair with any number in it out of range: it is not taken over, and nothing is read with it. */
static void caches_with_a_wrong_number_are_harmless(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 9);
    size_t changed = 0;
    for (int round = 0; round < TEST_ROUNDS(12); round++)
    {
        convex_pair pair;
        convex_pair_make(&random, CONVEX_CONTAINED, &pair);
        grz_convex_cache cache, broken;
        grz_convex_depth first, r;
        memset(&cache, 0, sizeof cache);
        grz_convex_pair_depth(&pair.a.body, &pair.b.body, &cache, 0, &first);
        if (cache.point_count > 0)
            for (size_t i = 0; i < sizeof cache; i += 1 + grz_random_below(&random, 3))
            {
                broken = cache;
                ((unsigned char *)&broken)[i] = UINT8_MAX;
                grz_convex_pair_depth(&pair.a.body, &pair.b.body, &broken, 0, &r);
                assert_true(r.lower <= first.upper && r.upper >= first.lower && r.verdict != GRZ_CONVEX_APART);
                changed++;
            }
        convex_pair_release(&pair);
    }
    printf("%zu caches\n", changed);
    assert_true(changed > (size_t)TEST_ROUNDS(12) * 80);
}

static void depths_are_true_in_every_environment(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 2);
    oracle *judge = oracle_create();
    tally t = {0};
    for (int round = 0; round < TEST_ROUNDS(200); round++)
    {
        convex_pair pair;
        convex_pair_make(&random, (convex_pair_kind)(round % CONVEX_KINDS), &pair);
        bool together = convex_pair_collide_exactly(judge, &pair);
        long double least = least_support(&pair);
        for (int e = 0; e < ENVIRONMENTS; e++)
        {
            saved_environment saved;
            grz_convex_depth r;
            environment_enter(&saved, e);
            grz_convex_pair_depth(&pair.a.body, &pair.b.body, NULL, 0, &r);
            environment_leave(&saved);
            check_depth(&pair, &r, together, least, &t);
        }
        convex_pair_release(&pair);
    }
    printf("%zu depths, %zu deep, %zu open\n", t.pairs, t.deep, t.open);
    assert_true(t.deep > (size_t)TEST_ROUNDS(200) / 2);
    assert_true(50 * t.open <= t.pairs);
    oracle_destroy(judge);
}

/* Radii add to the depth of the cores, or to minus their distance. */
static void radii_add_to_depths(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 3);
    size_t deep = 0, shallow = 0, apart = 0;
    for (int round = 0; round < TEST_ROUNDS(1000); round++)
    {
        convex_pair pair;
        grz_convex_depth r, core;
        grz_convex_distance d;
        const grz_convex_limits limits = {0, INFINITY};
        convex_pair_make(&random, CONVEX_RANDOM, &pair);
        grz_convex_body a = pair.a.body, b = pair.b.body;
        grz_convex_pair_depth(&a, &b, NULL, 0, &core);
        grz_convex_pair_distance(&a, &b, NULL, &limits, &d);
        a.radius = 0.125;
        b.radius = 0.25;
        grz_convex_pair_depth(&a, &b, NULL, 0, &r);
        double expected = core.upper > 0 ? core.upper + 0.375 : fmax(0.375 - d.upper, 0);
        assert_true(fabs(r.lower - expected) < 1e-9 && fabs(r.upper - expected) < 1e-9);
        assert_true(expected > 0 ? r.verdict == GRZ_CONVEX_TOGETHER : r.verdict == GRZ_CONVEX_APART);
        deep += core.upper > 0;
        shallow += core.upper == 0 && expected > 0;
        apart += expected == 0;
        convex_pair_release(&pair);
    }
    printf("%zu deep, %zu shallow, %zu apart\n", deep, shallow, apart);
    assert_true(deep > 30 && shallow > 30 && apart > 30);
}

static void make_box(grz_random *random, convex_body *out)
{
    double points[8][3], half[3];
    for (int k = 0; k < 3; k++)
        half[k] = grz_random_between(random, 0.2, 1);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = (i >> k & 1) != 0 ? half[k] : 0.1 - half[k];
    convex_body_make((const double(*)[3])points, 8, out);
    assert_true(out->table.is_box);
}

/* Boxes whose edges are parallel, nearly so, or not at all. Poses that are no rotations take the other way. */
static void boxes_are_measured_by_their_axes(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 4);
    tally t = {0};
    size_t apart = 0, parallel = 0, products = 0;
    for (int round = 0; round < TEST_ROUNDS(3000); round++)
    {
        static const double angles[6] = {3, 1e-3, 1e-5, 1e-7, 1e-9, 0};
        convex_pair pair;
        grz_convex_depth r;
        double axis[3], at[3], turned[3], angle = angles[round % 6];
        make_box(&random, &pair.a);
        make_box(&random, &pair.b);
        for (int k = 0; k < 3; k++)
        {
            axis[k] = grz_random_between(&random, -1, 1);
            turned[k] = grz_random_between(&random, -1, 1);
            at[k] = grz_random_between(&random, -1.2, 1.2);
        }
        graze_pose common, own;
        graze_pose_from_axis_angle(turned, 1, at, &common);
        graze_pose_from_axis_angle(axis, angle, NULL, &own);
        pair.a.body.pose = common;
        pair.a.body.pose.m[3] = pair.a.body.pose.m[7] = pair.a.body.pose.m[11] = 0;
        graze_pose_compose(&common, &own, &pair.b.body.pose, NULL);
        if (round % 16 == 7) /* no rotation */
            pair.b.body.pose.m[0] *= round % 32 == 7 ? 1 + 1e-10 : 1.25;
        long double least = least_support(&pair);
        grz_convex_pair_depth(&pair.a.body, &pair.b.body, NULL, 0, &r);
        if (fabsl(least) > 1e-9L)
            check_depth(&pair, &r, least > 0, least, &t);
        if (least > 0)
            assert_true(r.upper - r.lower < 1e-6);
        apart += least < 0;
        parallel += least > 0 && angle < 1e-6;
        products += least > 0 && angle > 1e-4;
        convex_pair_release(&pair);
    }
    printf("%zu depths, %zu apart, %zu nearly parallel, %zu not; %zu open\n", t.pairs, apart, parallel, products,
           t.open);
    assert_true(apart > 50 && parallel > 50 && products > 50);
}

/* A polytope that was kept is taken over with the vertices it was made of. */
static void kept_polytopes_have_their_vertices(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 10);
    size_t loaded = 0;
    for (int round = 0; round < TEST_ROUNDS(60); round++)
    {
        convex_pair pair;
        convex_pair_make(&random, round % 2 == 0 ? CONVEX_CONTAINED : CONVEX_RANDOM, &pair);
        grz_convex_cache cache;
        grz_convex_depth depth;
        grz_gjk g;
        static grz_expanding_polytope p;
        memset(&cache, 0, sizeof cache);
        memset(&p, 0xff, sizeof p);
        grz_convex_pair_depth(&pair.a.body, &pair.b.body, &cache, 0, &depth);
        if (pair.a.body.table != NULL && pair.b.body.table != NULL &&
            grz_convex_prepare(&pair.a.body, &pair.b.body, &g.operands) && grz_expanding_polytope_load(&g, &cache, &p))
        {
            assert_int_equal(p.point_count, cache.point_count);
            for (unsigned i = 0; i < p.point_count; i++)
                assert_true(p.vertices[i][0] == cache.points[i][0] && p.vertices[i][1] == cache.points[i][1]);
            loaded++;
        }
        convex_pair_release(&pair);
    }
    assert_true(loaded > (size_t)TEST_ROUNDS(60) / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_are_true),
        cmocka_unit_test(caches_follow_motion),
        cmocka_unit_test(boxes_are_measured_each_by_itself),
        cmocka_unit_test(caches_with_a_wrong_number_are_harmless),
        cmocka_unit_test(kept_polytopes_have_their_vertices),
        cmocka_unit_test(depths_are_true_in_every_environment),
        cmocka_unit_test(radii_add_to_depths),
        cmocka_unit_test(boxes_are_measured_by_their_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
