/* SPDX-License-Identifier: MIT */
/*
 * Overlaps of two boxes (Gottschalk, Lin, Manocha, "OBBTree", 1996), two numbers at a time: row i of C = R_A^T R_B is
 * the sum of rows of R_B, each times an entry of R_A, so that the rows of the poses are loaded as they are. In the
 * place of B's translation stands D, whose products with A's axes come out beside C.
 *
 * On the product of axis i of A and axis k of B, with i1, i2 and k1, k2 the axes that follow in turn, the overlap times
 * the length of the product is x_i1 |C_i2,k| + x_i2 |C_i1,k| + y_k1 |C_i,k2| + y_k2 |C_i,k1| - |D_i2 C_i1,k - D_i1
 * C_i2,k|, D in A's frame, and the square of the length C_i1,k^2 + C_i2,k^2.
 */
#include "convex/box_overlaps.h"

#include <math.h>

#include "math/interval.h"

#define SHORTEST_SQ 0x1p-52 /* square of the length of axes, as in box_axes.c */
#define MOST_DEFECT 0x1p-40 /* of R^T R - I of both together */
#define LARGEST 0x1p90      /* sizes beyond it, or below 1 / it, are left to the general way */

/* The rows of a pose, their entries in pairs. */
typedef struct pose_rows
{
    f64x2 low[3], high[3];
} pose_rows;

static pose_rows load_rows(const graze_pose *pose)
{
    pose_rows rows;
    for (int i = 0; i < 3; i++)
    {
        rows.low[i] = f64x2_load(pose->m + 4 * i);
        rows.high[i] = f64x2_load(pose->m + 4 * i + 2);
    }
    return rows;
}

static inline f64x2 sum_of_three(f64x2 a, f64x2 b, f64x2 c)
{
    return f64x2_add(f64x2_add(a, b), c);
}

static inline f64x2 column_product(const f64x2 a[3], const f64x2 b[3])
{
    return sum_of_three(f64x2_mul(a[0], b[0]), f64x2_mul(a[1], b[1]), f64x2_mul(a[2], b[2]));
}

/* The sum of the |entries| of R^T R - I of both, each once: the largest would lose NaN. A's columns are in the first
   lane, B's in the second. */
static inline double defect_of(const pose_rows *a, const pose_rows *b)
{
    const f64x2 one = f64x2_splat(1);
    f64x2 columns[3][3], sum = f64x2_splat(0);
    for (int i = 0; i < 3; i++)
    {
        columns[0][i] = f64x2_unpack_low(a->low[i], b->low[i]);
        columns[1][i] = f64x2_unpack_high(a->low[i], b->low[i]);
        columns[2][i] = f64x2_unpack_low(a->high[i], b->high[i]);
    }
    for (int i = 0; i < 3; i++)
    {
        sum = f64x2_add(sum, f64x2_abs(f64x2_sub(column_product(columns[i], columns[i]), one)));
        sum = f64x2_add(sum, f64x2_abs(column_product(columns[i], columns[i < 2 ? i + 1 : 0])));
    }
    return f64x2_first(f64x2_add(sum, f64x2_swap(sum)));
}

/* The vector between the centres: translations are subtracted before they are rounded to anything. */
static inline void set_difference(const grz_placed_box *a, const grz_placed_box *b, double d[3])
{
    const double *x = a->pose->m, *y = b->pose->m;
    for (int i = 0; i < 3; i++)
        d[i] = y[4 * i + 3] - x[4 * i + 3];
    if (a->features->is_centred && b->features->is_centred)
        return;
    const double *p = a->features->centre, *q = b->features->centre;
    for (int i = 0; i < 3; i++)
        d[i] -= (x[4 * i] * p[0] + x[4 * i + 1] * p[1] + x[4 * i + 2] * p[2]) -
                (y[4 * i] * q[0] + y[4 * i + 1] * q[1] + y[4 * i + 2] * q[2]);
}

