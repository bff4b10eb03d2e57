/* SPDX-License-Identifier: MIT */
/*
 * Whether the origin lies in a simplex of points of the Minkowski difference, by integers. Then the polytopes share a
 * point: the same weights give it from vertices of A and of B. Signs of 0 count as inside, so that touching does.
 */
#include "convex/exact_simplex.h"

#include <string.h>

#include "exact/predicates.h"

/* Up to three points of the Minkowski difference, in integers over one power of two for each axis. */
typedef struct exact_differences
{
    grz_integer at[3][3];
    uint64_t limbs[3][3][GRZ_COORDINATE_LIMBS];
    grz_points points;
} exact_differences;

static void load(const grz_convex_body *a, const grz_convex_body *b, const uint32_t vertices[][2], const int *chosen,
                 int count, exact_differences *d)
{
    grz_points_start(&d->points, NULL);
    for (int i = 0; i < count; i++)
    {
        grz_points_add(&d->points, a->vertices[vertices[chosen[i]][0]], &a->pose);
        grz_points_add(&d->points, b->vertices[vertices[chosen[i]][1]], &b->pose);
    }
    grz_points_make_exact(&d->points);
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
        {
            d->at[i][axis] = (grz_integer){d->limbs[i][axis], 0, 0};
            grz_integer_difference(&d->at[i][axis], d->points.limbs[2 * i][axis], d->points.limbs[2 * i + 1][axis],
                                   d->points.widths[axis]);
        }
}

/* Component `axis` of the cross product of two of them. */
static void cross(const exact_differences *d, int i, int k, int axis, grz_integer *r)
{
    uint64_t limbs[GRZ_MINOR_LIMBS];
    grz_integer term = {limbs, 0, 0};
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    grz_integer_multiply(r, &d->at[i][next], &d->at[k][last]);
    grz_integer_multiply(&term, &d->at[i][last], &d->at[k][next]);
    grz_integer_accumulate(r, &term, true);
}

static int cross_sign(const exact_differences *d, int i, int k, int axis)
{
    uint64_t limbs[GRZ_MINOR_LIMBS];
    grz_integer r = {limbs, 0, 0};
    cross(d, i, k, axis, &r);
    return r.sign;
}

static int determinant_sign(const exact_differences *d)
{
    uint64_t minor_limbs[GRZ_MINOR_LIMBS], term_limbs[GRZ_DETERMINANT_LIMBS], sum_limbs[GRZ_DETERMINANT_LIMBS];
    grz_integer minor = {minor_limbs, 0, 0}, term = {term_limbs, 0, 0}, sum = {sum_limbs, 0, 0};
    for (int axis = 0; axis < 3; axis++)
    {
        cross(d, 1, 2, axis, &minor);
        grz_integer_multiply(&term, &d->at[0][axis], &minor);
        grz_integer_accumulate(&sum, &term, false);
    }
    return sum.sign;
}

static bool is_origin(const exact_differences *d, int i)
{
    return d->at[i][0].sign == 0 && d->at[i][1].sign == 0 && d->at[i][2].sign == 0;
}

/* Collinear with the origin, and on no axis on the same side. */
static bool segment_holds(const exact_differences *d, int i, int k)
{
    for (int axis = 0; axis < 3; axis++)
        if (cross_sign(d, i, k, axis) != 0 || d->at[i][axis].sign * d->at[k][axis].sign > 0)
            return false;
    return true;
}

/* Coplanar with the origin, which is on the same side of all edges in a projection that has an area. */
static bool triangle_holds(const exact_differences *d)
{
    if (determinant_sign(d) != 0)
        return false;
    for (int axis = 0; axis < 3; axis++)
    {
        int x = cross_sign(d, 0, 1, axis), y = cross_sign(d, 1, 2, axis), z = cross_sign(d, 2, 0, axis);
        int positive = (x > 0) + (y > 0) + (z > 0), negative = (x < 0) + (y < 0) + (z < 0);
        if (positive > 0 && negative > 0)
            return false;
        if (positive + negative > 0)
            return true;
    }
    return segment_holds(d, 0, 1) || segment_holds(d, 1, 2) || segment_holds(d, 2, 0);
}

/* The four volumes of the origin and a face have the same sign or are 0; their sum is that of the tetrahedron. */
static bool tetrahedron_holds(const grz_convex_body *a, const grz_convex_body *b, const uint32_t vertices[][2])
{
    static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    int positive = 0, negative = 0;
    exact_differences d;
    for (int k = 0; k < 4; k++)
    {
        load(a, b, vertices, faces[k], 3, &d);
        int sign = determinant_sign(&d);
        positive += sign > 0;
        negative += sign < 0;
        if (positive > 0 && negative > 0)
            return false;
    }
    if (positive + negative > 0)
        return true;
    for (int k = 0; k < 4; k++)
    {
        load(a, b, vertices, faces[k], 3, &d);
        if (triangle_holds(&d))
            return true;
    }
    return false;
}

bool grz_exact_simplex_holds_origin(const grz_convex_body *a, const grz_convex_body *b, const uint32_t vertices[][2],
                                    int count)
{
    static const int all[3] = {0, 1, 2};
    if (count == 4)
        return tetrahedron_holds(a, b, vertices);
    if (count < 1 || count > 3)
        return false;
    exact_differences d;
    load(a, b, vertices, all, count, &d);
    if (count == 3)
        return triangle_holds(&d);
    return count == 2 ? segment_holds(&d, 0, 1) : is_origin(&d, 0);
}
