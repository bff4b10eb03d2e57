/* SPDX-License-Identifier: MIT */
/*
 * Vectors in twice the precision of double (base/double_double.h).
 */
#ifndef GRZ_CONVEX_WIDE_VECTOR_H
#define GRZ_CONVEX_WIDE_VECTOR_H

#include <math.h>

#include "base/double_double.h"
#include "math/vector.h"

typedef struct wide3
{
    grz_dd x, y, z;
} wide3;

static inline grz_dd dd_make(double x)
{
    return (grz_dd){x, 0};
}

/* a + b, with an error below 2^-103 of |a| + |b|, where that of dd_add is relative to the sum: half of the operations.
   Low parts and their sum round by 2^-106 of the magnitudes each, and dd_normal by twice that where high parts cancel.
 */
static inline grz_dd dd_sum(grz_dd a, grz_dd b)
{
    grz_dd high = dd_two_sum(a.high, b.high);
    return dd_normal(high.high, high.low + (a.low + b.low));
}

static inline grz_dd dd_difference(grz_dd a, grz_dd b)
{
    return dd_sum(a, dd_negate(b));
}

/* Two steps of long division: relative error a few 2^-104. */
static inline grz_dd dd_divide(grz_dd a, grz_dd b)
{
    double q = a.high / b.high;
    grz_dd rest = dd_subtract(a, dd_scale(b, q));
    double q2 = rest.high / b.high;
    rest = dd_subtract(rest, dd_scale(b, q2));
    return dd_add(dd_normal(q, q2), dd_make(rest.high / b.high));
}

/* One step of Newton's method from the root in doubles; 0 for 0 and below. Relative error a few 2^-104. */
static inline grz_dd dd_square_root(grz_dd a)
{
    if (!(a.high > 0))
        return dd_make(0);
    double root = sqrt(a.high);
    grz_dd rest = dd_subtract(a, dd_two_product(root, root));
    return dd_normal(root, rest.high / (2 * root));
}

static inline wide3 wide3_from(v3 a)
{
    return (wide3){{a.x, 0}, {a.y, 0}, {a.z, 0}};
}

static inline v3 wide3_round(wide3 a)
{
    return v3_make(a.x.high, a.y.high, a.z.high);
}

static inline wide3 wide3_add(wide3 a, wide3 b)
{
    return (wide3){dd_sum(a.x, b.x), dd_sum(a.y, b.y), dd_sum(a.z, b.z)};
}

static inline wide3 wide3_sub(wide3 a, wide3 b)
{
    return (wide3){dd_difference(a.x, b.x), dd_difference(a.y, b.y), dd_difference(a.z, b.z)};
}

static inline wide3 wide3_negate(wide3 a)
{
    return (wide3){dd_negate(a.x), dd_negate(a.y), dd_negate(a.z)};
}

static inline wide3 wide3_scale(grz_dd s, wide3 a)
{
    return (wide3){dd_multiply(s, a.x), dd_multiply(s, a.y), dd_multiply(s, a.z)};
}

static inline grz_dd wide3_dot(wide3 a, wide3 b)
{
    return dd_sum(dd_sum(dd_multiply(a.x, b.x), dd_multiply(a.y, b.y)), dd_multiply(a.z, b.z));
}

static inline wide3 wide3_cross(wide3 a, wide3 b)
{
    return (wide3){dd_difference(dd_multiply(a.y, b.z), dd_multiply(a.z, b.y)),
                   dd_difference(dd_multiply(a.z, b.x), dd_multiply(a.x, b.z)),
                   dd_difference(dd_multiply(a.x, b.y), dd_multiply(a.y, b.x))};
}

#endif
