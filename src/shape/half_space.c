/* SPDX-License-Identifier: MIT */
/* Placed half-spaces against vertices, balls and half-spaces; see half_space.h. */
#include "shape/half_space.h"

#include <float.h>
#include <math.h>

#include "graze/exact.h"
#include "pair/aabb.h"

static interval sqrt_of(interval square)
{
    double lower = square.lower > 0 ? sqrt(square.lower) : 0, upper = square.upper > 0 ? sqrt(square.upper) : 0;
    interval root = interval_outward(lower, upper);
    root.lower = root.lower > 0 ? root.lower : 0;
    return root;
}

static interval product(double x, double y)
{
    return interval_mul(interval_point(x), interval_point(y));
}

/* d[k] = (row k+1 x row k+2) . n and det R = row 0 . (row 1 x row 2), where the sign of det R is not yet applied. */
static void approximate(grz_half_space *h)
{
    const double *m = h->placed->pose.m, *numbers = h->placed->shape->numbers;
    interval det = interval_point(0), length_sq = interval_point(0), sign = interval_point(h->handedness);
    interval c = interval_point(0);
    for (int k = 0; k < 3; k++)
    {
        const double *p = m + 4 * ((k + 1) % 3), *q = m + 4 * ((k + 2) % 3);
        interval d = interval_point(0);
        for (int j = 0; j < 3; j++)
        {
            int i = (j + 1) % 3, l = (j + 2) % 3;
            interval cofactor = interval_sub(product(p[i], q[l]), product(p[l], q[i]));
            d = interval_add(d, interval_mul(cofactor, interval_point(numbers[j])));
            if (k == 0)
                det = interval_add(det, interval_mul(cofactor, interval_point(m[j])));
        }
        h->direction[k] = interval_mul(d, sign);
        c = interval_add(c, interval_mul(h->direction[k], interval_point(m[4 * k + 3])));
        length_sq = interval_add(length_sq, interval_mul(d, d));
    }
    h->c = interval_add(c, interval_mul(interval_mul(det, sign), interval_point(numbers[3])));
    h->length = sqrt_of(length_sq);
}

bool grz_half_space_place(const graze_placed *placed, grz_half_space *out)
{
    out->placed = placed;
    out->handedness = graze_pose_handedness(&placed->pose);
    out->exact_ready = false;
    if (out->handedness == 0)
        return false;
    approximate(out);
    return true;
}

/* r = p q - s t. */
static void minor(double p, double q, double s, double t, grz_dyadic *r)
{
    grz_dyadic factor, other;
    grz_dyadic_set(&factor, p);
    grz_dyadic_multiply_double(r, &factor, q);
    grz_dyadic_set(&factor, s);
    grz_dyadic_multiply_double(&other, &factor, t);
    grz_dyadic_accumulate(r, &other, true);
}

static void accumulate_scaled(grz_dyadic *r, const grz_dyadic *a, double x, bool negate)
{
    grz_dyadic term;
    grz_dyadic_multiply_double(&term, a, x);
    grz_dyadic_accumulate(r, &term, negate);
}

void grz_half_space_make_exact(grz_half_space *h)
{
    const double *m = h->placed->pose.m, *numbers = h->placed->shape->numbers;
    bool negate = h->handedness < 0;
    grz_dyadic det, cofactor;
    if (h->exact_ready)
        return;
    h->exact_ready = true;
    grz_dyadic_set(&det, 0);
    grz_dyadic_set(&h->exact_c, 0);
    grz_dyadic_set(&h->exact_length_sq, 0);
    for (int k = 0; k < 3; k++)
    {
        const double *p = m + 4 * ((k + 1) % 3), *q = m + 4 * ((k + 2) % 3);
        grz_dyadic *d = &h->exact_direction[k];
        grz_dyadic_set(d, 0);
        for (int j = 0; j < 3; j++)
        {
            int i = (j + 1) % 3, l = (j + 2) % 3;
            minor(p[i], q[l], p[l], q[i], &cofactor);
            accumulate_scaled(d, &cofactor, numbers[j], negate);
            if (k == 0)
                accumulate_scaled(&det, &cofactor, m[j], negate);
        }
        accumulate_scaled(&h->exact_c, d, m[4 * k + 3], false);
        grz_dyadic_accumulate_product(&h->exact_length_sq, d, d, false);
    }
    accumulate_scaled(&h->exact_c, &det, numbers[3], false);
}

interval grz_half_space_height(const grz_half_space *h, const double vertex[3], const graze_pose *pose)
{
    interval at[3], sum = interval_point(0);
    grz_place_point(vertex, pose, at);
    for (int k = 0; k < 3; k++)
        sum = interval_add(sum, interval_mul(h->direction[k], at[k]));
    return interval_sub(sum, h->c);
}

void grz_half_space_exact_height(grz_half_space *h, const double vertex[3], const graze_pose *pose, grz_dyadic *out)
{
    grz_half_space_make_exact(h);
    grz_dyadic at, factor;
    grz_dyadic_set(out, 0);
    grz_dyadic_accumulate(out, &h->exact_c, true);
    for (int k = 0; k < 3; k++)
    {
        const double *row = pose->m + 4 * k;
        grz_dyadic_set(&at, row[3]);
        for (int j = 0; j < 3; j++)
        {
            grz_dyadic_set(&factor, row[j]);
            accumulate_scaled(&at, &factor, vertex[j], false);
        }
        grz_dyadic_accumulate_product(out, &h->exact_direction[k], &at, false);
    }
}