bool grz_box_overlaps_prepare(const grz_placed_box *a, const grz_placed_box *b, grz_box_overlaps *p)
{
    pose_rows rows_a = load_rows(a->pose), rows_b = load_rows(b->pose);
    if (!(defect_of(&rows_a, &rows_b) + 8 * GRZ_U < MOST_DEFECT))
        return false;
    f64x2 differences[3], low[3], high[3];
    p->box[0] = a;
    p->box[1] = b;
    p->half[0] = a->features->half;
    p->half[1] = b->features->half;
    set_difference(a, b, p->d);
    double size = a->features->size + b->features->size + fabs(p->d[0]) + fabs(p->d[1]) + fabs(p->d[2]);
    if (!(size < LARGEST && size > 1 / LARGEST))
        return false;
    for (int i = 0; i < 3; i++)
    {
        differences[i] = f64x2_splat(p->d[i]);
        low[i] = rows_b.low[i];
        high[i] = f64x2_unpack_low(rows_b.high[i], differences[i]);
    }
    for (int k = 0; k < 3; k++)
    {
        f64x2 column[3];
        for (int i = 0; i < 3; i++)
        {
            f64x2 pair = k < 2 ? rows_a.low[i] : rows_a.high[i];
            column[i] = k == 1 ? f64x2_unpack_high(pair, pair) : f64x2_unpack_low(pair, pair);
        }
        f64x2_store(p->c[k], column_product(column, low));
        f64x2_store(p->c[k] + 2, column_product(column, high));
    }
    f64x2_store(p->between, column_product(differences, low));
    f64x2_store(p->between + 2, column_product(differences, high));
    return true;
}

static inline double overlap_of_face_a(const grz_box_overlaps *p, uint32_t i)
{
    const double *y = p->half[1], *c = p->c[i];
    return p->half[0][i] + (fabs(c[0]) * y[0] + fabs(c[1]) * y[1] + fabs(c[2]) * y[2]) - fabs(c[3]);
}

static inline double overlap_of_face_b(const grz_box_overlaps *p, uint32_t i)
{
    const double *x = p->half[0];
    return p->half[1][i] + (fabs(p->c[0][i]) * x[0] + fabs(p->c[1][i]) * x[1] + fabs(p->c[2][i]) * x[2]) -
           fabs(p->between[i]);
}

/* On a_i x b_k, times its length. */
static double overlap_of_edges(const grz_box_overlaps *p, uint32_t i, uint32_t k, double *length_sq)
{
    const double *x = p->half[0], *y = p->half[1];
    uint32_t i1 = i < 2 ? i + 1 : 0, i2 = i > 0 ? i - 1 : 2, k1 = k < 2 ? k + 1 : 0, k2 = k > 0 ? k - 1 : 2;
    double c1 = p->c[i1][k], c2 = p->c[i2][k];
    *length_sq = c1 * c1 + c2 * c2;
    return x[i1] * fabs(c2) + x[i2] * fabs(c1) + y[k1] * fabs(p->c[i][k2]) + y[k2] * fabs(p->c[i][k1]) -
           fabs(p->c[i2][3] * c1 - p->c[i1][3] * c2);
}

double grz_box_overlap_on(const grz_box_overlaps *p, uint32_t axis)
{
    double length_sq;
    if (axis < 6)
        return axis < 3 ? overlap_of_face_a(p, axis) : overlap_of_face_b(p, axis - 3);
    double overlap = overlap_of_edges(p, (axis - 6) / 3, (axis - 6) % 3, &length_sq);
    return length_sq < SHORTEST_SQ ? INFINITY : overlap / sqrt(length_sq);
}

/* C and its magnitudes by rows, and half edges, as pairs. */
typedef struct product_rows
{
    f64x2 c01[3], c2[3]; /* in the second lane of c2: a_i . D, or anything */
    f64x2 size01[3], size2[3];
    f64x2 x[3], d[3];          /* half edges of A and D, in both lanes */
    f64x2 y01, y12, y20, last; /* half edges of B; last: y2 and -1 */
} product_rows;

static inline void load_products(const grz_box_overlaps *p, product_rows *r)
{
    const double *x = p->half[0], *y = p->half[1];
    for (int i = 0; i < 3; i++)
    {
        r->c01[i] = f64x2_load(p->c[i]);
        r->c2[i] = f64x2_load(p->c[i] + 2);
        r->size01[i] = f64x2_abs(r->c01[i]);
        r->size2[i] = f64x2_abs(r->c2[i]);
        r->x[i] = f64x2_splat(x[i]);
        r->d[i] = f64x2_unpack_high(r->c2[i], r->c2[i]);
    }
    r->y01 = f64x2_make(y[0], y[1]);
    r->y12 = f64x2_make(y[1], y[2]);
    r->y20 = f64x2_make(y[2], y[0]);
    r->last = f64x2_make(y[2], -1);
}

