/* SPDX-License-Identifier: MIT */
/*
 * Pairs of bodies of which one is curved: verdicts where gaps are known by construction, distances and depths against a
 * search over directions in long double, swapped arguments, every environment, scales from 2^-900 to 2^900.
 */
#include "convex/curved.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/curved_bodies.h"
#include "support/environment.h"
#include "support/unit.h"

enum
{
    SEED = 1807
};

/* Roundings of the coordinates of a body that is placed at a known distance. */
#define CONSTRUCTION 4e-15

static const double GAPS[] = {1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-11, 4e-12, 2e-12};

/* The gap along the common normal is exact. A body that overlaps by it is at least that deep only where one of the two
   is smooth at the contact, so that a ball rolls along inside of M. */
static void touching_bodies_are_told_apart_outside_of_the_width(void **state)
{
    (void)state;
    test_random random = test_random_start("touching bodies", SEED);
    size_t apart = 0, together = 0;
    for (int round = 0; round < TEST_ROUNDS(60); round++)
        for (int i = TEST_CYLINDER; i < TEST_CURVED_KINDS; i++)
            for (int j = TEST_CYLINDER; j < TEST_BODY_KINDS; j++)
            {
                test_body a, b;
                long double w[3];
                test_body_make(&random, (test_body_kind)i, &a);
                test_body_make(&random, (test_body_kind)j, &b);
                reference_direction(&random, w);
                for (size_t g = 0; g < sizeof GAPS / sizeof GAPS[0]; g++)
                {
                    reference_touch(&a.body, &b, w, 0);
                    double gap = GAPS[g] * reference_size(&a.body, &b.body);
                    reference_touch(&a.body, &b, w, gap);
                    assert_int_equal(grz_curved_collide(&a.body, &b.body, NULL), GRAZE_VERDICT_NO);
                    grz_curved_distance d;
                    assert_int_equal(grz_curved_distance_between(&a.body, &b.body, &d), GRAZE_VERDICT_NO);
                    assert_true(d.lower <= gap + CONSTRUCTION && d.upper >= gap - CONSTRUCTION);
                    apart++;
                    bool smooth = i == TEST_ELLIPSOID || j == TEST_ELLIPSOID || j == TEST_BALL || j == TEST_CAPSULE;
                    if (!smooth || GAPS[g] > 1e-2)
                        continue;
                    reference_touch(&a.body, &b, w, -gap);
                    double common[3];
                    assert_int_equal(grz_curved_collide(&a.body, &b.body, common), GRAZE_VERDICT_YES);
                    together++;
                    double size = reference_size(&a.body, &b.body);
                    assert_true(reference_outside(&random, &a.body, common) <= 1e-12 * size);
                    assert_true(reference_outside(&random, &b.body, common) <= 1e-12 * size);
                }
            }
    assert_true(apart > together && together > 2000 / (SUPPORT_SANITIZED ? 4 : 1));
}

