/* SPDX-License-Identifier: MIT */
/*
 * Verdicts of curved bodies against rational arithmetic: points in cylinders, cones and ellipsoids, and triangles and
 * segments against ellipsoids, whose matrices are taken as they are; around the surface, up to single roundings. YES
 * and NO are never wrong, and UNKNOWN is near the surface.
 */
#include "convex/curved.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/curved_bodies.h"
#include "support/lattice.h"
#include "support/unit.h"

enum
{
    SEED = 1808
};

typedef mpq_t rational3[3];

static void init(rational3 v)
{
    for (int i = 0; i < 3; i++)
        mpq_init(v[i]);
}

static void clear(rational3 v)
{
    for (int i = 0; i < 3; i++)
        mpq_clear(v[i]);
}

static void add_product(mpq_t sum, const mpq_t a, const mpq_t b, int sign)
{
    mpq_t product;
    mpq_init(product);
    mpq_mul(product, a, b);
    if (sign > 0)
        mpq_add(sum, sum, product);
    else
        mpq_sub(sum, sum, product);
    mpq_clear(product);
}

static void dot(mpq_t out, rational3 a, rational3 b)
{
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < 3; i++)
        add_product(out, a[i], b[i], 1);
}

static void cross(rational3 out, rational3 a, rational3 b)
{
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpq_set_ui(out[i], 0, 1);
        add_product(out[i], a[j], b[k], 1);
        add_product(out[i], a[k], b[j], -1);
    }
}

static void subtract(rational3 out, rational3 a, rational3 b)
{
    for (int i = 0; i < 3; i++)
        mpq_sub(out[i], a[i], b[i]);
}

/* y with R y + t = x: by Cramer's rule, with the columns of R. */
static void to_body(const graze_pose *pose, const double x[3], rational3 y)
{
    rational3 columns[3], right, turned;
    mpq_t determinant, entry;
    mpq_inits(determinant, entry, NULL);
    init(right);
    init(turned);
    for (int j = 0; j < 3; j++)
    {
        init(columns[j]);
        for (int i = 0; i < 3; i++)
            rational_set_double(columns[j][i], pose->m[4 * i + j]);
    }
    for (int i = 0; i < 3; i++)
    {
        rational_set_double(right[i], x[i]);
        rational_set_double(entry, pose->m[4 * i + 3]);
        mpq_sub(right[i], right[i], entry);
    }
    cross(turned, columns[1], columns[2]);
    dot(determinant, columns[0], turned);
    for (int j = 0; j < 3; j++)
    {
        cross(turned, columns[(j + 1) % 3], columns[(j + 2) % 3]);
        dot(y[j], right, turned);
        mpq_div(y[j], y[j], determinant);
    }
    for (int j = 0; j < 3; j++)
        clear(columns[j]);
    mpq_clears(determinant, entry, NULL);
    clear(right);
    clear(turned);
}

static bool in_ellipsoid(const double radii[3], rational3 y)
{
    mpq_t sum, scaled, radius;
    mpq_inits(sum, scaled, radius, NULL);
    for (int i = 0; i < 3; i++)
    {
        rational_set_double(radius, radii[i]);
        mpq_div(scaled, y[i], radius);
        add_product(sum, scaled, scaled, 1);
    }
    bool inside = mpq_cmp_ui(sum, 1, 1) <= 0;
    mpq_clears(sum, scaled, radius, NULL);
    return inside;
}

/* Cylinder: |z| <= h / 2, x^2 + y^2 <= r^2. Cone: (x^2 + y^2) h^2 <= r^2 (h / 2 - z)^2. */
static bool in_turned_body(const grz_convex_body *body, rational3 y)
{
    mpq_t half, across, radius, height, left;
    mpq_inits(half, across, radius, height, left, NULL);
    rational_set_double(height, body->numbers[0]);
    rational_set_double(radius, body->numbers[1]);
    mpq_div_2exp(half, height, 1);
    add_product(across, y[0], y[0], 1);
    add_product(across, y[1], y[1], 1);
    mpq_sub(left, half, y[2]);
    bool inside = mpq_sgn(left) >= 0;
    mpq_add(half, half, y[2]);
    inside = inside && mpq_sgn(half) >= 0;
    mpq_mul(radius, radius, radius);
    if (body->kind == GRZ_CONVEX_CONE)
    {
        mpq_mul(left, left, left);
        mpq_mul(radius, radius, left);
        mpq_mul(height, height, height);
        mpq_mul(across, across, height);
    }
    inside = inside && mpq_cmp(across, radius) <= 0;
    mpq_clears(half, across, radius, height, left, NULL);
    return inside;
}

static double small_gap(test_random *random)
{
    double gap = pow(10, random_real(random, -17, -1));
    return random_once_in(random, 2) ? gap : -gap;
}

