/* SPDX-License-Identifier: MIT */
/*
 * Interval arithmetic: intervals of doubles that certainly contain the exact real number; every operation rounds
 * outward.
 *
 * Outward rounding is done by widening the computed end by a bound on its error, GRZ_U |x| + GRZ_SMALLEST_NORMAL, which
 * holds in every rounding mode and with denormals flushed. So the rounding mode is never switched. Overflow widens to
 * infinity; it gives DBL_MAX in modes that round toward zero, so an end there is taken for overflow.
 */
#ifndef GRZ_MATH_INTERVAL_H
#define GRZ_MATH_INTERVAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/strict_float.h"

/* fl(x op y) = (x op y)(1 + d) with |d| <= GRZ_U in any rounding mode, unless it underflows, which changes the result
   by less than the smallest normal number even when denormals are flushed. */
#define GRZ_U 0x1p-52
#define GRZ_SMALLEST_NORMAL 0x1p-1022

typedef struct interval
{
    double lower, upper;
} interval;

static inline interval interval_point(double x)
{
    interval i = {x, x};
    return i;
}

/* [lower - e, upper + e], where e covers the rounding of both ends and of this very widening. */
static inline interval interval_outward(double lower, double upper)
{
    double e_lower = 2 * GRZ_U * fabs(lower) + 4 * GRZ_SMALLEST_NORMAL;
    double e_upper = 2 * GRZ_U * fabs(upper) + 4 * GRZ_SMALLEST_NORMAL;
    interval i = {lower - e_lower, upper + e_upper};
    /* NaN comes from inf - inf and bounds nothing; an infinite end of the wrong sign bounds by the largest number. */
    if (!(i.lower > -DBL_MAX))
        i.lower = -INFINITY;
    if (!(i.upper < DBL_MAX))
        i.upper = INFINITY;
    if (i.lower > DBL_MAX)
        i.lower = DBL_MAX;
    if (i.upper < -DBL_MAX)
        i.upper = -DBL_MAX;
    return i;
}

static inline interval interval_add(interval a, interval b)
{
    return interval_outward(a.lower + b.lower, a.upper + b.upper);
}

static inline interval interval_sub(interval a, interval b)
{
    return interval_outward(a.lower - b.upper, a.upper - b.lower);
}

static inline double interval_min2(double a, double b)
{
    return a < b || isnan(b) ? a : b;
}

static inline double interval_max2(double a, double b)
{
    return a > b || isnan(b) ? a : b;
}

static inline interval interval_mul(interval a, interval b)
{
    double p = a.lower * b.lower, q = a.lower * b.upper, r = a.upper * b.lower, s = a.upper * b.upper;
    if (isnan(p) || isnan(q) || isnan(r) || isnan(s)) /* 0 times infinity: no bound from products alone */
        return (interval){-INFINITY, INFINITY};
    return interval_outward(interval_min2(interval_min2(p, q), interval_min2(r, s)),
                            interval_max2(interval_max2(p, q), interval_max2(r, s)));
}

static inline interval interval_hull(interval a, interval b)
{
    interval i = {interval_min2(a.lower, b.lower), interval_max2(a.upper, b.upper)};
    return i;
}

static inline bool interval_overlap(interval a, interval b)
{
    return a.lower <= b.upper && b.lower <= a.upper;
}

static inline bool interval_contains(interval a, double x)
{
    return a.lower <= x && x <= a.upper;
}

#endif
