/* SPDX-License-Identifier: MIT */
/*
 * Moving features that stay apart; see feature_filter.h.
 *
 * The features meet at a time when the convex hull of the differences of their corners contains 0. So they are apart in
 * an interval of time if a direction has positive inner products with all differences at both of its ends, since these
 * run linearly; or if all Bernstein coefficients of their coplanarity polynomial have one sign. What neither shows is
 * halved.
 *
 * Error bounds, in the default environment, u = 2^-53. Let U[k] be the largest magnitude of axis k among the computed
 * differences at t = 0 and t = 1; each is off by at most u U[k]. All U[k] lie in [2^-200, 2^200], so overflow does not
 * occur, and what underflow loses is below 2^-1074 2^401 while no bound is below 2^-650.
 * - A difference at another dyadic time is a sequence of means of two numbers of at most U[k]; each mean adds one
 * rounding of at most 2 u U[k] before it is halved. After at most DEPTH_MAX means: (1 + DEPTH_MAX) u U[k].
 * - A coefficient is the mean of at most three determinants with 6 products each, of magnitudes that sum up to at most
 *   P = 18 U[0] U[1] U[2]. A product passes 3 roundings of differences, 2 of its own, 3 of sums, 3 of the mean: 12 u P.
 *   Halving takes at most 3 means in a row: 3 DEPTH_MAX u P.
 */
#include "motion/feature_filter.h"

#include <math.h>
#include <string.h>

enum
{
    DEPTH_MAX = 6,
    DIFFERENCES_MAX = 4
};

#define ROUNDING 0x1p-53

/* A part of the time. */
typedef struct piece
{
    double ends[2][DIFFERENCES_MAX][3]; /* differences at its ends */
    double coefficients[4];
    int depth;
} piece;

typedef struct filter
{
    int count; /* of differences */
    double size[3], difference_error[3], volume_error;
} filter;

