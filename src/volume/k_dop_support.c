/* SPDX-License-Identifier: MIT */
/*
 * The support of a k-dop in any direction c: the largest c x of its points, by the dual simplex method in three
 * dimensions. Three planes n_k x = d_k with c = sum f_k n_k, f_k >= 0, bound it by sum f_k d_k (weak duality). Where
 * the point that they meet in lies within all other planes, it is a vertex of the dop and the bound is the support.
 * Else the plane that it violates most takes the place of that of the three whose factor becomes 0 first, which keeps
 * the others from becoming negative; the bound falls.
 *
 * Errors. Whatever the planes are, and whichever factors f_k >= 0 are taken: for x of the dop with |x_i| <= extent,
 * c x = sum f_k (n_k x) + (c - sum f_k n_k) x <= sum f_k d_k + |c - sum f_k n_k|_1 extent. The difference is computed;
 * roundings of it and of the sum, of fewer than 16 operations, are below 2^-44 of it and of (1 + sum f_k) extent, as
 * entries of directions are below 2 and ends at most 6 extents. So only the closeness of the bound depends on how the
 * search ends.
 * shortcut: dop-support
 */
#include "volume/k_dop.h"

enum
{
    MOST_PIVOTS = 64
};

/* Plane p is direction p / 2 with its upper end, or for odd p its opposite with the lower end. */
static void plane_of(const grz_dop_kind *kind, const double *dop, int p, double normal[3], double *out_end)
{
    double sign = p % 2 == 0 ? 1 : -1;
    for (int i = 0; i < 3; i++)
        normal[i] = sign * kind->directions[p / 2][i];
    *out_end = sign * dop[p % 2 == 0 ? kind->half + p / 2 : p / 2];
}

/* Three planes; cofactors[k] n_j = determinant for j = k, else 0. */
typedef struct plane_triple
{
    double normals[3][3], ends[3], cofactors[3][3], determinant;
} plane_triple;

static bool make_triple(const grz_dop_kind *kind, const double *dop, const int planes[3], plane_triple *out)
{
    for (int k = 0; k < 3; k++)
        plane_of(kind, dop, planes[k], out->normals[k], &out->ends[k]);
    for (int k = 0; k < 3; k++)
    {
        const double *a = out->normals[(k + 1) % 3], *b = out->normals[(k + 2) % 3];
        for (int i = 0; i < 3; i++)
            out->cofactors[k][i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
    out->determinant = grz_dop_along(out->normals[0], out->cofactors[0]);
    return out->determinant != 0;
}

/* The factors of a direction in the normals. */
static void factors_of(const plane_triple *t, const double direction[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = grz_dop_along(t->cofactors[k], direction) / t->determinant;
}

/* The bound with its errors; factors that rounding made negative are 0. */
static double bound_of(const plane_triple *t, const double c[3], const double factors[3], double extent)
{
    double rest[3] = {c[0], c[1], c[2]}, sum = 0, size = 1, lost = 0;
    for (int k = 0; k < 3; k++)
    {
        double factor = factors[k] > 0 ? factors[k] : 0;
        sum += factor * t->ends[k];
        size += factor;
        for (int i = 0; i < 3; i++)
            rest[i] -= factor * t->normals[k][i];
    }
    for (int i = 0; i < 3; i++)
        lost += fabs(rest[i]);
    return sum + (lost * (1 + 0x1p-44) + 0x1p-44 * size) * extent;
}

/* The plane that the meeting point violates most; -1: none. */
static int violated_plane(const grz_dop_kind *kind, const double *dop, const plane_triple *t, double extent)
{
    double point[3] = {0, 0, 0}, most = 0x1p-40 * extent;
    int worst = -1;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            point[i] += t->ends[k] * t->cofactors[k][i] / t->determinant;
    for (int d = 0; d < kind->half; d++)
    {
        double height = grz_dop_along(kind->directions[d], point);
        double above = height - dop[kind->half + d], below = dop[d] - height, over = above > below ? above : below;
        if (!(over > most))
            continue;
        most = over;
        worst = 2 * d + (below > above);
    }
    return worst;
}

/* Which of three planes gives way to another one: that whose factor is 0 first; -1: none does. */
static int leaving_plane(const plane_triple *t, const double factors[3], const double entering[3])
{
    double steps[3], least = INFINITY;
    int leaves = -1;
    factors_of(t, entering, steps);
    for (int k = 0; k < 3; k++)
        if (steps[k] > 0x1p-30 && (factors[k] > 0 ? factors[k] : 0) / steps[k] < least)
        {
            least = (factors[k] > 0 ? factors[k] : 0) / steps[k];
            leaves = k;
        }
    return leaves;
}

double grz_dop_support(const grz_dop_kind *kind, const double *dop, const double c[3], double extent, int planes[3])
{
    double best = INFINITY;
    for (int pivot = 0; pivot < MOST_PIVOTS; pivot++)
    {
        plane_triple triple;
        double factors[3], entering[3], end;
        if (!make_triple(kind, dop, planes, &triple))
            break;
        factors_of(&triple, c, factors);
        double bound = bound_of(&triple, c, factors, extent);
        best = bound < best ? bound : best;
        int enters = violated_plane(kind, dop, &triple, extent);
        if (enters < 0)
            break;
        plane_of(kind, dop, enters, entering, &end);
        int leaves = leaving_plane(&triple, factors, entering);
        if (leaves < 0)
            break;
        planes[leaves] = enters;
    }
    return best;
}
