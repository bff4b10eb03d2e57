/* SPDX-License-Identifier: MIT */
#include "convex/curved_polish.h"

#include <math.h>

enum
{
    STEPS = 8
};

static v3 turned_back(const double r[9], v3 w)
{
    return v3_make(r[0] * w.x + r[3] * w.y + r[6] * w.z, r[1] * w.x + r[4] * w.y + r[7] * w.z,
                   r[2] * w.x + r[5] * w.y + r[8] * w.z);
}

static v3 stretched(const double n[3], v3 c)
{
    return v3_make(n[0] * c.x, n[1] * c.y, n[2] * c.z);
}

/* Second derivatives of a support function at w, of length 1, for all pairs of two tangents: added to 11, 12, 22. */
static void add_curvature(const grz_curved_operand *operand, v3 w, const v3 tangents[2], double sums[3])
{
    const double *n = operand->numbers;
    v3 c = turned_back(operand->r, w), d = turned_back(operand->r, tangents[0]),
       e = turned_back(operand->r, tangents[1]);
    double across_sq = c.x * c.x + c.y * c.y, across = sqrt(across_sq);
    if (operand->kind == GRZ_CONVEX_POLYTOPE)
    {
        sums[0] += operand->radius;
        sums[2] += operand->radius;
    }
    else if (operand->kind == GRZ_CONVEX_ELLIPSOID)
    {
        v3 q = stretched(n, c), p = stretched(n, d), s = stretched(n, e);
        double length = v3_length(q);
        if (!(length > 0))
            return;
        double along_p = v3_dot(q, p) / length, along_s = v3_dot(q, s) / length;
        sums[0] += (v3_dot(p, p) - along_p * along_p) / length;
        sums[1] += (v3_dot(p, s) - along_p * along_s) / length;
        sums[2] += (v3_dot(s, s) - along_s * along_s) / length;
    }
    else if (across > 0 && !(operand->kind == GRZ_CONVEX_CONE && 2 * n[0] * c.z >= n[1] * across))
    {
        double of_d = c.x * d.y - c.y * d.x, of_e = c.x * e.y - c.y * e.x, factor = n[1] / (across * across_sq);
        sums[0] += factor * of_d * of_d;
        sums[1] += factor * of_d * of_e;
        sums[2] += factor * of_e * of_e;
    }
}

static v3 unit(v3 w)
{
    return v3_scale(1 / v3_length(w), w);
}

/*
 * The nearest point of M has the least h(w) on the sphere: there the tangential part of the farthest point m(w), the
 * gradient of h, is zero. On the sphere the second derivatives of h are those in space minus w . m, which is negative
 * where the origin is beyond the plane: the matrix is then positive definite.
 */
static bool step(const grz_curved_pair *pair, v3 *w, v3 m, double distance)
{
    v3 axis = fabs(w->x) < 0.6 ? v3_make(1, 0, 0) : v3_make(0, 1, 0);
    v3 tangents[2] = {unit(v3_cross(*w, axis)), v3_make(0, 0, 0)};
    tangents[1] = v3_cross(*w, tangents[0]);
    double sums[3] = {distance + pair->margin, 0, distance + pair->margin};
    add_curvature(&pair->a, *w, tangents, sums);
    add_curvature(&pair->b, v3_scale(-1, *w), tangents, sums);
    double p = v3_dot(tangents[0], m), q = v3_dot(tangents[1], m);
    double determinant = sums[0] * sums[2] - sums[1] * sums[1];
    double x = (sums[2] * p - sums[1] * q) / determinant, y = (sums[0] * q - sums[1] * p) / determinant;
    if (!(determinant > 0 && sums[0] > 0 && x * x + y * y < 1)) /* also NaN */
        return false;
    *w = unit(v3_sub(*w, v3_add(v3_scale(x, tangents[0]), v3_scale(y, tangents[1]))));
    return true;
}

bool grz_curved_polish(const grz_curved_pair *pair, double tolerance, v3 *w, grz_curved_vertex *vertex)
{
    double before = INFINITY;
    for (int i = 0; i < STEPS; i++)
    {
        *vertex = grz_curved_pair_support(pair, *w);
        double distance = -v3_dot(*w, vertex->m);
        double across = v3_length(v3_add(vertex->m, v3_scale(distance, *w)));
        if (distance > 0 && v3_length(vertex->m) - distance <= tolerance)
            return true;
        if (!(across < before) || !step(pair, w, vertex->m, distance))
            return false;
        before = across;
    }
    return false;
}