/* Parts that touch in a face, an edge or a rim, along an axis: gaps are differences of dyadic numbers. */
static void aligned_bodies_are_told_apart_outside_of_the_width(void **state)
{
    (void)state;
    test_random random = test_random_start("aligned bodies", SEED);
    size_t count = 0;
    for (int i = TEST_CYLINDER; i < TEST_CURVED_KINDS; i++)
        for (int j = TEST_CYLINDER; j <= TEST_BOX; j++)
            for (int axis = 0; axis < 3; axis++)
                for (int side = -1; side <= 1; side += 2)
                    for (size_t g = 1; g < sizeof GAPS / sizeof GAPS[0]; g++)
                    {
                        test_body a, b;
                        test_body_make(&random, (test_body_kind)i, &a);
                        test_body_make(&random, (test_body_kind)j, &b);
                        a.body.pose = b.body.pose = graze_pose_identity();
                        for (int k = 0; k < 3; k++)
                        {
                            a.body.numbers[k] = 1;
                            b.body.numbers[k] = 0.5;
                        }
                        for (int k = 0; j == TEST_BOX && k < 24; k++)
                            b.vertices[k / 3][k % 3] = k / 3 >> k % 3 & 1 ? 0.5 : -0.5;
                        long double w[3] = {0, 0, 0};
                        w[axis] = side;
                        double gap = GAPS[g] * 4;
                        /* Two different bodies with flat sides that touch in a corner: the overlap is flat. */
                        bool flat = axis < 2 && i != j && i != TEST_ELLIPSOID && j != TEST_ELLIPSOID;
                        reference_touch(&a.body, &b, w, gap);
                        assert_int_equal(grz_curved_collide(&a.body, &b.body, NULL), GRAZE_VERDICT_NO);
                        reference_touch(&a.body, &b, w, -gap);
                        graze_verdict verdict = grz_curved_collide(&a.body, &b.body, NULL);
                        assert_int_not_equal(verdict, GRAZE_VERDICT_NO);
                        /* Sharp contacts, such as a tip on a tip, are less deep than this; by less than 8 times. */
                        if (GAPS[g] >= 1e-11 && !flat)
                            assert_int_equal(verdict, GRAZE_VERDICT_YES);
                        count++;
                    }
    assert_int_equal(count, 3 * 4 * 3 * 2 * 8);
}

static void random_offset(test_random *random, double reach, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = random_real(random, -reach, reach);
}

static void check_distance(test_random *random, const grz_convex_body *a, const grz_convex_body *b, double gap)
{
    double size = reference_size(a, b), between = 0;
    grz_curved_distance d;
    graze_verdict verdict = grz_curved_distance_between(a, b, &d);
    assert_int_equal(verdict, grz_curved_collide(a, b, NULL));
    if (verdict == GRAZE_VERDICT_YES)
    {
        assert_true(d.lower == 0 && d.upper == 0);
        return;
    }
    assert_true(d.lower <= d.upper && d.upper - d.lower <= 1e-12 * size);
    assert_true(d.upper >= gap - 1e-15 && d.lower <= gap + 1e-2); /* the search may end on a ridge */
    for (int k = 0; k < 3; k++)
        between += (d.witness_a[k] - d.witness_b[k]) * (d.witness_a[k] - d.witness_b[k]);
    assert_true(fabs(sqrt(between) - d.upper) <= 1e-12 * size);
    assert_true(reference_outside(random, a, d.witness_a) <= 1e-12 * size);
    assert_true(reference_outside(random, b, d.witness_b) <= 1e-12 * size);
    assert_int_equal(grz_curved_within(a, b, d.upper + 3e-12 * size), GRAZE_VERDICT_YES);
    if (d.lower > 3e-12 * size)
        assert_int_equal(grz_curved_within(a, b, d.lower - 3e-12 * size), GRAZE_VERDICT_NO);
}

static void check_depth(const grz_convex_body *a, const grz_convex_body *b, double depth)
{
    double size = reference_size(a, b), length = 0;
    grz_curved_depth d;
    assert_int_equal(grz_curved_depth_of(a, b, &d), GRAZE_VERDICT_YES);
    assert_true(d.lower > 0 && d.lower <= d.upper && d.lower <= depth + 1e-15);
    assert_true(d.upper <= depth + 1e-3 * size && d.upper - d.lower <= 1e-2 * size);
    grz_convex_body moved = *a;
    for (int k = 0; k < 3; k++)
        length += d.translation[k] * d.translation[k];
    length = sqrt(length);
    assert_true(fabs(length - d.upper) <= 1e-12 * size);
    for (int k = 0; k < 3; k++)
        moved.pose.m[4 * k + 3] += d.translation[k] * (1 + 3e-12 * size / length);
    assert_int_equal(grz_curved_collide(&moved, b, NULL), GRAZE_VERDICT_NO);
}

