/* SPDX-License-Identifier: MIT */
/*
 * Supports of two placed polytopes, and their error bounds. Coordinates are in the world, relative to A's translation:
 * a vertex of A is R_A a there, one of B is R_B b + t with t = t_B - t_A. Both bodies are computed at once, A in the
 * first lane, B in the second.
 *
 * Let S_i be |R_A| |a| + |R_B| |b| + |t| on axis i at most (`size`), u = GRZ_U. First order in u, which factors of 1.5
 * and more cover beyond that:
 *   - A coordinate of R_A a has 3 roundings of its terms, t has one, so that of R_A a - (R_B b + t) errs by 5 u S_i.
 *   - A height w . x by way of q = R^T w: q has 3 roundings of its terms, the product with a vertex 3 more. The gap of
 *     A and B along w, w . t less both heights, errs by 9 u times the sum of |w_i| S_i in all.
 * Denormals: S is between 2^-100 and 2^100 and coordinates count as 2^-400 at least, so that entries of R are below
 * 2^500; coordinates are at most 2^400, or nothing is searched. A term lost in q costs 2^-1022 times a coordinate, a
 * coordinate taken for zero 2^-1022 |q|; with |w| <= 2^110 all such losses are below 2^-405, and TINY covers them.
 *
 * Few vertices are scanned, with many the search climbs along edges. That is right because the graph of a convex
 * polytope's edges has no local maximum of a linear function that is not global; q = R^T w is one, whatever R. In
 * doubles: a vertex whose neighbours are all certainly lower is the highest. Otherwise let P have it and, with each of
 * its vertices, all neighbours that may be as high: the really highest vertex of P has no higher neighbour, in P or
 * not, so it is the highest of all.
 */
#ifndef GRZ_CONVEX_CONVEX_SUPPORT_H
#define GRZ_CONVEX_CONVEX_SUPPORT_H

#include "convex/convex_body.h"
#include "convex/convex_table.h"
#include "math/interval.h"
#include "math/vector.h"
#include "simd/f64x2.h"

#define GRZ_CONVEX_TINY 0x1p-400

/* A vector of A and one of B. */
typedef struct grz_convex_both
{
    f64x2 x, y, z;
} grz_convex_both;

typedef struct grz_convex_operands
{
    const grz_convex_body *bodies[2];
    const grz_convex_body *given[2]; /* as the caller gave them, where the others are scaled: for exact decisions */
    uint32_t starts[2];              /* where the next searches for supports begin */
    f64x2 m[9];                      /* R_A and R_B, row by row */
    v3 between;                      /* t */
    v3 size;                         /* S */
} grz_convex_operands;

/* What a search for a support found. */
typedef struct grz_convex_vertex
{
    uint32_t vertex; /* GRZ_CONVEX_NOT_YET: a scan knows its height only */
    double height;   /* q . v, computed */
    double margin;   /* by which it is higher than its neighbours; INFINITY: no vertex was computed as higher */
} grz_convex_vertex;

#define GRZ_CONVEX_NOT_YET UINT32_MAX

static inline double grz_convex_lane(f64x2 x, int lane)
{
    return f64x2_first(lane == 0 ? x : f64x2_swap(x));
}

static inline v3 grz_convex_of(grz_convex_both x, int lane)
{
    return v3_make(grz_convex_lane(x.x, lane), grz_convex_lane(x.y, lane), grz_convex_lane(x.z, lane));
}

/* R_A a and R_B b. */
static inline grz_convex_both grz_convex_rotate(const grz_convex_operands *o, const double a[3], const double b[3])
{
    f64x2 x = f64x2_make(a[0], b[0]), y = f64x2_make(a[1], b[1]), z = f64x2_make(a[2], b[2]);
    const f64x2 *m = o->m;
    grz_convex_both r;
    r.x = f64x2_add(f64x2_add(f64x2_mul(m[0], x), f64x2_mul(m[1], y)), f64x2_mul(m[2], z));
    r.y = f64x2_add(f64x2_add(f64x2_mul(m[3], x), f64x2_mul(m[4], y)), f64x2_mul(m[5], z));
    r.z = f64x2_add(f64x2_add(f64x2_mul(m[6], x), f64x2_mul(m[7], y)), f64x2_mul(m[8], z));
    return r;
}

/* R_A a and R_B b + t. */
static inline grz_convex_both grz_convex_place(const grz_convex_operands *o, uint32_t a, uint32_t b)
{
    grz_convex_both r = grz_convex_rotate(o, o->bodies[0]->vertices[a], o->bodies[1]->vertices[b]);
    r.x = f64x2_add(r.x, f64x2_make(0, o->between.x));
    r.y = f64x2_add(r.y, f64x2_make(0, o->between.y));
    r.z = f64x2_add(r.z, f64x2_make(0, o->between.z));
    return r;
}

/* The point of the Minkowski difference A - B. */
static inline v3 grz_convex_difference(grz_convex_both both)
{
    return v3_sub(grz_convex_of(both, 0), grz_convex_of(both, 1));
}

