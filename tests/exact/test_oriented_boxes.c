/* SPDX-License-Identifier: MIT */
/*
 * Oriented boxes overlap exactly when they share a point: compared with solving for the point in integers, for solid,
 * flat and thin boxes, and for boxes that touch, or miss each other by less than the precision of doubles.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "exact/oriented_boxes.h"
#include "support/environment.h"
#include "support/random.h"
#include "support/unit.h"

typedef long long number;

typedef struct lattice_box
{
    number centre[3], axes[3][3];
} lattice_box;

static grz_oriented_box as_doubles(const lattice_box *box, int exponent, double offset)
{
    double centre[3], axes[3][3];
    for (int k = 0; k < 3; k++)
    {
        centre[k] = ldexp((double)box->centre[k] + offset, exponent);
        for (int edge = 0; edge < 3; edge++)
            axes[edge][k] = ldexp((double)box->axes[edge][k], exponent);
    }
    return grz_oriented_box_from_axes(centre, (const double(*)[3])axes);
}

static number dot(const number *a, const number *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const number *a, const number *b, number *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Whether numerator / denominator, with a positive denominator, is in [-1, 1]. */
static bool in_unit(number numerator, number denominator)
{
    return llabs(numerator) <= denominator;
}

/* Whether d = x u + y v + z w with x, y, z in [-1, 1], for u, v, w that are independent as far as they are used. */
static bool is_combination(const number *d, const number *u, const number *v, const number *w, int rank)
{
    number n[3], m[3];
    if (rank == 0)
        return dot(d, d) == 0;
    if (rank == 1)
    {
        cross(d, u, n);
        return dot(n, n) == 0 && in_unit(dot(d, u), dot(u, u));
    }
    cross(u, v, n);
    if (rank == 2)
    {
        number x[3], y[3];
        cross(d, v, x);
        cross(u, d, y);
        return dot(n, d) == 0 && in_unit(dot(x, n), dot(n, n)) && in_unit(dot(y, n), dot(n, n));
    }
    number volume = dot(n, w), sign = volume < 0 ? -1 : 1;
    bool in = in_unit(sign * dot(n, d), sign * volume);
    cross(v, w, m);
    in = in && in_unit(sign * dot(m, d), sign * volume);
    cross(w, u, m);
    return in && in_unit(sign * dot(m, d), sign * volume);
}

static int rank_of(const number *u, const number *v, const number *w)
{
    number n[3], m[3], l[3];
    cross(u, v, n);
    cross(v, w, m);
    cross(u, w, l);
    if (dot(n, w) != 0)
        return 3;
    if (dot(n, n) != 0 || dot(m, m) != 0 || dot(l, l) != 0)
        return 2;
    return dot(u, u) != 0 || dot(v, v) != 0 || dot(w, w) != 0;
}

/* A point of a zonotope is reached with all but `rank` independent edges at an end: all choices are tried. */
static bool meet_by_solving(const lattice_box *a, const lattice_box *b)
{
    const number *edges[6] = {a->axes[0], a->axes[1], a->axes[2], b->axes[0], b->axes[1], b->axes[2]};
    static const number none[3] = {0};
    int rank = 0;
    for (int i = 0; i < 6; i++)
        for (int j = i; j < 6; j++)
            for (int k = j; k < 6; k++)
                rank = rank_of(edges[i], edges[j], edges[k]) > rank ? rank_of(edges[i], edges[j], edges[k]) : rank;
    for (int basis = 0; basis < 64; basis++)
    {
        const number *chosen[3] = {none, none, none};
        int count = 0;
        for (int i = 0; i < 6; i++)
            if ((basis >> i & 1) && count++ < 3)
                chosen[count - 1] = edges[i];
        if (count != rank || rank_of(chosen[0], chosen[1], chosen[2]) != rank)
            continue;
        for (int signs = 0; signs < 64; signs++)
        {
            number d[3];
            for (int k = 0; k < 3; k++)
            {
                d[k] = b->centre[k] - a->centre[k];
                for (int i = 0; i < 6; i++)
                    if ((basis >> i & 1) == 0)
                        d[k] += (signs >> i & 1) ? edges[i][k] : -edges[i][k];
            }
            if ((signs & basis) == 0 && is_combination(d, chosen[0], chosen[1], chosen[2], rank))
                return true;
        }
    }
    return false;
}

