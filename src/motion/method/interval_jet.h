/* SPDX-License-Identifier: MIT */
/*
 * Numbers with their first and second derivatives by u, v and t, all as intervals: what an expression and its
 * derivatives may be anywhere in a box of (u, v, t). For the interval Newton method (curved_impact.c).
 */
#ifndef GRZ_MOTION_METHOD_INTERVAL_JET_H
#define GRZ_MOTION_METHOD_INTERVAL_JET_H

#include "math/interval.h"

enum
{
    GRZ_JET_U = 0,
    GRZ_JET_V,
    GRZ_JET_T,
    GRZ_JET_VARIABLES,
    GRZ_JET_SECONDS = 6
};

/* Of order 0 only the value is known, of order 1 the first derivatives too. What is computed has the least order of its
   operands. */
typedef struct grz_jet
{
    int order;
    interval value, first[GRZ_JET_VARIABLES];
    interval second[GRZ_JET_SECONDS]; /* uu, uv, ut, vv, vt, tt */
} grz_jet;

/* The place of a second derivative. */
static inline int grz_jet_place(int i, int k)
{
    static const int places[GRZ_JET_VARIABLES][GRZ_JET_VARIABLES] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    return places[i][k];
}

/* Of intervals of which the second is above 0. */
static inline interval grz_interval_divide(interval a, interval b)
{
    double p = a.lower / b.lower, q = a.lower / b.upper, r = a.upper / b.lower, s = a.upper / b.upper;
    if (!(b.lower > 0) || isnan(p) || isnan(q) || isnan(r) || isnan(s))
        return (interval){-INFINITY, INFINITY};
    return interval_outward(interval_min2(interval_min2(p, q), interval_min2(r, s)),
                            interval_max2(interval_max2(p, q), interval_max2(r, s)));
}

/* Of an interval not below 0. */
static inline interval grz_interval_root(interval a)
{
    interval root = interval_outward(a.lower > 0 ? sqrt(a.lower) : 0, sqrt(a.upper));
    root.lower = root.lower > 0 ? root.lower : 0;
    return root;
}

/* The square: never below 0. */
static inline interval grz_interval_square(interval a)
{
    interval square = interval_mul(a, a);
    double least = a.lower > 0 ? a.lower : a.upper < 0 ? -a.upper : 0, low = least * least * (1 - 4 * GRZ_U);
    square.lower = low > 0x1p-1000 ? low : 0;
    return square;
}

static inline grz_jet grz_jet_constant(double x)
{
    grz_jet jet = {.order = 2, .value = {x, x}};
    return jet;
}

static inline grz_jet grz_jet_variable(int which, interval range, int order)
{
    grz_jet jet = {.order = order, .value = range};
    jet.first[which] = interval_point(1);
    return jet;
}

static inline grz_jet grz_jet_add(grz_jet a, grz_jet b)
{
    a.order = a.order < b.order ? a.order : b.order;
    a.value = interval_add(a.value, b.value);
    for (int i = 0; i < GRZ_JET_VARIABLES && a.order > 0; i++)
        a.first[i] = interval_add(a.first[i], b.first[i]);
    for (int i = 0; i < GRZ_JET_SECONDS && a.order > 1; i++)
        a.second[i] = interval_add(a.second[i], b.second[i]);
    return a;
}

static inline grz_jet grz_jet_scale(grz_jet a, double by)
{
    interval factor = interval_point(by);
    a.value = interval_mul(a.value, factor);
    for (int i = 0; i < GRZ_JET_VARIABLES && a.order > 0; i++)
        a.first[i] = interval_mul(a.first[i], factor);
    for (int i = 0; i < GRZ_JET_SECONDS && a.order > 1; i++)
        a.second[i] = interval_mul(a.second[i], factor);
    return a;
}

static inline grz_jet grz_jet_sub(grz_jet a, grz_jet b)
{
    return grz_jet_add(a, grz_jet_scale(b, -1));
}

static inline grz_jet grz_jet_mul(grz_jet a, grz_jet b)
{
    grz_jet jet;
    jet.order = a.order < b.order ? a.order : b.order;
    jet.value = interval_mul(a.value, b.value);
    for (int i = 0; i < GRZ_JET_VARIABLES && jet.order > 0; i++)
    {
        jet.first[i] = interval_add(interval_mul(a.first[i], b.value), interval_mul(a.value, b.first[i]));
        for (int k = i; k < GRZ_JET_VARIABLES && jet.order > 1; k++)
        {
            int at = grz_jet_place(i, k);
            interval mixed = interval_add(interval_mul(a.first[i], b.first[k]), interval_mul(a.first[k], b.first[i]));
            interval own = interval_add(interval_mul(a.second[at], b.value), interval_mul(a.value, b.second[at]));
            jet.second[at] = interval_add(mixed, own);
        }
    }
    return jet;
}

/* f(a), with f, f' and f'' over the values of a. */
static inline grz_jet grz_jet_of(grz_jet a, interval f, interval slope, interval bend)
{
    grz_jet jet = {.order = a.order, .value = f};
    for (int i = 0; i < GRZ_JET_VARIABLES && jet.order > 0; i++)
    {
        jet.first[i] = interval_mul(slope, a.first[i]);
        for (int k = i; k < GRZ_JET_VARIABLES && jet.order > 1; k++)
        {
            int at = grz_jet_place(i, k);
            jet.second[at] = interval_add(interval_mul(bend, interval_mul(a.first[i], a.first[k])),
                                          interval_mul(slope, a.second[at]));
        }
    }
    return jet;
}

static inline grz_jet grz_jet_square(grz_jet a)
{
    grz_jet jet = grz_jet_mul(a, a);
    jet.value = grz_interval_square(a.value);
    return jet;
}

/* 1 / a for a above 0: f' = -f^2, f'' = 2 f^3. */
static inline grz_jet grz_jet_invert(grz_jet a)
{
    interval f = grz_interval_divide(interval_point(1), a.value), square = grz_interval_square(f);
    return grz_jet_of(a, f, interval_mul(interval_point(-1), square),
                      interval_mul(interval_point(2), interval_mul(f, square)));
}

/* 1 / sqrt(a) for a above 0: f' = -f^3 / 2, f'' = 3 f^5 / 4. */
static inline grz_jet grz_jet_invert_root(grz_jet a)
{
    interval f = grz_interval_divide(interval_point(1), grz_interval_root(a.value)), square = grz_interval_square(f);
    interval cube = interval_mul(f, square);
    return grz_jet_of(a, f, interval_mul(interval_point(-0.5), cube),
                      interval_mul(interval_point(0.75), interval_mul(cube, square)));
}

#endif