/* R_A^T w and -R_B^T w: the directions in which supports of A and B are sought. */
static inline grz_convex_both grz_convex_unrotate(const grz_convex_operands *o, v3 w)
{
    f64x2 x = f64x2_make(w.x, -w.x), y = f64x2_make(w.y, -w.y), z = f64x2_make(w.z, -w.z);
    const f64x2 *m = o->m;
    grz_convex_both r;
    r.x = f64x2_add(f64x2_add(f64x2_mul(m[0], x), f64x2_mul(m[3], y)), f64x2_mul(m[6], z));
    r.y = f64x2_add(f64x2_add(f64x2_mul(m[1], x), f64x2_mul(m[4], y)), f64x2_mul(m[7], z));
    r.z = f64x2_add(f64x2_add(f64x2_mul(m[2], x), f64x2_mul(m[5], y)), f64x2_mul(m[8], z));
    return r;
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

/* Prepares two polytopes with tables at these poses, instead of those of the bodies; false where numbers are beyond the
   limits above. */
static inline bool grz_convex_prepare_at(const grz_convex_body *a, const graze_pose *pose_a, const grz_convex_body *b,
                                         const graze_pose *pose_b, grz_convex_operands *o)
{
    const double *x = pose_a->m, *y = pose_b->m, *largest_a = a->table->largest, *largest_b = b->table->largest;
    f64x2 rows[3];
    for (int i = 0; i < 3; i++)
    {
        f64x2 sum = f64x2_splat(0);
        for (int k = 0; k < 3; k++)
        {
            f64x2 entry = f64x2_make(x[4 * i + k], y[4 * i + k]);
            o->m[3 * i + k] = entry;
            sum = f64x2_add(sum, f64x2_mul(f64x2_abs(entry), f64x2_make(largest_a[k], largest_b[k])));
        }
        rows[i] = f64x2_add(sum, f64x2_swap(sum));
    }
    o->bodies[0] = o->given[0] = a;
    o->bodies[1] = o->given[1] = b;
    o->starts[0] = o->starts[1] = 0;
    o->between = v3_make(y[3] - x[3], y[7] - x[7], y[11] - x[11]);
    o->size = v3_make(f64x2_first(rows[0]) + fabs(o->between.x), f64x2_first(rows[1]) + fabs(o->between.y),
                      f64x2_first(rows[2]) + fabs(o->between.z));
    double total = o->size.x + o->size.y + o->size.z;
    /* shortcut: convex-range */
    return total > 0x1p-99 && total < 0x1p100;
}

static inline bool grz_convex_prepare(const grz_convex_body *a, const grz_convex_body *b, grz_convex_operands *o)
{
    return grz_convex_prepare_at(a, &a->pose, b, &b->pose, o);
}

/* The height of the highest vertex along q: of all, in blocks. */
static inline f64x2 grz_convex_block_heights(const double block[3][GRZ_CONVEX_BLOCK], int k, v3 q)
{
    f64x2 x = f64x2_mul(f64x2_splat(q.x), f64x2_load(block[0] + k)),
          y = f64x2_mul(f64x2_splat(q.y), f64x2_load(block[1] + k)),
          z = f64x2_mul(f64x2_splat(q.z), f64x2_load(block[2] + k));
    return f64x2_add(f64x2_add(x, y), z);
}

static inline double grz_convex_scan(const grz_convex_table *t, v3 q)
{
    f64x2 most[4];
    for (int k = 0; k < 4; k++)
        most[k] = grz_convex_block_heights(t->blocks[0], 2 * k, q);
    for (size_t i = 1; i < t->block_count; i++)
        for (int k = 0; k < 4; k++)
            most[k] = f64x2_max(most[k], grz_convex_block_heights(t->blocks[i], 2 * k, q));
    f64x2 all = f64x2_max(f64x2_max(most[0], most[1]), f64x2_max(most[2], most[3]));
    return f64x2_first(f64x2_max(all, f64x2_swap(all)));
}

static inline grz_convex_vertex grz_convex_climb(const grz_convex_body *body, v3 q, uint32_t start)
{
    const double(*vertices)[3] = body->vertices;
    grz_convex_vertex found = {start, grz_convex_height(q, vertices[start]), 0};
    for (;;)
    {
        uint32_t best = found.vertex;
        double highest = -INFINITY;
        const uint32_t *n = body->neighbours + body->neighbour_starts[found.vertex],
                       *end = body->neighbours + body->neighbour_starts[found.vertex + 1];
        for (; n < end; n++)
        {
            double height = grz_convex_height(q, vertices[*n]);
            best = height > highest ? *n : best;
            highest = height > highest ? height : highest;
        }
        if (!(highest > found.height))
        {
            found.margin = found.height - highest;
            return found;
        }
        found.vertex = best;
        found.height = highest;
    }
}

/* Many vertices without known neighbours. */
grz_convex_vertex grz_convex_scan_all(const grz_convex_body *body, v3 q);

/* The highest vertex of a body along q. */
static inline grz_convex_vertex grz_convex_support(const grz_convex_body *body, v3 q, uint32_t start)
{
    if (body->table->block_count > 0)
        return (grz_convex_vertex){GRZ_CONVEX_NOT_YET, grz_convex_scan(body->table, q), INFINITY};
    if (body->neighbour_starts == NULL)
        return grz_convex_scan_all(body, q);
    return grz_convex_climb(body, q, start);
}

/* The number of the vertex that was found. */
uint32_t grz_convex_found(const grz_convex_body *body, v3 q, const grz_convex_vertex *found);

/* An upper bound of heights along q, less the error bound of heights, by way of neighbours that may be as high. */
double grz_convex_highest_of_ties(const grz_convex_body *body, v3 q, const grz_convex_vertex *found, double error);

static inline double grz_convex_highest(const grz_convex_body *body, v3 q, const grz_convex_vertex *found, double error)
{
    /* shortcut: convex-local-maximum */
    return found->margin > 2 * error ? found->height : grz_convex_highest_of_ties(body, q, found, error);
}

#endif