static lattice_box random_box(test_random *random)
{
    lattice_box box;
    for (int k = 0; k < 3; k++)
    {
        box.centre[k] = random_between(random, -4, 4);
        for (int edge = 0; edge < 3; edge++)
            box.axes[edge][k] = random_between(random, -2, 2);
    }
    for (int edge = 0; edge < 3; edge++)
        if (random_once_in(random, 4))
            for (int k = 0; k < 3; k++)
                box.axes[edge][k] = random_once_in(random, 2) ? 0 : 2 * box.axes[(edge + 1) % 3][k];
    return box;
}

static void boxes_meet_when_a_point_solves_for_both(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes_meet_when_a_point_solves_for_both", 5);
    int met = 0, apart = 0, exact = 0;
    for (int round = 0; round < 20000; round++)
    {
        lattice_box a = random_box(&random), b = random_box(&random);
        if (random_once_in(&random, 6)) /* in one plane, or on one line */
            for (int edge = 0; edge < 3; edge++)
                for (int k = round % 2; k < 3; k++)
                    a.axes[edge][k] = b.axes[edge][k] = a.centre[k] = b.centre[k] = 0;
        int exponent = random_between(&random, -500, 500);
        double offset = random_once_in(&random, 2) ? 0x1p50 : 0;
        grz_oriented_box x = as_doubles(&a, exponent, offset), y = as_doubles(&b, exponent, offset);
        bool expected = meet_by_solving(&a, &b), settled;
        assert_int_equal(grz_oriented_boxes_overlap(&x, &y, &settled), expected);
        assert_int_equal(grz_oriented_boxes_overlap(&y, &x, NULL), expected);
        met += expected;
        apart += !expected;
        exact += !settled;
    }
    printf("%d met, %d were apart, %d needed integers\n", met, apart, exact);
    assert_true(met > 3000 && apart > 3000 && exact > 3000);
}

/* A box at a plane that touches the other, with slopes in the plane: touching, or one unit in 2^52 away. */
static void a_gap_below_the_precision_of_doubles_is_a_gap(void **state)
{
    (void)state;
    test_random random = test_random_start("a_gap_below_the_precision_of_doubles_is_a_gap", 6);
    int unsettled = 0;
    for (int round = 0; round < 2000; round++)
    {
        lattice_box a = random_box(&random), b = random_box(&random);
        number normal[3] = {random_between(&random, -3, 3), random_between(&random, -3, 3), 1}, reach = 1;
        for (int edge = 0; edge < 3; edge++)
            reach += llabs(dot(normal, a.axes[edge])) + llabs(dot(normal, b.axes[edge]));
        b.centre[2] =
            a.centre[2] + reach - normal[0] * (b.centre[0] - a.centre[0]) - normal[1] * (b.centre[1] - a.centre[1]);
        bool settled;
        grz_oriented_box x = as_doubles(&a, 0, 0x1p51), y = as_doubles(&b, 0, 0x1p51);
        assert_false(grz_oriented_boxes_overlap(&x, &y, &settled));
        unsettled += !settled;
    }
    printf("%d needed integers\n", unsettled);
    assert_true(unsettled > 200);
}

static void boxes_along_the_axes_are_taken_without_rounding(void **state)
{
    (void)state;
    test_random random = test_random_start("boxes_along_the_axes_are_taken_without_rounding", 7);
    int met = 0;
    for (int round = 0; round < 5000; round++)
    {
        double lower[2][3], upper[2][3];
        bool expected = true;
        for (int k = 0; k < 3; k++)
        {
            for (int i = 0; i < 2; i++)
            {
                double x = random_once_in(&random, 8) ? random_bits_double(&random) : random_real(&random, -1, 1);
                double y = random_once_in(&random, 8) ? random_bits_double(&random) : random_real(&random, -1, 1);
                lower[i][k] = fmin(x, y);
                upper[i][k] = fmax(x, y);
            }
            if (random_once_in(&random, 3))
                lower[1][k] = random_once_in(&random, 2) ? upper[0][k] : nextafter(upper[0][k], INFINITY);
            if (!isfinite(lower[1][k]))
                lower[1][k] = upper[0][k];
            upper[1][k] = fmax(lower[1][k], upper[1][k]);
            expected = expected && lower[0][k] <= upper[1][k] && lower[1][k] <= upper[0][k];
        }
        grz_oriented_box x = grz_oriented_box_from_corners(lower[0], upper[0]);
        grz_oriented_box y = grz_oriented_box_from_corners(lower[1], upper[1]);
        assert_int_equal(grz_oriented_boxes_overlap(&x, &y, NULL), expected);
        met += expected;
    }
    assert_true(met > 200);
}

