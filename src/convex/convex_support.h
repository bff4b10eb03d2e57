/* SPDX-License-Identifier: MIT */
/*
 * Supports of two placed polytopes, and their error bounds. Coordinates are in the world, relative to A's translation:
 * a vertex of A is R_A a there, one of B is R_B b + t with t = t_B - t_A.
 *
 * Let S_i be |R_A| |a| + |R_B| |b| + |t| on axis i at most (`size`), u = GRZ_U. First order in u, which factors of 2
 * more than cover:
 *   - A coordinate of R_A a has 3 roundings of its terms, t has one, so that of R_A a - (R_B b + t) errs by 5 u S_i.
 *   - A height w . x by way of q = R^T w: q has 3 roundings of its terms, the product with a vertex 3 more. The gap of
 *     A and B along w, w . t less both heights, errs by 9 u times the sum of |w_i| S_i in all.
 * Denormals: entries of R and coordinates of vertices are at most 2^400 and S between 2^-100 and 2^100, or nothing is
 * searched. A term lost in q costs 2^-1022 times a coordinate, a coordinate taken for zero 2^-1022 |q|; with |w| <=
 * 2^110 all such losses are below 2^-505, and TINY = 2^-500 covers them.
 */
#ifndef GRZ_CONVEX_CONVEX_SUPPORT_H
#define GRZ_CONVEX_CONVEX_SUPPORT_H

#include "convex/convex_body.h"
#include "convex/convex_table.h"
#include "math/interval.h"
#include "math/vector.h"

#define GRZ_CONVEX_TINY 0x1p-500

typedef struct grz_convex_side
{
    const grz_convex_body *body;
    const double *m; /* its pose; perhaps scaled */
    uint32_t start;  /* where the next search for a support begins */
} grz_convex_side;

typedef struct grz_convex_operands
{
    grz_convex_side a, b;
    v3 between; /* t */
    v3 size;    /* S */
} grz_convex_operands;

typedef struct grz_convex_vertex
{
    uint32_t vertex;
    double height; /* q . v, computed */
    double margin; /* how much higher it is than its neighbours: more than twice the error of heights proves that none
                      is higher. INFINITY: none was computed as higher */
} grz_convex_vertex;

static inline v3 grz_convex_rotate(const double *m, const double *v)
{
    return v3_make(m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[4] * v[0] + m[5] * v[1] + m[6] * v[2],
                   m[8] * v[0] + m[9] * v[1] + m[10] * v[2]);
}

static inline v3 grz_convex_unrotate(const double *m, v3 w)
{
    return v3_make(m[0] * w.x + m[4] * w.y + m[8] * w.z, m[1] * w.x + m[5] * w.y + m[9] * w.z,
                   m[2] * w.x + m[6] * w.y + m[10] * w.z);
}

static inline double grz_convex_height(v3 q, const double *v)
{
    return q.x * v[0] + q.y * v[1] + q.z * v[2];
}

/* The error bound of heights and gaps along w. */
static inline double grz_convex_height_error(const grz_convex_operands *o, v3 w)
{
    /* shortcut: convex-height-error */
    return 16 * GRZ_U * (fabs(w.x) * o->size.x + fabs(w.y) * o->size.y + fabs(w.z) * o->size.z) + GRZ_CONVEX_TINY;
}

/* Prepares two polytopes with tables. `poses` are theirs; false where numbers are beyond the limits above. */
bool grz_convex_prepare(const grz_convex_body *a, const grz_convex_body *b, grz_convex_operands *out_operands);

/* The highest vertex of a side along q, from `start` on. */
grz_convex_vertex grz_convex_support(const grz_convex_side *side, v3 q, uint32_t start);

/* An upper bound of heights of a side along q less the error of heights, where the highest was found; by way of its
   neighbours that may be as high, and theirs. */
double grz_convex_highest(const grz_convex_side *side, v3 q, const grz_convex_vertex *found, double error);

#endif
