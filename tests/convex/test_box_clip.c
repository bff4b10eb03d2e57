/* SPDX-License-Identifier: MIT */
/*
 * Parallelograms clipped by rectangles against the polygon clipping of Sutherland and Hodgman: the same area and the
 * same bounds, of small integers (corners on sides, edges on edges, one in the other, flat ones) and of any numbers;
 * and each corner lies where its features say.
 */
#include "convex/box_clip.h"

#include <math.h>
#include <stdio.h>

#include "support/random.h"
#include "support/unit.h"

enum
{
    CASES = 60000
};

typedef struct polygon
{
    int count;
    double at[16][2];
} polygon;

static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

static void pair_of(f64x2 a, double out[2])
{
    f64x2_store(out, a);
}

/* ---- the slow twin ---- */

static polygon clip_side(const polygon *p, int axis, double sign, double half)
{
    polygon out = {0, {{0}}};
    for (int i = 0; i < p->count; i++)
    {
        const double *a = p->at[i], *b = p->at[(i + 1) % p->count];
        double in_a = half - sign * a[axis], in_b = half - sign * b[axis];
        if (in_a >= 0)
        {
            out.at[out.count][0] = a[0];
            out.at[out.count++][1] = a[1];
        }
        if ((in_a >= 0) != (in_b >= 0))
        {
            double share = in_a / (in_a - in_b);
            out.at[out.count][0] = a[0] + share * (b[0] - a[0]);
            out.at[out.count++][1] = a[1] + share * (b[1] - a[1]);
        }
    }
    return out;
}

static void corner_of(const double c[2], const double u[2], const double v[2], int i, double out[2])
{
    for (int k = 0; k < 2; k++)
        out[k] = c[k] + signs[i][0] * u[k] + signs[i][1] * v[k];
}

static polygon clip_slowly(const double half[2], const double c[2], const double u[2], const double v[2])
{
    polygon p = {4, {{0}}};
    for (int i = 0; i < 4; i++)
        corner_of(c, u, v, i, p.at[i]);
    for (int side = 0; side < 4 && p.count > 0; side++)
        p = clip_side(&p, side % 2, side < 2 ? 1 : -1, half[side % 2]);
    return p;
}

static double area_of(const polygon *p)
{
    double area = 0;
    for (int i = 0; i < p->count; i++)
    {
        const double *a = p->at[i], *b = p->at[(i + 1) % p->count];
        area += a[0] * b[1] - a[1] * b[0];
    }
    return fabs(area) / 2;
}

static double extreme(const polygon *p, int axis, double sign)
{
    double most = -INFINITY;
    for (int i = 0; i < p->count; i++)
        most = fmax(most, sign * p->at[i][axis]);
    return most;
}

/* ---- features ---- */

static double from_line(const double at[2], const double p[2], const double q[2])
{
    double dx = q[0] - p[0], dy = q[1] - p[1], length = hypot(dx, dy);
    return length == 0 ? 0 : fabs((at[0] - p[0]) * dy - (at[1] - p[1]) * dx) / length;
}

static void check_feature(const double at[2], uint32_t feature, double corners[4][2], double bound)
{
    if (feature == GRZ_CLIP_INSIDE)
        return;
    if (feature < GRZ_CLIP_SIDES)
        assert_true(fabs(at[0] - corners[feature][0]) <= bound && fabs(at[1] - corners[feature][1]) <= bound);
    else
        assert_true(from_line(at, corners[feature - GRZ_CLIP_SIDES], corners[(feature - 3) % 4]) <= bound);
}

typedef struct counters
{
    int all, inside_it, crossing, nothing, turned, eight;
} counters;

static void check(const double half[2], const double c[2], const double u[2], const double v[2], counters *n)
{
    grz_clip_corner corners[GRZ_CLIP_CANDIDATES];
    const grz_parallelogram g = {f64x2_load(c), f64x2_load(u), f64x2_load(v)};
    double of_rectangle[4][2], of_parallelogram[4][2], bound = 1e-13;
    polygon found = {0, {{0}}}, slow = clip_slowly(half, c, u, v);
    unsigned count = grz_box_clip(f64x2_load(half), &g, corners);
    assert_true(count <= GRZ_CLIP_MOST);
    for (int i = 0; i < 4; i++)
    {
        corner_of(c, u, v, i, of_parallelogram[i]);
        for (int k = 0; k < 2; k++)
            of_rectangle[i][k] = signs[i][k] * half[k];
    }
    bool any_side = false, any_own = false;
    for (unsigned i = 0; i < count; i++)
    {
        double *at = found.at[found.count++];
        pair_of(corners[i].at, at);
        check_feature(at, corners[i].of_parallelogram, of_parallelogram, bound);
        check_feature(at, corners[i].of_rectangle, of_rectangle, bound);
        any_side = any_side || corners[i].of_rectangle != GRZ_CLIP_INSIDE;
        any_own = any_own || corners[i].of_parallelogram != GRZ_CLIP_INSIDE;
    }
    assert_true(fabs(area_of(&found) - area_of(&slow)) <= 100 * bound);
    for (int k = 0; k < 4 && area_of(&slow) > 1e-6; k++)
        assert_true(fabs(extreme(&found, k % 2, k < 2 ? 1 : -1) - extreme(&slow, k % 2, k < 2 ? 1 : -1)) <=
                    100 * bound);
    n->all += count == 4 && !any_side;
    n->inside_it += count == 4 && !any_own;
    n->crossing += any_side && any_own;
    n->nothing += count == 0;
    n->turned += u[0] * v[1] - u[1] * v[0] < 0;
    n->eight += count == 8;
}

static double number(test_random *random, bool integers, int most)
{
    return integers ? random_between(random, -most, most) : most * (random_between(random, -100000, 100000) / 100000.0);
}

static void run(bool integers, bool right_angled)
{
    test_random random = test_random_start("parallelograms and rectangles", integers ? 501 : 502);
    counters n = {0};
    for (int i = 0; i < TEST_ROUNDS(CASES); i++)
    {
        double half[2], c[2], u[2], v[2];
        for (int k = 0; k < 2; k++)
        {
            half[k] = integers ? random_between(&random, 1, 4) : random_between(&random, 1, 4000) / 1000.0;
            c[k] = number(&random, integers, 4);
            u[k] = number(&random, integers, 3);
            v[k] = number(&random, integers, 3);
        }
        if (right_angled)
        {
            bool turn = random_once_in(&random, 2);
            u[turn ? 0 : 1] = v[turn ? 1 : 0] = 0;
        }
        check(half, c, u, v, &n);
    }
    printf("%d all, %d of the rectangle, %d crossing, %d nothing, %d turned, %d of eight corners\n", n.all, n.inside_it,
           n.crossing, n.nothing, n.turned, n.eight);
    int cases = TEST_ROUNDS(CASES);
    assert_true(n.all > cases / 400 && n.inside_it > cases / 2000 && n.crossing > cases / 4 &&
                n.nothing > cases / 100 && n.turned > cases / 4 && (right_angled || n.eight > cases / 4000));
}

static void corners_on_sides_are_clipped_as_slowly(void **state)
{
    (void)state;
    run(true, false);
}

static void edges_along_sides_are_clipped_as_slowly(void **state)
{
    (void)state;
    run(true, true);
}

static void any_parallelograms_are_clipped_as_slowly(void **state)
{
    (void)state;
    run(false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_on_sides_are_clipped_as_slowly),
        cmocka_unit_test(edges_along_sides_are_clipped_as_slowly),
        cmocka_unit_test(any_parallelograms_are_clipped_as_slowly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
