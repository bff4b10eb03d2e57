/* SPDX-License-Identifier: MIT */
/* Points with polynomial coordinates; see moving_points.h. */
#include "motion/moving_points.h"

#include "base/bits.h"

/* x = sign mantissa 2^exponent, with an odd mantissa or 0. */
typedef struct decomposed
{
    uint64_t mantissa;
    int exponent, sign;
} decomposed;

static decomposed decompose(double x)
{
    uint64_t bits = grz_bits(x), fraction = bits & GRZ_FRACTION_BITS;
    int biased = (int)(bits >> 52 & 0x7ff), sign = bits >> 63 != 0 ? -1 : 1;
    uint64_t mantissa = biased != 0 ? fraction | UINT64_C(1) << 52 : fraction;
    if (mantissa == 0)
        return (decomposed){0, 0, 0};
    int zeros = __builtin_ctzll(mantissa);
    return (decomposed){mantissa >> zeros, (biased != 0 ? biased : 1) - 1075 + zeros, sign};
}

void grz_moving_points_on_lines(grz_moving_points *points, grz_scratch *scratch, const double (*const places[])[3],
                                int count)
{
    points->scratch = scratch;
    points->count = count;
    for (int axis = 0; axis < 3; axis++)
    {
        decomposed parts[GRZ_MOVING_POINTS_MAX][2] = {{{0}}};
        int unit = 0;
        bool any = false;
        for (int i = 0; i < 2 * count; i++)
        {
            decomposed part = decompose(places[i / 2][i % 2][axis]);
            parts[i / 2][i % 2] = part;
            if (part.sign != 0 && (!any || part.exponent < unit))
                unit = part.exponent;
            any = any || part.sign != 0;
        }
        for (int i = 0; i < count; i++)
        {
            points->x[i][axis].degree = 1;
            for (int end = 0; end < 2; end++)
            {
                const decomposed *part = &parts[i][end];
                grz_integer whole = {(uint64_t *)(uintptr_t)&part->mantissa, part->sign != 0, part->sign};
                points->x[i][axis].c[end] =
                    grz_number_shift(scratch, &whole, part->sign != 0 ? part->exponent - unit : 0);
            }
        }
    }
}

void grz_moving_difference(const grz_moving_points *points, int a, int b, int axis, grz_polynomial *out)
{
    grz_polynomial_add(points->scratch, &points->x[a][axis], &points->x[b][axis], true, out);
}

void grz_moving_orient2d(const grz_moving_points *points, int a, int b, int c, int axis, grz_polynomial *out)
{
    grz_polynomial u[2], v[2];
    for (int k = 0; k < 2; k++)
    {
        grz_moving_difference(points, a, c, (axis + 1 + k) % 3, &u[k]);
        grz_moving_difference(points, b, c, (axis + 1 + k) % 3, &v[k]);
    }
    grz_polynomial_minor(points->scratch, &u[0], &v[1], &u[1], &v[0], out);
}

void grz_moving_orient3d(const grz_moving_points *points, int a, int b, int c, int d, grz_polynomial *out)
{
    grz_polynomial u[3], v[3], w[3], sum, term;
    for (int k = 0; k < 3; k++)
    {
        grz_moving_difference(points, a, d, k, &u[k]);
        grz_moving_difference(points, b, d, k, &v[k]);
        grz_moving_difference(points, c, d, k, &w[k]);
    }
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        grz_polynomial minor;
        grz_polynomial_minor(points->scratch, &v[i], &w[j], &v[j], &w[i], &minor);
        grz_polynomial_multiply(points->scratch, &u[k], &minor, &term);
        if (k == 0)
            sum = term;
        else
            grz_polynomial_add(points->scratch, &sum, &term, false, &sum);
    }
    *out = sum;
}

int grz_moving_orient3d_sign(const grz_moving_points *points, grz_root *root, int a, int b, int c, int d)
{
    grz_polynomial f;
    grz_moving_orient3d(points, a, b, c, d, &f);
    return grz_sign_at_root(points->scratch, &f, root);
}

int grz_moving_orient2d_sign(const grz_moving_points *points, grz_root *root, int a, int b, int c, int axis)
{
    grz_polynomial f;
    grz_moving_orient2d(points, a, b, c, axis, &f);
    return grz_sign_at_root(points->scratch, &f, root);
}

int grz_moving_compare(const grz_moving_points *points, grz_root *root, int a, int b, int axis)
{
    grz_polynomial f;
    grz_moving_difference(points, a, b, axis, &f);
    return grz_sign_at_root(points->scratch, &f, root);
}

bool grz_moving_point_on_segment(const grz_moving_points *points, grz_root *root, int p, int a, int b)
{
    for (int axis = 0; axis < 3; axis++) /* between the ends on each axis: cheaper than collinear, and needed */
        if (grz_moving_compare(points, root, p, a, axis) * grz_moving_compare(points, root, p, b, axis) > 0)
            return false;
    for (int axis = 0; axis < 3; axis++)
        if (grz_moving_orient2d_sign(points, root, p, a, b, axis) != 0)
            return false;
    return true;
}

bool grz_moving_point_in_triangle(const grz_moving_points *points, grz_root *root, int p, const int corners[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        int turn = grz_moving_orient2d_sign(points, root, corners[0], corners[1], corners[2], axis);
        if (turn == 0)
            continue;
        for (int e = 0; e < 3; e++) /* this projection does not collapse the plane */
            if (turn * grz_moving_orient2d_sign(points, root, corners[e], corners[(e + 1) % 3], p, axis) < 0)
                return false;
        return true;
    }
    for (int e = 0; e < 3; e++) /* collinear corners: the triangle is the union of its edges */
        if (grz_moving_point_on_segment(points, root, p, corners[e], corners[(e + 1) % 3]))
            return true;
    return false;
}

bool grz_moving_segments_meet(const grz_moving_points *points, grz_root *root, int a0, int a1, int b0, int b1)
{
    for (int axis = 0; axis < 3; axis++)
    {
        int b0_side = grz_moving_orient2d_sign(points, root, a0, a1, b0, axis);
        int b1_side = grz_moving_orient2d_sign(points, root, a0, a1, b1, axis);
        if (b0_side * b1_side > 0)
            return false; /* in this projection, so in space */
        int a0_side = grz_moving_orient2d_sign(points, root, b0, b1, a0, axis);
        int a1_side = grz_moving_orient2d_sign(points, root, b0, b1, a1, axis);
        if (a0_side * a1_side > 0)
            return false;
        if (b0_side * b1_side < 0 && a0_side * a1_side < 0)
            return true; /* three points that are not collinear here: this projection does not collapse the plane */
    }
    return grz_moving_point_on_segment(points, root, a0, b0, b1) ||
           grz_moving_point_on_segment(points, root, a1, b0, b1) ||
           grz_moving_point_on_segment(points, root, b0, a0, a1) ||
           grz_moving_point_on_segment(points, root, b1, a0, a1);
}