static void points_in_curved_bodies_agree_with_rationals(void **state)
{
    (void)state;
    test_random random = test_random_start("points in curved bodies", SEED);
    size_t counts[3] = {0, 0, 0}, inside_count = 0;
    rational3 y;
    init(y);
    for (int round = 0; round < TEST_ROUNDS(20000); round++)
    {
        test_body a, b;
        long double w[3];
        double to[3];
        test_body_make(&random, (test_body_kind)(round % TEST_CURVED_KINDS), &a);
        test_body_make(&random, TEST_BALL, &b);
        b.body.radius = 0;
        for (int k = 0; k < 3; k++)
            to[k] = random_real(&random, -2, 2);
        test_body_move(&a, to);
        for (int k = 0; k < 9; k++) /* turned by a matrix that is orthogonal to 1e-9 only */
            a.body.pose.m[k + k / 3] += random_once_in(&random, 2) ? random_real(&random, -2e-10, 2e-10) : 0;
        reference_direction(&random, w);
        double gap = small_gap(&random);
        reference_touch(&a.body, &b, w, gap);
        double point[3] = {b.body.pose.m[3], b.body.pose.m[7], b.body.pose.m[11]};
        to_body(&a.body.pose, point, y);
        bool inside =
            a.body.kind == GRZ_CONVEX_ELLIPSOID ? in_ellipsoid(a.body.numbers, y) : in_turned_body(&a.body, y);
        graze_verdict verdict = grz_curved_collide(&a.body, &b.body, NULL);
        counts[verdict]++;
        inside_count += inside;
        if (verdict != GRAZE_VERDICT_UNKNOWN)
            assert_int_equal(verdict, inside ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
        else if (gap > 0 || a.body.kind == GRZ_CONVEX_ELLIPSOID) /* tips and rims: less deep than the gap */
            assert_true(fabs(gap) <= 1e-12 * reference_size(&a.body, &b.body));
    }
    clear(y);
    assert_true(counts[0] > 1000 / (SUPPORT_SANITIZED ? 4 : 1) && inside_count > 4000 / (SUPPORT_SANITIZED ? 4 : 1));
    assert_true(counts[1] > 4000 / (SUPPORT_SANITIZED ? 4 : 1) && counts[2] > 3000 / (SUPPORT_SANITIZED ? 4 : 1));
}

/* The square of the origin's distance from the segment, if less than `best`. */
static void segment_distance(rational3 p, rational3 q, mpq_t best)
{
    rational3 d;
    mpq_t along, length, square;
    init(d);
    mpq_inits(along, length, square, NULL);
    subtract(d, q, p);
    dot(along, p, d);
    dot(length, d, d);
    mpq_neg(along, along);
    dot(square, p, p);
    if (mpq_sgn(along) > 0 && mpq_cmp(along, length) >= 0)
        dot(square, q, q);
    else if (mpq_sgn(along) > 0)
    {
        mpq_mul(along, along, along);
        mpq_div(along, along, length);
        mpq_sub(square, square, along);
    }
    if (mpq_cmp(square, best) < 0)
        mpq_set(best, square);
    clear(d);
    mpq_clears(along, length, square, NULL);
}

/* Where the origin projects into the triangle: (p . n)^2 / n^2. */
static void face_distance(rational3 p[3], mpq_t best)
{
    rational3 e, f, n, turned;
    mpq_t height, square;
    init(e);
    init(f);
    init(n);
    init(turned);
    mpq_inits(height, square, NULL);
    subtract(e, p[1], p[0]);
    subtract(f, p[2], p[0]);
    cross(n, e, f);
    dot(square, n, n);
    bool inside = mpq_sgn(square) > 0;
    for (int i = 0; i < 3 && inside; i++)
    {
        cross(turned, p[i], p[(i + 1) % 3]);
        dot(height, turned, n);
        inside = mpq_sgn(height) >= 0;
    }
    dot(height, p[0], n);
    if (inside)
    {
        mpq_mul(height, height, height);
        mpq_div(height, height, square);
        if (mpq_cmp(height, best) < 0)
            mpq_set(best, height);
    }
    clear(e);
    clear(f);
    clear(n);
    clear(turned);
    mpq_clears(height, square, NULL);
}

/* In the frame where the ellipsoid is the unit ball. */
static bool triangle_meets_ellipsoid(const grz_convex_body *ellipsoid, const grz_convex_body *triangle)
{
    rational3 p[3];
    mpq_t best, radius;
    mpq_inits(best, radius, NULL);
    mpq_set_ui(best, 1000000, 1);
    for (int i = 0; i < 3; i++)
    {
        init(p[i]);
        to_body(&ellipsoid->pose, triangle->vertices[(size_t)i % triangle->vertex_count], p[i]);
        for (int k = 0; k < 3; k++)
        {
            rational_set_double(radius, ellipsoid->numbers[k]);
            mpq_div(p[i][k], p[i][k], radius);
        }
    }
    for (int i = 0; i < 3; i++)
        segment_distance(p[i], p[(i + 1) % 3], best);
    face_distance((rational3 *)p, best);
    bool meets = mpq_cmp_ui(best, 1, 1) <= 0;
    for (int i = 0; i < 3; i++)
        clear(p[i]);
    mpq_clears(best, radius, NULL);
    return meets;
}

static void triangles_against_ellipsoids_agree_with_rationals(void **state)
{
    (void)state;
    test_random random = test_random_start("triangles against ellipsoids", SEED);
    size_t counts[3] = {0, 0, 0};
    for (int round = 0; round < TEST_ROUNDS(6000); round++)
    {
        test_body a, b;
        long double w[3];
        test_body_make(&random, TEST_ELLIPSOID, &a);
        test_body_make(&random, random_once_in(&random, 3) ? TEST_SEGMENT : TEST_TRIANGLE, &b);
        double gap = small_gap(&random);
        reference_direction(&random, w);
        if (random_once_in(&random, 2)) /* a face or edge across the direction touches inside of it */
            for (int i = 0; i < 3; i++)
            {
                long double along = 0;
                for (int k = 0; k < 3; k++)
                    along += b.vertices[i][k] * w[k];
                for (int k = 0; k < 3; k++)
                    b.vertices[i][k] -= (double)(along * w[k]);
            }
        b.body.pose = graze_pose_identity();
        reference_touch(&a.body, &b, w, gap);
        if (b.body.vertex_count > 1) /* the touching vertex moves off along the plane, the contact into the middle */
            for (int k = 0; k < 3; k++)
                b.body.pose.m[4 * k + 3] += 0.3 * (b.vertices[1][k] - b.vertices[0][k]);
        for (size_t i = 0; i < b.body.vertex_count; i++) /* placed vertices, rounded, are the input */
            for (int k = 0; k < 3; k++)
                b.vertices[i][k] += b.body.pose.m[4 * k + 3];
        b.body.pose = graze_pose_identity();
        bool meets = triangle_meets_ellipsoid(&a.body, &b.body);
        graze_verdict verdict = grz_curved_collide(&a.body, &b.body, NULL);
        counts[verdict]++;
        if (verdict != GRAZE_VERDICT_UNKNOWN)
            assert_int_equal(verdict, meets ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
    }
    assert_true(counts[1] > 500 / (SUPPORT_SANITIZED ? 4 : 1) && counts[2] > 500 / (SUPPORT_SANITIZED ? 4 : 1));
    assert_true(counts[0] < TEST_ROUNDS(6000) / 2);
}

/* Exact rotations: balls at distances that are sums of dyadic radii, one rounding more and less, and far more. */
static void balls_that_touch_exactly_are_never_told_wrong(void **state)
{
    (void)state;
    test_random random = test_random_start("balls", SEED);
    size_t unknown = 0, decided = 0;
    for (int round = 0; round < TEST_ROUNDS(3000); round++)
    {
        test_body a, b;
        test_body_make(&random, TEST_ELLIPSOID, &a);
        test_body_make(&random, TEST_BALL, &b);
        double radius = random_between(&random, 1, 64) / 32.0, other = random_between(&random, 1, 64) / 32.0;
        a.body.pose = b.body.pose = graze_pose_identity();
        for (int k = 0; k < 3; k++)
            a.body.numbers[k] = radius;
        b.body.radius = other;
        /* 2, 3, 6 and 7 are a Pythagorean quadruple. */
        double factor = (radius + other) / 7, gap = random_once_in(&random, 2) ? 0 : small_gap(&random);
        double to[3] = {2 * factor, 3 * factor, 6 * factor};
        to[random_below(&random, 3)] += gap;
        test_body_move(&b, to);
        rational3 difference;
        mpq_t square, sum;
        init(difference);
        mpq_inits(square, sum, NULL);
        for (int k = 0; k < 3; k++)
            rational_set_double(difference[k], to[k]);
        dot(square, difference, difference);
        rational_set_double(sum, radius + other);
        mpq_mul(sum, sum, sum);
        bool meet = mpq_cmp(square, sum) <= 0;
        graze_verdict verdict = grz_curved_collide(&a.body, &b.body, NULL);
        if (verdict == GRAZE_VERDICT_UNKNOWN)
            assert_true(fabs(gap) <= 4e-12 * (radius + other));
        else
            assert_int_equal(verdict, meet ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO);
        unknown += verdict == GRAZE_VERDICT_UNKNOWN;
        decided += verdict != GRAZE_VERDICT_UNKNOWN;
        clear(difference);
        mpq_clears(square, sum, NULL);
    }
    assert_true(unknown > 500 / (SUPPORT_SANITIZED ? 4 : 1) && decided > 500 / (SUPPORT_SANITIZED ? 4 : 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_in_curved_bodies_agree_with_rationals),
        cmocka_unit_test(triangles_against_ellipsoids_agree_with_rationals),
        cmocka_unit_test(balls_that_touch_exactly_are_never_told_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