static double determinant(const double u[3], const double v[3], const double w[3])
{
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/* The Bernstein coefficients of the determinant of three vectors that run linearly. */
static void set_coefficients(const double u[2][3], const double v[2][3], const double w[2][3], double c[4])
{
    c[0] = determinant(u[0], v[0], w[0]);
    c[1] = (determinant(u[1], v[0], w[0]) + determinant(u[0], v[1], w[0]) + determinant(u[0], v[0], w[1])) / 3;
    c[2] = (determinant(u[1], v[1], w[0]) + determinant(u[1], v[0], w[1]) + determinant(u[0], v[1], w[1])) / 3;
    c[3] = determinant(u[1], v[1], w[1]);
}

static bool all_of_one_sign(const double c[4], double error)
{
    bool positive = c[0] > error && c[1] > error && c[2] > error && c[3] > error;
    return positive || (c[0] < -error && c[1] < -error && c[2] < -error && c[3] < -error);
}

/* Whether a coordinate of all differences has one sign. */
static bool axis_separates(const filter *f, const piece *p)
{
    for (int k = 0; k < 3; k++)
    {
        double least = p->ends[0][0][k], most = least;
        for (int i = 0; i < 2 * f->count; i++)
        {
            double x = p->ends[i % 2][i / 2][k];
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        if (least > f->difference_error[k] || most < -f->difference_error[k])
            return true;
    }
    return false;
}

/* Whether the mean of all differences is a separating direction. An inner product passes 3 roundings of products and
   sums, beside the errors of the differences: in all (1 + DEPTH_MAX + 3) u times its magnitudes, and twice that is
   asked for, which covers the rounding of the bound. */
static bool mean_separates(const filter *f, const piece *p)
{
    double n[3] = {0, 0, 0}, magnitude = 0, least = INFINITY;
    for (int i = 0; i < 2 * f->count; i++)
        for (int k = 0; k < 3; k++)
            n[k] += p->ends[i % 2][i / 2][k];
    for (int k = 0; k < 3; k++)
        magnitude += fabs(n[k]) * f->size[k];
    for (int i = 0; i < 2 * f->count; i++)
    {
        const double *d = p->ends[i % 2][i / 2];
        double product = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
        least = product < least ? product : least;
    }
    return least > 2 * (4 + DEPTH_MAX) * ROUNDING * magnitude + 0x1p-600;
}

static bool is_apart(const filter *f, const piece *p)
{
    return all_of_one_sign(p->coefficients, f->volume_error) || axis_separates(f, p) || mean_separates(f, p);
}

/* Both halves, the second in place of the whole. */
static void split(const filter *f, piece *p, piece *first)
{
    p->depth++;
    *first = *p;
    for (int i = 0; i < 3 * f->count; i++)
    {
        double middle = (p->ends[0][i / 3][i % 3] + p->ends[1][i / 3][i % 3]) / 2;
        first->ends[1][i / 3][i % 3] = middle;
        p->ends[0][i / 3][i % 3] = middle;
    }
    double *c = p->coefficients, *b = first->coefficients;
    double c01 = (c[0] + c[1]) / 2, c12 = (c[1] + c[2]) / 2, c23 = (c[2] + c[3]) / 2;
    b[1] = c01;
    b[2] = (c01 + c12) / 2;
    c[1] = (c12 + c23) / 2;
    c[2] = c23;
    b[3] = c[0] = (b[2] + c[1]) / 2;
}

/* The first piece has all its differences and coefficients. */
static bool stays_apart(filter *f, const piece *whole)
{
    piece stack[DEPTH_MAX + 1];
    int count = 1;
    stack[0] = *whole;
    while (count > 0)
    {
        piece *p = &stack[count - 1];
        if (is_apart(f, p))
            count--;
        else if (p->depth == DEPTH_MAX)
            return false;
        else
        {
            split(f, p, p + 1);
            count++;
        }
    }
    return true;
}

/* Sizes and bounds; false where magnitudes do not allow them. */
static bool prepare(filter *f, const piece *whole)
{
    double volume = 18;
    for (int k = 0; k < 3; k++)
    {
        double size = 0;
        for (int i = 0; i < 2 * f->count; i++)
            size = fmax(size, fabs(whole->ends[i % 2][i / 2][k]));
        if (!(size >= 0x1p-200 && size <= 0x1p200))
            return false;
        f->size[k] = size;
        f->difference_error[k] = 2 * (1 + DEPTH_MAX) * ROUNDING * size;
        volume *= size;
    }
    f->volume_error = (16 + 4 * DEPTH_MAX) * ROUNDING * volume;
    return true;
}

static bool decide(filter *f, piece *whole, const int spanning[3])
{
    /* shortcut: moving-features-apart */
    if (!prepare(f, whole))
        return false;
    double vectors[3][2][3];
    for (int i = 0; i < 3; i++)
        for (int t = 0; t < 2; t++)
            memcpy(vectors[i][t], whole->ends[t][spanning[i]], sizeof vectors[i][t]);
    set_coefficients((const double(*)[3])vectors[0], (const double(*)[3])vectors[1], (const double(*)[3])vectors[2],
                     whole->coefficients);
    whole->depth = 0;
    return stays_apart(f, whole);
}

bool grz_vertex_face_apart(double places[4][2][3])
{
    static const int spanning[3] = {0, 1, 2};
    filter f = {.count = 3};
    piece whole;
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 9; i++)
            whole.ends[t][i / 3][i % 3] = places[1 + i / 3][t][i % 3] - places[0][t][i % 3];
    return decide(&f, &whole, spanning);
}

bool grz_edge_edge_apart(double places[4][2][3])
{
    static const int spanning[3] = {0, 1, 3}; /* b0 - a0, b1 - a0, b1 - a1: their determinant is that of the corners */
    filter f = {.count = 4};
    piece whole;
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 12; i++)
            whole.ends[t][i / 3][i % 3] = places[2 + i / 3 % 2][t][i % 3] - places[i / 6][t][i % 3];
    return decide(&f, &whole, spanning);
}
