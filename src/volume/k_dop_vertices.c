/* SPDX-License-Identifier: MIT */
/*
 * Vertices of k-dops, by trying all triples of planes. A vertex of a dop is where three of its planes meet, and lies
 * within all the others.
 *
 * Errors. Directions have coordinates 0 and +-1, so a determinant that is not 0 is 1 at least in magnitude, and entries
 * of the adjoint are 2 at most: a solution is a sum of three products of at most 2 M, M the largest end, with an error
 * below 2^-47 M; heights of solutions err by less than 2^-45 M. So a true vertex is computed within 2^-47 M, and found
 * to lie within all planes moved outward by t = 2^-40 M. What is found besides lies just outside, which does no harm. A
 * point within 16 t of one that was kept is left out.
 * shortcut: dop-vertices
 */
#include "volume/k_dop.h"

#include <string.h>

/* Plane p of a dop: direction p / 2, its lower end for even p. */
static double end_of(const grz_dop_kind *kind, const double *dop, int p)
{
    return dop[p % 2 == 0 ? p / 2 : kind->half + p / 2];
}

/* Where three planes meet; false where they do not in one point. */
static bool solve(const grz_dop_kind *kind, const double *dop, const int planes[3], double out[3])
{
    const double *a = kind->directions[planes[0] / 2], *b = kind->directions[planes[1] / 2],
                 *c = kind->directions[planes[2] / 2];
    double x = end_of(kind, dop, planes[0]), y = end_of(kind, dop, planes[1]), z = end_of(kind, dop, planes[2]);
    double bc[3], ca[3], ab[3];
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        bc[i] = b[j] * c[k] - b[k] * c[j];
        ca[i] = c[j] * a[k] - c[k] * a[j];
        ab[i] = a[j] * b[k] - a[k] * b[j];
    }
    double determinant = grz_dop_along(a, bc);
    for (int i = 0; i < 3; i++)
        out[i] = (x * bc[i] + y * ca[i] + z * ab[i]) / determinant;
    return determinant != 0;
}

static bool lies_within(const grz_dop_kind *kind, const double *dop, const double point[3], double tolerance)
{
    for (int i = 0; i < kind->half; i++)
    {
        double height = grz_dop_along(kind->directions[i], point);
        if (height < dop[i] - tolerance || height > dop[kind->half + i] + tolerance)
            return false;
    }
    return true;
}

/* Whether a point lies near one of those from `first` on. */
static bool is_known(const grz_dop_points *known, size_t first, const double point[3], double distance)
{
    const double *points = known->data;
    for (size_t n = first; n < known->count; n += 3)
        if (fabs(points[n] - point[0]) <= distance && fabs(points[n + 1] - point[1]) <= distance &&
            fabs(points[n + 2] - point[2]) <= distance)
            return true;
    return false;
}

bool grz_dop_find_vertices(const graze_context *context, const grz_dop_kind *kind, const double *dop,
                           grz_dop_points *out, double *out_error)
{
    double magnitude = 0, point[3];
    size_t first = out->count;
    int planes[3], count = 2 * kind->half;
    for (int i = 0; i < count; i++)
        magnitude = interval_max2(magnitude, fabs(dop[i]));
    double tolerance = 0x1p-40 * magnitude;
    for (planes[0] = 0; planes[0] < count; planes[0]++)
        for (planes[1] = planes[0] + 1; planes[1] < count; planes[1]++)
            for (planes[2] = planes[1] + 1; planes[2] < count; planes[2]++)
            {
                if (!solve(kind, dop, planes, point) || !lies_within(kind, dop, point, tolerance) ||
                    is_known(out, first, point, 16 * tolerance))
                    continue;
                if (!GRZ_RESERVE(context, out, out->count + 3))
                    return false;
                memcpy(out->data + out->count, point, sizeof point);
                out->count += 3;
            }
    *out_error = 32 * tolerance;
    return true;
}