/* A cube with its edges in any order and sign, so that each separating axis occurs with one sign only, and a point on
   one of its faces or a rounding beyond. */
static void every_face_separates_whichever_way_edges_are_listed(void **state)
{
    (void)state;
    for (int listing = 0; listing < 48; listing++)
        for (int face = 0; face < 6; face++)
            for (int beyond = 0; beyond < 2; beyond++)
            {
                double axes[3][3] = {{0}}, point[3] = {0, 0, 0};
                static const double centre[3] = {0, 0, 0}, none[3][3] = {{0}};
                for (int edge = 0; edge < 3; edge++)
                {
                    int turned = (edge + listing / 2) % 3;
                    axes[edge][listing % 2 == 0 ? turned : 2 - turned] = (listing / 6 >> edge & 1) != 0 ? -1 : 1;
                }
                point[face % 3] = (face < 3 ? 1 : -1) * (beyond ? 1 + 0x1p-52 : 1);
                grz_oriented_box cube = grz_oriented_box_from_axes(centre, (const double(*)[3])axes);
                grz_oriented_box other = grz_oriented_box_from_axes(point, none);
                assert_int_equal(grz_oriented_boxes_overlap(&cube, &other, NULL), !beyond);
                assert_int_equal(grz_oriented_boxes_overlap(&other, &cube, NULL), !beyond);
            }
}

/* Between corners that are 0, 1 and 2, so that many edges have one end at 0, at scales over the whole range of doubles
   on each axis: in some rounding modes overflow is not infinite, and some environments flush denormals. */
static void sizes_of_every_order_are_decided_in_every_environment(void **state)
{
    (void)state;
    static const double sizes[] = {1, 0x1p-1074, 0x1p-700, 0x1p290, 0x1p340, 0x1p600, 0x1p1020};
    test_random random = test_random_start("sizes_of_every_order_are_decided_in_every_environment", 8);
    int met = 0, count = 20000;
    for (int round = 0; round < count; round++)
    {
        double lower[2][3], upper[2][3];
        bool expected = true;
        for (int k = 0; k < 3; k++)
        {
            double size = sizes[random_below(&random, 7)];
            for (int i = 0; i < 2; i++)
            {
                int from = random_between(&random, -3, 2), to = random_between(&random, from, from + 2);
                lower[i][k] = from * size;
                upper[i][k] = to * size;
            }
            expected = expected && lower[0][k] <= upper[1][k] && lower[1][k] <= upper[0][k];
        }
        grz_oriented_box x = grz_oriented_box_from_corners(lower[0], upper[0]);
        grz_oriented_box y = grz_oriented_box_from_corners(lower[1], upper[1]);
        saved_environment saved;
        environment_enter(&saved, round % ENVIRONMENTS);
        bool given = grz_oriented_boxes_overlap(&x, &y, NULL);
        environment_leave(&saved);
        assert_int_equal(given, expected);
        met += expected;
    }
    printf("%d of %d met\n", met, count);
    assert_in_range(met, count / 20, count / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_meet_when_a_point_solves_for_both),
                                       cmocka_unit_test(a_gap_below_the_precision_of_doubles_is_a_gap),
                                       cmocka_unit_test(boxes_along_the_axes_are_taken_without_rounding),
                                       cmocka_unit_test(every_face_separates_whichever_way_edges_are_listed),
                                       cmocka_unit_test(sizes_of_every_order_are_decided_in_every_environment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