static void distances_and_depths_agree_with_a_search_over_directions(void **state)
{
    (void)state;
    test_random random = test_random_start("distances and depths", SEED);
    size_t apart = 0, together = 0;
    for (int round = 0; round < TEST_ROUNDS(12); round++)
        for (int i = TEST_CYLINDER; i < TEST_CURVED_KINDS; i++)
            for (int j = TEST_CYLINDER; j < TEST_BODY_KINDS; j++)
            {
                test_body a, b;
                double to[3];
                test_body_make(&random, (test_body_kind)i, &a);
                test_body_make(&random, (test_body_kind)j, &b);
                random_offset(&random, 1.2, to);
                test_body_move(&b, to);
                double gap = (double)reference_gap(&random, &a.body, &b.body);
                if (fabs(gap) < 1e-6)
                    continue;
                assert_int_equal(grz_curved_collide(&a.body, &b.body, NULL),
                                 gap > 0 ? GRAZE_VERDICT_NO : GRAZE_VERDICT_YES);
                check_distance(&random, &a.body, &b.body, gap);
                if (gap < 0)
                    check_depth(&a.body, &b.body, -gap);
                apart += gap > 0;
                together += gap < 0;
            }
    assert_true(apart > 50 / (SUPPORT_SANITIZED ? 4 : 1) && together > 50 / (SUPPORT_SANITIZED ? 4 : 1));
}

/* All answers of a pair, by their bits. */
typedef struct answers
{
    graze_verdict collide, within, distance_verdict, depth_verdict;
    grz_curved_distance distance;
    grz_curved_depth depth;
} answers;

static void ask(const grz_convex_body *a, const grz_convex_body *b, double tolerance, answers *out)
{
    memset(out, 0, sizeof *out);
    out->collide = grz_curved_collide(a, b, NULL);
    out->within = grz_curved_within(a, b, tolerance);
    out->distance_verdict = grz_curved_distance_between(a, b, &out->distance);
    out->depth_verdict = grz_curved_depth_of(a, b, &out->depth);
}

static void random_near_pair(test_random *random, test_body *a, test_body *b)
{
    long double w[3];
    test_body_make(random, (test_body_kind)random_below(random, TEST_CURVED_KINDS), a);
    test_body_make(random, (test_body_kind)random_below(random, TEST_BODY_KINDS), b);
    reference_direction(random, w);
    double gap = pow(10, -random_below(random, 15));
    reference_touch(&a->body, b, w, random_once_in(random, 2) ? gap : -gap);
}

static void swapped_arguments_give_the_same_answers(void **state)
{
    (void)state;
    test_random random = test_random_start("swapped arguments", SEED);
    for (int round = 0; round < TEST_ROUNDS(1000); round++)
    {
        test_body a, b;
        answers forth, back;
        random_near_pair(&random, &a, &b);
        ask(&a.body, &b.body, 0.1, &forth);
        ask(&b.body, &a.body, 0.1, &back);
        assert_true(forth.collide == back.collide && forth.within == back.within &&
                    forth.distance_verdict == back.distance_verdict && forth.depth_verdict == back.depth_verdict);
        assert_true(forth.distance.lower == back.distance.lower && forth.distance.upper == back.distance.upper);
        assert_true(forth.depth.lower == back.depth.lower && forth.depth.upper == back.depth.upper);
        for (int k = 0; k < 3; k++)
        {
            assert_true(forth.distance.witness_a[k] == back.distance.witness_b[k]);
            assert_true(forth.distance.witness_b[k] == back.distance.witness_a[k]);
            assert_true(forth.depth.translation[k] == -back.depth.translation[k]);
        }
    }
}

static void every_environment_gives_the_same_answers(void **state)
{
    (void)state;
    test_random random = test_random_start("environments", SEED);
    for (int round = 0; round < TEST_ROUNDS(200); round++)
    {
        test_body a, b;
        answers usual, other;
        random_near_pair(&random, &a, &b);
        ask(&a.body, &b.body, 0.1, &usual);
        for (int environment = 1; environment < ENVIRONMENTS; environment++)
        {
            saved_environment saved;
            environment_enter(&saved, environment);
            ask(&a.body, &b.body, 0.1, &other);
            environment_leave(&saved);
            assert_memory_equal(&usual, &other, sizeof usual);
        }
    }
}

