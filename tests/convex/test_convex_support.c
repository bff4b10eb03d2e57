/* SPDX-License-Identifier: MIT */
/*
 * Supports: bounds of heights hold for all vertices, where steps along a chain of vertices are smaller than rounding
 * errors and hill climbing stops early; scans and climbs find the same heights; starts lead to the same vertices.
 */
#include "convex/convex_support.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "support/convex_pairs.h"
#include "support/unit.h"

enum
{
    SEED = 5501,
    CHAIN = 400
};

static double rise; /* of the chain along its length */

/* A prism over a chain of points that rises by `rise` along x, and bends down a little; far away along y, so that
   heights along y and z are rounded by more than a step rises. */
static void make_chain(convex_body *out)
{
    double points[CHAIN][3];
    for (int i = 0; i < CHAIN; i++)
    {
        double x = (double)(i / 2) / (CHAIN / 2 - 1);
        points[i][0] = x;
        points[i][1] = 1000 + i % 2;
        points[i][2] = rise * (x - 0.01 * x * x);
    }
    convex_body_make((const double(*)[3])points, CHAIN, out);
    out->table.block_count = 0;
}

static long double exact_height(const grz_convex_body *body, v3 w, size_t v)
{
    const double *m = body->pose.m, *p = body->vertices[v];
    long double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (i == 0   ? (long double)w.x
                : i == 1 ? (long double)w.y
                         : (long double)w.z) *
               ((long double)m[4 * i] * p[0] + (long double)m[4 * i + 1] * p[1] + (long double)m[4 * i + 2] * p[2]);
    return sum;
}

static void heights_are_bounded_on_nearly_flat_faces(void **state)
{
    (void)state;
    printf("seed %d\n", SEED);
    grz_random random = grz_random_make(SEED);
    size_t stopped = 0;
    for (int round = 0; round < 300; round++)
    {
        convex_body a, b;
        grz_convex_operands o;
        const double origin[1][3] = {{0, 0, 0}};
        rise = grz_random_between(&random, 1e-12, 1e-11);
        make_chain(&a);
        convex_body_make(origin, 1, &b);
        v3 w = v3_make(0, grz_random_between(&random, 0.1, 1), grz_random_between(&random, 0.5, 1));
        assert_true(grz_convex_prepare(&a.body, &b.body, &o));
        v3 local = grz_convex_of(grz_convex_unrotate(&o, w), 0);
        double error = grz_convex_height_error(&o, w);
        grz_convex_vertex found =
            grz_convex_support(&a.body, local, (uint32_t)grz_random_below(&random, a.body.vertex_count));
        double highest = grz_convex_highest(&a.body, local, &found, error);
        long double most = -INFINITY;
        for (size_t v = 0; v < a.body.vertex_count; v++)
            most = fmaxl(most, exact_height(&a.body, w, v));
        assert_true(most <= (long double)highest + 6.0L / 16 * error); /* heights have 6 u of the 16 u */
        stopped += most > (long double)found.height + 6.0L / 16 * error;
        convex_body_release(&a);
        convex_body_release(&b);
    }
    printf("hill climbing stopped early %zu times\n", stopped);
    assert_true(stopped > 20);
}

static void scans_and_climbs_agree(void **state)
{
    (void)state;
    grz_random random = grz_random_make(SEED + 1);
    for (int round = 0; round < 500; round++)
    {
        convex_pair pair;
        convex_pair_make(&random, CONVEX_RANDOM, &pair);
        grz_convex_body body = pair.a.body;
        grz_convex_table scanned;
        v3 q = v3_make(grz_random_between(&random, -1, 1), grz_random_between(&random, -1, 1),
                       grz_random_between(&random, -1, 1));
        body.table = &scanned;
        grz_convex_table_make(&body, &scanned);
        assert_true(scanned.block_count > 0);
        grz_convex_vertex x = grz_convex_support(&body, q, 0);
        x.vertex = grz_convex_found(&body, q, &x);
        scanned.block_count = 0;
        grz_convex_vertex y = grz_convex_support(&body, q, (uint32_t)grz_random_below(&random, body.vertex_count));
        body.neighbour_starts = NULL;
        grz_convex_vertex z = grz_convex_support(&body, q, 0);
        assert_true(x.height == y.height && x.vertex == y.vertex && x.height == z.height && x.vertex == z.vertex);
        assert_true(x.margin > 0 && y.margin > 0);
        convex_pair_release(&pair);
    }
}

/* Vertices that are as high as each other but for the error: the highest of them counts, wherever the search is. */
static void of_ties_the_highest_counts(void **state)
{
    (void)state;
    printf("seed %d\n", SEED + 2);
    grz_random random = grz_random_make(SEED + 2);
    for (int round = 0; round < 300; round++)
    {
        double points[8][3];
        convex_body box;
        for (int v = 0; v < 8; v++)
            for (int k = 0; k < 3; k++)
                points[v][k] = v >> k & 1;
        convex_body_make((const double(*)[3])points, 8, &box);
        v3 q = v3_make(grz_random_between(&random, -0.1, 0.1), grz_random_between(&random, -0.1, 0.1), 1);
        double most = -INFINITY;
        for (uint32_t v = 0; v < 8; v++)
            most = fmax(most, grz_convex_height(q, box.body.vertices[v]));
        for (uint32_t v = 0; v < 8; v++)
        {
            double height = grz_convex_height(q, box.body.vertices[v]);
            if (height < 0.5)
                continue;
            const grz_convex_vertex found = {v, height, 0};
            assert_true(grz_convex_highest_of_ties(&box.body, q, &found, 0.2) == most);
        }
        convex_body_release(&box);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_are_bounded_on_nearly_flat_faces),
        cmocka_unit_test(scans_and_climbs_agree),
        cmocka_unit_test(of_ties_the_highest_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
