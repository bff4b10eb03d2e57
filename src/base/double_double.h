/* SPDX-License-Identifier: MIT */
/*
 * Sums and products in twice the precision of double, after Dekker (1971): a number is the unevaluated sum of two
 * doubles. Relative error of an operation about 1e-31, unless it underflows or overflows.
 */
#ifndef GRZ_BASE_DOUBLE_DOUBLE_H
#define GRZ_BASE_DOUBLE_DOUBLE_H

typedef struct grz_dd
{
    double high, low;
} grz_dd;

/* a + b exactly. */
static inline grz_dd dd_two_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (grz_dd){sum, (a - (sum - part)) + (b - part)};
}

/* a * b exactly. */
static inline grz_dd dd_two_product(double a, double b)
{
    const double splitter = 134217729.0; /* 2^27 + 1 */
    double product = a * b;
    double a_wide = splitter * a, a_high = a_wide - (a_wide - a), a_low = a - a_high;
    double b_wide = splitter * b, b_high = b_wide - (b_wide - b), b_low = b - b_high;
    return (grz_dd){product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)};
}

static inline grz_dd dd_normal(double high, double low)
{
    double sum = high + low;
    return (grz_dd){sum, low - (sum - high)};
}

static inline grz_dd dd_add(grz_dd a, grz_dd b)
{
    grz_dd high = dd_two_sum(a.high, b.high), low = dd_two_sum(a.low, b.low);
    grz_dd sum = dd_normal(high.high, high.low + low.high);
    return dd_normal(sum.high, sum.low + low.low);
}

static inline grz_dd dd_negate(grz_dd a)
{
    return (grz_dd){-a.high, -a.low};
}

static inline grz_dd dd_subtract(grz_dd a, grz_dd b)
{
    return dd_add(a, dd_negate(b));
}

static inline grz_dd dd_multiply(grz_dd a, grz_dd b)
{
    grz_dd product = dd_two_product(a.high, b.high);
    return dd_normal(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static inline grz_dd dd_scale(grz_dd a, double factor)
{
    grz_dd product = dd_two_product(a.high, factor);
    return dd_normal(product.high, product.low + a.low * factor);
}

#endif