static void scale_body(const test_body *from, int exponent, test_body *to)
{
    *to = *from;
    if (from->body.vertices)
        to->body.vertices = (const double(*)[3])to->vertices;
    for (int k = 0; k < 3; k++)
    {
        to->body.numbers[k] = ldexp(from->body.numbers[k], exponent);
        to->body.pose.m[4 * k + 3] = ldexp(from->body.pose.m[4 * k + 3], exponent);
    }
    to->body.radius = ldexp(from->body.radius, exponent);
    for (int k = 0; k < 3 * TEST_BODY_VERTICES; k++)
        to->vertices[k / 3][k % 3] = ldexp(from->vertices[k / 3][k % 3], exponent);
}

static void answers_scale_with_powers_of_two(void **state)
{
    (void)state;
    test_random random = test_random_start("scales", SEED);
    static const int exponents[] = {-900, -300, -40, 3, 300, 900, 1020};
    for (int round = 0; round < TEST_ROUNDS(200); round++)
    {
        test_body a, b, c, d;
        answers usual, scaled;
        random_near_pair(&random, &a, &b);
        ask(&a.body, &b.body, 0.1, &usual);
        for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++)
        {
            int e = exponents[i];
            scale_body(&a, e, &c);
            scale_body(&b, e, &d);
            ask(&c.body, &d.body, ldexp(0.1, e), &scaled);
            assert_int_equal(usual.collide, scaled.collide);
            assert_int_equal(usual.within, scaled.within);
            assert_true(ldexp(usual.distance.lower, e) == scaled.distance.lower);
            assert_true(ldexp(usual.distance.upper, e) == scaled.distance.upper);
            assert_true(ldexp(usual.depth.lower, e) == scaled.depth.lower);
            assert_true(ldexp(usual.depth.upper, e) == scaled.depth.upper);
        }
    }
}

/* Far ends of the range: never a wrong verdict, no trap, no hang. */
static void any_numbers_are_answered(void **state)
{
    (void)state;
    test_random random = test_random_start("any numbers", SEED);
    size_t decided = 0;
    for (int round = 0; round < TEST_ROUNDS(3000); round++)
    {
        test_body a, b;
        answers found;
        test_body_make(&random, (test_body_kind)random_below(&random, TEST_CURVED_KINDS), &a);
        test_body_make(&random, (test_body_kind)random_below(&random, TEST_BODY_KINDS), &b);
        for (int k = 0; k < 3; k++)
        {
            a.body.numbers[k] = random_once_in(&random, 3) ? 0 : fabs(random_bits_double(&random));
            if (b.body.kind != GRZ_CONVEX_POLYTOPE)
                b.body.numbers[k] = random_once_in(&random, 3) ? 0 : fabs(random_bits_double(&random));
            a.body.pose.m[4 * k + 3] = random_once_in(&random, 3) ? 0 : random_bits_double(&random);
            b.body.pose.m[4 * k + 3] = random_once_in(&random, 3) ? 0 : random_bits_double(&random);
        }
        for (int k = 0; b.body.vertices && k < 3 * TEST_BODY_VERTICES; k++)
            b.vertices[k / 3][k % 3] = random_once_in(&random, 3) ? 0 : random_bits_double(&random);
        ask(&a.body, &b.body, fabs(random_bits_double(&random)), &found);
        assert_true(found.distance.lower <= found.distance.upper);
        assert_true(found.depth.lower <= found.depth.upper);
        assert_false(found.collide == GRAZE_VERDICT_NO && found.depth_verdict == GRAZE_VERDICT_YES);
        assert_false(found.collide == GRAZE_VERDICT_YES && found.distance_verdict == GRAZE_VERDICT_NO);
        decided += found.collide != GRAZE_VERDICT_UNKNOWN;
    }
    assert_true(decided > TEST_ROUNDS(3000) / 4);
}

