/* SPDX-License-Identifier: MIT */
/*
 * Tables for bodies without one, and worlds scaled by a power of two. Scaling R, t and the radius by 2^-k is exact but
 * for numbers that become denormal: each changes by less than 2^-1022, where coordinates are about 1. That is far below
 * what convex_support.h grants for flushed denormals. Exact decisions take the bodies as they were given.
 */
#include "convex/convex_scaling.h"

#include <float.h>

#include "base/bits.h"

/* 2^this is above all magnitudes; INT32_MIN: all are 0. */
static int exponent_of(const double *numbers, int count, int stride)
{
    int most = INT32_MIN;
    for (int i = 0; i < count; i++)
    {
        int exponent = grz_exponent_of(numbers[i * stride]);
        most = exponent > most ? exponent : most;
    }
    return most;
}

static int extent_exponent(const grz_convex_body *body)
{
    int matrix = INT32_MIN, vertices = exponent_of(body->table->largest, 3, 1);
    for (int row = 0; row < 3; row++)
    {
        int e = exponent_of(body->pose.m + 4 * row, 3, 1);
        matrix = e > matrix ? e : matrix;
    }
    return matrix == INT32_MIN || vertices == INT32_MIN ? INT32_MIN : matrix + vertices;
}

/* That of the difference of translations, or above. */
static int between_exponent(const grz_convex_body *a, const grz_convex_body *b)
{
    int most = INT32_MIN;
    for (int axis = 0; axis < 3; axis++)
    {
        double x = a->pose.m[4 * axis + 3], y = b->pose.m[4 * axis + 3];
        if (grz_rank(x) == grz_rank(y))
            continue;
        double between = 0.5 * y - 0.5 * x;
        int e = grz_exponent_of(between);
        e = e == INT32_MIN ? -1074 : e + 1; /* flushed */
        most = e > most ? e : most;
    }
    return most;
}

static void scale_body(grz_convex_body *body, int exponent)
{
    for (int i = 0; i < 12; i++)
        body->pose.m[i] = grz_scale(body->pose.m[i], -exponent);
    body->radius = grz_scale(body->radius, -exponent);
}

static bool is_finite(const grz_convex_body *body)
{
    bool finite = body->radius <= DBL_MAX;
    for (int i = 0; i < 12; i++)
        finite = finite && fabs(body->pose.m[i]) <= DBL_MAX;
    return finite;
}

bool grz_convex_scaled_make(const grz_convex_body *a, const grz_convex_body *b, grz_convex_scaled *out_pair)
{
    grz_convex_scaled *p = out_pair;
    p->a = *a;
    p->b = *b;
    p->is_point = false;
    p->exponent = 0;
    if (a->table == NULL)
        grz_convex_table_make(a, &p->tables[0]);
    p->a.table = a->table != NULL ? a->table : &p->tables[0];
    if (b->table == NULL)
        grz_convex_table_make(b, &p->tables[1]);
    p->b.table = b->table != NULL ? b->table : &p->tables[1];
    p->radius = p->a.radius + p->b.radius;
    if (grz_convex_prepare(&p->a, &p->b, &p->operands))
        return true;
    int x = extent_exponent(&p->a), y = extent_exponent(&p->b), z = between_exponent(a, b);
    x = x > y ? x : y;
    x = x > z ? x : z;
    /* shortcut: convex-single-points */
    p->is_point = x == INT32_MIN;
    if (p->is_point)
        return false;
    p->exponent = x;
    scale_body(&p->a, x);
    scale_body(&p->b, x);
    p->radius = p->a.radius + p->b.radius;
    if (!is_finite(&p->a) || !is_finite(&p->b) || !grz_convex_prepare(&p->a, &p->b, &p->operands))
        return false;
    /* shortcut: convex-scaled */
    p->operands.given[0] = a;
    p->operands.given[1] = b;
    return true;
}

double grz_convex_scaled_raise(double length, int exponent)
{
    double scaled = grz_scale(length, exponent);
    return scaled < 0x1p-1022 && length > 0 ? 0x1p-1022 : scaled;
}