/* Whether height <= sum |d|, or < when strict. */
static bool is_height_within(grz_half_space *h, const grz_dyadic *height, const double *terms, int count, bool strict)
{
    grz_dyadic sum, term, height_sq, sum_sq, reach_sq;
    grz_dyadic_set(&sum, 0);
    for (int i = 0; i < count; i++)
    {
        grz_dyadic_set(&term, terms[i]);
        grz_dyadic_accumulate(&sum, &term, false);
    }
    if (height->sign < 0 || (height->sign == 0 && (!strict || sum.sign > 0)))
        return true;
    grz_dyadic_multiply(&height_sq, height, height);
    grz_dyadic_multiply(&sum_sq, &sum, &sum);
    grz_dyadic_multiply(&reach_sq, &sum_sq, &h->exact_length_sq);
    return grz_dyadic_compare(&height_sq, &reach_sq) <= (strict ? -1 : 0);
}

bool grz_half_space_meets_ball(grz_half_space *h, const double vertex[3], const graze_pose *pose, const double *terms,
                               int count, bool strict)
{
    interval radius = interval_point(0), height = grz_half_space_height(h, vertex, pose);
    for (int i = 0; i < count; i++)
        radius = terms[i] > 0 ? interval_add(radius, interval_point(terms[i])) : radius;
    interval reach = interval_mul(radius, h->length);
    /* shortcut: half-space-by-intervals */
    if (height.upper < reach.lower)
        return true;
    if (height.lower > reach.upper)
        return false;
    grz_dyadic exact;
    grz_half_space_exact_height(h, vertex, pose, &exact);
    return is_height_within(h, &exact, terms, count, strict);
}

/*
 * Two half-spaces {d . x <= c} and {e . x <= f} are disjoint where e = -k d with k > 0 and g = k c + f < 0: x with d .
 * x
 * <= c and d . x >= -f / k. With an axis i on which d is not 0, k = -e_i / d_i; and |d_i| g = |e_i| c + |d_i| f.
 */
typedef struct facing_planes
{
    int axis;
    grz_dyadic gap; /* |d_i| g; the gap in the world is -g / |e| */
} facing_planes;

static int first_axis(const grz_half_space *h)
{
    for (int k = 0; k < 3; k++)
        if (h->exact_direction[k].sign != 0)
            return k;
    return 0;
}

/* False where the normals are not opposite. */
static bool face_each_other(grz_half_space *a, grz_half_space *b, facing_planes *out)
{
    grz_half_space_make_exact(a);
    grz_half_space_make_exact(b);
    const grz_dyadic *d = a->exact_direction, *e = b->exact_direction;
    grz_dyadic turned;
    int i = first_axis(a);
    out->axis = i;
    if (d[i].sign * e[i].sign >= 0)
        return false;
    for (int k = 0; k < 3; k++)
    {
        grz_dyadic_multiply(&turned, &d[i], &e[k]);
        grz_dyadic_accumulate_product(&turned, &d[k], &e[i], true);
        if (turned.sign != 0)
            return false;
    }
    /* |e_i| = -s e_i and |d_i| = s d_i with the sign s of d_i. */
    bool negative = d[i].sign < 0;
    grz_dyadic_set(&out->gap, 0);
    grz_dyadic_accumulate_product(&out->gap, &e[i], &a->exact_c, !negative);
    grz_dyadic_accumulate_product(&out->gap, &d[i], &b->exact_c, negative);
    return true;
}

/* Whether the normals, by intervals, are certainly not opposite. */
static bool certainly_not_facing(const grz_half_space *a, const grz_half_space *b)
{
    const interval *d = a->direction, *e = b->direction;
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        interval turned = interval_sub(interval_mul(d[i], e[j]), interval_mul(d[j], e[i]));
        if (turned.lower > 0 || turned.upper < 0)
            return true;
    }
    return false;
}

bool grz_half_spaces_meet(grz_half_space *a, grz_half_space *b, double tolerance, bool strict)
{
    facing_planes planes;
    /* shortcut: half-spaces-not-parallel */
    if (certainly_not_facing(a, b) || !face_each_other(a, b, &planes))
        return true;
    if (planes.gap.sign > 0 || (planes.gap.sign == 0 && (!strict || tolerance > 0)))
        return true;
    /* (g d_i)^2 against tolerance^2 d_i^2 |e|^2 */
    grz_dyadic gap_sq, reach, reach_sq, scaled;
    grz_dyadic_multiply(&gap_sq, &planes.gap, &planes.gap);
    grz_dyadic_multiply_double(&reach, &a->exact_direction[planes.axis], tolerance);
    grz_dyadic_multiply(&reach_sq, &reach, &reach);
    grz_dyadic_multiply(&scaled, &reach_sq, &b->exact_length_sq);
    return grz_dyadic_compare(&gap_sq, &scaled) <= (strict ? -1 : 0);
}

/* Of numbers with x > 0. */
static interval quotient(interval y, interval x)
{
    if (!(x.lower > 0))
        return (interval){-INFINITY, INFINITY};
    double lower = y.lower / (y.lower < 0 ? x.lower : x.upper), upper = y.upper / (y.upper < 0 ? x.upper : x.lower);
    return isnan(lower) || isnan(upper) ? (interval){-INFINITY, INFINITY} : interval_outward(lower, upper);
}

bool grz_half_spaces_gap(grz_half_space *a, grz_half_space *b, interval *out_gap)
{
    facing_planes planes;
    if (certainly_not_facing(a, b) || !face_each_other(a, b, &planes))
        return false;
    grz_dyadic scaled_sq, d_sq;
    const grz_dyadic *d = &a->exact_direction[planes.axis];
    grz_dyadic_multiply(&d_sq, d, d);
    grz_dyadic_multiply(&scaled_sq, &d_sq, &b->exact_length_sq);
    interval gap = grz_dyadic_bounds(&planes.gap);
    *out_gap = quotient((interval){-gap.upper, -gap.lower}, grz_dyadic_root_bounds(&scaled_sq));
    return true;
}
