/* SPDX-License-Identifier: MIT */
/*
 * The axis of least overlap of two rotated boxes among fifteen (Gottschalk, Lin, Manocha, "OBBTree", 1996), with a
 * certified lower bound of the overlap on all directions.
 *
 * Let g be the half edges of both boxes, H the sum of their lengths, D the vector between their centres. On a unit
 * vector n they overlap by h(n) = sum |n . g| - |n . D|. Where R is orthogonal, the least h is that of one of the
 * fifteen axes, if none of the nine products of edges is short.
 *   - Let d be the largest entry of R^T R - I. The nearest orthogonal matrix differs by at most 3 d from R, so half
 *     edges change by 3 d of their lengths and h by 3 d H. Below R is that matrix: the entries of C = R_A^T R_B,
 * computed with those of the poses, err by 7 d + 6 u, products with D by 4 d + 5 u of |D|, h times the length of the
 * axis by less than 32 (d + u) times H + |D|; its length, from two entries of C, by as much without that factor. S =
 * sum of sizes is at least H + |D|, up to rounding: 64 (d + u) S covers all errors, E.
 *   - An edge g' nearly parallel to g gives a short axis of length l, and h no better than E / l. Where l is below
 * 2^-26 it is left out: g' is replaced by its projection on g, which takes l |g'| from it, and from h no more; axes of
 * g' and others become those of g. So h is at least what the other axes give, less twice l times the shorter edge.
 */
#include "convex/box_axes.h"

#define SHORTEST_SQ 0x1p-52 /* square of the length of axes */

typedef struct boxes
{
    double a[3][3], b[3][3];    /* columns of the matrices */
    double half[2][3];          /* sizes */
    double c[3][3], size[3][3]; /* C and its magnitudes */
    double between[2][3];       /* D in both frames */
    double error;               /* E */
} boxes;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void column(const grz_convex_body *body, int k, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = body->pose.m[4 * i + k];
}

/* The largest entry of R^T R - I of either, and 4 u for its roundings. */
static double defect_of(const boxes *s)
{
    double defect = 0;
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
        {
            double one = i == k ? 1 : 0, x = fabs(dot(s->a[i], s->a[k]) - one), y = fabs(dot(s->b[i], s->b[k]) - one);
            x = x > y ? x : y;
            defect = x > defect ? x : defect;
        }
    return defect + 8 * GRZ_U;
}

static bool prepare(const grz_convex_operands *o, boxes *s)
{
    double centre[2][3], d[3];
    for (int k = 0; k < 3; k++)
    {
        column(o->bodies[0], k, s->a[k]);
        column(o->bodies[1], k, s->b[k]);
        for (int i = 0; i < 2; i++)
        {
            const grz_convex_table *t = o->bodies[i]->table;
            s->half[i][k] = 0.5 * (t->upper[k] - t->lower[k]);
            centre[i][k] = 0.5 * (t->upper[k] + t->lower[k]);
        }
    }
    double defect = defect_of(s);
    /* the bounds above are of first order in it */
    if (!(defect < 0x1p-40))
        return false;
    s->error = 64 * (defect + GRZ_U) * (o->size.x + o->size.y + o->size.z) + GRZ_CONVEX_TINY;
    v3_store(v3_sub(o->between, grz_convex_difference(grz_convex_rotate(o, centre[0], centre[1]))), d);
    for (int i = 0; i < 3; i++)
    {
        s->between[0][i] = dot(s->a[i], d);
        s->between[1][i] = dot(s->b[i], d);
        for (int k = 0; k < 3; k++)
        {
            s->c[i][k] = dot(s->a[i], s->b[k]);
            s->size[i][k] = fabs(s->c[i][k]);
        }
    }
    return true;
}

/* The least overlap so far: its axis by number, 0 to 2 of A, 3 to 5 of B, then the products. */
typedef struct least
{
    double overlap, lower, left_out;
    int axis;
} least;

static void test_faces(const boxes *s, least *l)
{
    const double *x = s->half[0], *y = s->half[1];
    for (int i = 0; i < 3; i++)
    {
        double of_a = x[i] + dot(s->size[i], y) - fabs(s->between[0][i]);
        double of_b =
            y[i] + (s->size[0][i] * x[0] + s->size[1][i] * x[1] + s->size[2][i] * x[2]) - fabs(s->between[1][i]);
        if (of_a < l->overlap)
        {
            l->overlap = of_a;
            l->axis = i;
        }
        if (of_b < l->overlap)
        {
            l->overlap = of_b;
            l->axis = 3 + i;
        }
    }
    l->lower = l->overlap - s->error;
}

/* The product of edge i of A and edge k of B. */
static void test_edges(const boxes *s, int i, int k, least *l)
{
    const double *x = s->half[0], *y = s->half[1], *d = s->between[0];
    int i1 = i < 2 ? i + 1 : 0, i2 = i > 0 ? i - 1 : 2, k1 = k < 2 ? k + 1 : 0, k2 = k > 0 ? k - 1 : 2;
    double length_sq = s->c[i1][k] * s->c[i1][k] + s->c[i2][k] * s->c[i2][k];
    /* shortcut: box-parallel-edges */
    if (length_sq < SHORTEST_SQ)
    {
        double shorter = x[i] < y[k] ? x[i] : y[k];
        l->left_out += 2 * (sqrt(length_sq) + s->error) * shorter;
        return;
    }
    double overlap = x[i1] * s->size[i2][k] + x[i2] * s->size[i1][k] + y[k1] * s->size[i][k2] + y[k2] * s->size[i][k1] -
                     fabs(d[i2] * s->c[i1][k] - d[i1] * s->c[i2][k]);
    double low = overlap - 2 * s->error;
    if (low > 0 && low * low > l->lower * l->lower * length_sq)
        return;
    double length = sqrt(length_sq);
    low = (overlap - s->error) / length - fabs(overlap) / length_sq * s->error;
    l->lower = low < l->lower ? low : l->lower;
    if (overlap < l->overlap * length)
    {
        l->overlap = overlap / length;
        l->axis = 6 + 3 * i + k;
    }
}

static v3 direction_of(const boxes *s, int axis)
{
    if (axis < 3)
        return v3_scale(s->between[0][axis] < 0 ? -1 : 1, v3_load(s->a[axis]));
    if (axis < 6)
        return v3_scale(s->between[1][axis - 3] < 0 ? -1 : 1, v3_load(s->b[axis - 3]));
    int i = (axis - 6) / 3, k = (axis - 6) % 3;
    v3 n = v3_cross(v3_load(s->a[i]), v3_load(s->b[k]));
    v3 d = v3_make(0, 0, 0);
    for (int m = 0; m < 3; m++)
        d = v3_add(d, v3_scale(s->between[0][m], v3_load(s->a[m])));
    return v3_scale(v3_dot(n, d) < 0 ? -1 : 1, n);
}

bool grz_box_axes_find(const grz_convex_operands *operands, grz_box_axis *out_axis)
{
    boxes s;
    least l = {INFINITY, INFINITY, 0, 0};
    if (!prepare(operands, &s))
        return false;
    test_faces(&s, &l);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            test_edges(&s, i, k, &l);
    out_axis->direction = direction_of(&s, l.axis);
    /* shortcut: box-overlap */
    out_axis->lower = l.lower - l.left_out;
    return true;
}