/* Bodies far from the origin, and vertices far from their frame's: their differences count, not their coordinates. */
static void distance_from_the_origin_does_not_matter(void **state)
{
    (void)state;
    test_random random = test_random_start("far from the origin", SEED);
    size_t decided = 0;
    for (int round = 0; round < TEST_ROUNDS(400); round++)
    {
        test_body a, b;
        answers near, far;
        double to[3];
        test_body_make(&random, (test_body_kind)random_below(&random, TEST_CURVED_KINDS), &a);
        test_body_make(&random, TEST_HULL, &b);
        b.body.pose = graze_pose_identity();
        random_offset(&random, 1.5, to);
        for (int k = 0; k < 3; k++)
            to[k] = rint(ldexp(to[k], 20)) * 0x1p-20;
        for (int k = 0; k < 3 * TEST_BODY_VERTICES; k++)
            b.vertices[k / 3][k % 3] = rint(ldexp(b.vertices[k / 3][k % 3], 20)) * 0x1p-20;
        test_body_move(&b, to);
        ask(&a.body, &b.body, 0.1, &near);
        for (int k = 0; k < 3; k++)
        {
            double offset = ldexp(k + 1, 30);
            for (int i = 0; i < TEST_BODY_VERTICES; i++)
                b.vertices[i][k] += offset;
            a.body.pose.m[4 * k + 3] += 2 * offset;
            b.body.pose.m[4 * k + 3] += offset;
        }
        ask(&a.body, &b.body, 0.1, &far);
        assert_true(near.collide == far.collide && near.within == far.within);
        assert_true(near.distance.lower == far.distance.lower && near.depth.upper == far.depth.upper);
        decided += near.collide != GRAZE_VERDICT_UNKNOWN;
    }
    assert_int_equal(decided, TEST_ROUNDS(400));
}

/* A disk, a segment, a point, a flat ellipse: they cross others, touch them or miss them. */
static void flat_bodies_cross_others(void **state)
{
    (void)state;
    test_random random = test_random_start("flat bodies", SEED);
    static const double numbers[6][3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0.5, 0}, {0, 0, 1}, {0, 0, 0}};
    size_t crossing = 0;
    for (int round = 0; round < TEST_ROUNDS(300); round++)
        for (int i = 0; i < 6; i++)
            for (int j = TEST_CYLINDER; j < TEST_BODY_KINDS; j++)
            {
                test_body a, b;
                test_body_make(&random, (test_body_kind)(i < 3 ? TEST_CYLINDER + i / 2 : TEST_ELLIPSOID), &a);
                test_body_make(&random, (test_body_kind)j, &b);
                memcpy(a.body.numbers, numbers[i], sizeof numbers[i]);
                double to[3];
                random_offset(&random, 0.05, to);
                test_body_move(&b, to);
                bool disk = i == 0 || i == 3, solid = j != TEST_TRIANGLE && j != TEST_SEGMENT;
                graze_verdict verdict = grz_curved_collide(&a.body, &b.body, NULL);
                if (solid && disk) /* its centre is well inside of b, or it goes through b */
                    assert_int_not_equal(verdict, GRAZE_VERDICT_UNKNOWN);
                crossing += verdict == GRAZE_VERDICT_YES;
                to[0] += 5;
                test_body_move(&b, to);
                assert_int_equal(grz_curved_collide(&a.body, &b.body, NULL), GRAZE_VERDICT_NO);
            }
    assert_true(crossing > (size_t)TEST_ROUNDS(300) * 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_bodies_are_told_apart_outside_of_the_width),
        cmocka_unit_test(aligned_bodies_are_told_apart_outside_of_the_width),
        cmocka_unit_test(distances_and_depths_agree_with_a_search_over_directions),
        cmocka_unit_test(swapped_arguments_give_the_same_answers),
        cmocka_unit_test(every_environment_gives_the_same_answers),
        cmocka_unit_test(answers_scale_with_powers_of_two),
        cmocka_unit_test(any_numbers_are_answered),
        cmocka_unit_test(distance_from_the_origin_does_not_matter),
        cmocka_unit_test(flat_bodies_cross_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