/* The overlaps on the axes of A, two and one, and on those of B. */
static inline void overlaps_of_faces(const grz_box_overlaps *p, const product_rows *r, double a[4], double b[4])
{
    f64x2 sums[3];
    for (int i = 0; i < 3; i++)
        sums[i] = f64x2_add(f64x2_mul(r->size01[i], r->y01), f64x2_mul(r->size2[i], r->last));
    f64x2_store(a, f64x2_add(f64x2_add(f64x2_unpack_low(sums[0], sums[1]), f64x2_unpack_high(sums[0], sums[1])),
                             f64x2_load(p->half[0])));
    a[2] = f64x2_first(f64x2_add(f64x2_add(sums[2], f64x2_swap(sums[2])), r->x[2]));
    f64x2 of_b = f64x2_add(column_product(r->x, r->size01), r->y01), of_b2 = column_product(r->x, r->size2);
    f64x2_store(b, f64x2_sub(of_b, f64x2_abs(f64x2_load(p->between))));
    b[2] = f64x2_first(of_b2) + p->half[1][2] - fabs(p->between[2]);
}

/* Bits of k (0, 1; 2) where the product of axes i and k of either may have an overlap below the one whose square, with
   its sign, is given. */
static inline unsigned edges_below(const product_rows *r, int i, f64x2 square)
{
    int i1 = i < 2 ? i + 1 : 0, i2 = i > 0 ? i - 1 : 2;
    f64x2 own = r->size01[i], own2 = r->size2[i];
    f64x2 size20 = f64x2_unpack_low(own2, own),           /* |C_i2|, |C_i0| */
        size12 = f64x2_unpack_low(f64x2_swap(own), own2); /* |C_i1|, |C_i2| */
    f64x2 of_b = f64x2_add(f64x2_mul(r->y12, size20), f64x2_mul(r->y20, size12));
    f64x2 of_b2 = f64x2_mul(r->y01, f64x2_swap(own));
    of_b2 = f64x2_add(of_b2, f64x2_swap(of_b2));
    f64x2 of_a = f64x2_add(f64x2_mul(r->x[i1], r->size01[i2]), f64x2_mul(r->x[i2], r->size01[i1]));
    f64x2 of_a2 = f64x2_add(f64x2_mul(r->x[i1], r->size2[i2]), f64x2_mul(r->x[i2], r->size2[i1]));
    f64x2 way = f64x2_sub(f64x2_mul(r->d[i2], r->c01[i1]), f64x2_mul(r->d[i1], r->c01[i2]));
    f64x2 way2 = f64x2_sub(f64x2_mul(r->d[i2], r->c2[i1]), f64x2_mul(r->d[i1], r->c2[i2]));
    f64x2 h = f64x2_sub(f64x2_add(of_a, of_b), f64x2_abs(way)),
          h2 = f64x2_sub(f64x2_add(of_a2, of_b2), f64x2_abs(way2));
    f64x2 length_sq = f64x2_add(f64x2_mul(r->c01[i1], r->c01[i1]), f64x2_mul(r->c01[i2], r->c01[i2]));
    f64x2 length_sq2 = f64x2_add(f64x2_mul(r->c2[i1], r->c2[i1]), f64x2_mul(r->c2[i2], r->c2[i2]));
    return f64x2_gt_bits(f64x2_mul(square, length_sq), f64x2_mul(h, f64x2_abs(h))) |
           (f64x2_gt_bits(f64x2_mul(square, length_sq2), f64x2_mul(h2, f64x2_abs(h2))) & 1u) << 2;
}

double grz_box_overlap_least(const grz_box_overlaps *p, uint32_t *out_axis)
{
    product_rows r;
    double of_a[4], of_b[4], least = INFINITY;
    uint32_t axis = 0;
    load_products(p, &r);
    overlaps_of_faces(p, &r, of_a, of_b);
    for (uint32_t i = 0; i < 3; i++)
    {
        axis = of_a[i] < least ? i : axis;
        least = of_a[i] < least ? of_a[i] : least;
    }
    for (uint32_t i = 0; i < 3; i++)
    {
        axis = of_b[i] < least ? 3 + i : axis;
        least = of_b[i] < least ? of_b[i] : least;
    }
    f64x2 square = f64x2_splat(least * fabs(least));
    unsigned below = edges_below(&r, 0, square) | edges_below(&r, 1, square) << 3 | edges_below(&r, 2, square) << 6;
    for (uint32_t k = 0; below != 0; k++, below >>= 1)
    {
        if ((below & 1u) == 0)
            continue;
        double length_sq, overlap = overlap_of_edges(p, k / 3, k % 3, &length_sq);
        if (length_sq < SHORTEST_SQ || !(overlap < least * sqrt(length_sq)))
            continue;
        least = overlap / sqrt(length_sq);
        axis = 6 + k;
    }
    *out_axis = axis;
    return least;
}
