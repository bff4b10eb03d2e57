/* SPDX-License-Identifier: MIT */
#include "convex/origin_simplex.h"

#include <math.h>

static const int FACES[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/*
 * As for polytopes (grz_inner_polytope_radius): the four faces form a closed surface. Where all determinants of their
 * vertices have one sign it winds around the origin; where a unit vector n has n . x >= r at the three vertices of a
 * face, no point of it is nearer than r. So the tetrahedron contains a ball of radius r about the origin, and still
 * contains the origin when its vertices move by less than r.
 * Roundings: 9 of 2^-53 of the magnitudes in a determinant, 3 in n . x; |n| is 1 up to 4.
 */
bool grz_origin_is_surrounded(const v3 points[4], double error)
{
    double sign = 0;
    /* shortcut: surrounded-in-doubles */
    for (int i = 0; i < 4; i++)
    {
        v3 a = points[FACES[i][0]], b = points[FACES[i][1]], c = points[FACES[i][2]];
        double magnitude = v3_length(a) * v3_length(b) * v3_length(c), determinant = v3_dot(a, v3_cross(b, c));
        if (!(fabs(determinant) > 0x1p-48 * magnitude + 0x1p-900))
            return false;
        double side = determinant > 0 ? 1 : -1;
        if (i == 0)
            sign = side;
        if (side != sign)
            return false;
        v3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
        n = v3_scale(side / v3_length(n), n);
        double nearest = fmin(v3_dot(n, a), fmin(v3_dot(n, b), v3_dot(n, c)));
        double lost = 0x1p-49 * (v3_length(a) + v3_length(b) + v3_length(c));
        if (!(nearest - lost > error)) /* also NaN, of a face without area */
            return false;
    }
    return true;
}

double grz_origin_weights(const wide3 points[4], double weights[4])
{
    double sum = 0, least = INFINITY;
    for (int i = 0; i < 4; i++)
    {
        const int *f = FACES[i];
        weights[i] = wide3_dot(points[f[0]], wide3_cross(points[f[1]], points[f[2]])).high;
        sum += weights[i];
    }
    if (!(fabs(sum) > 0))
        return -INFINITY;
    double kept = 0;
    for (int i = 0; i < 4; i++)
    {
        weights[i] /= sum;
        least = fmin(least, weights[i]);
        weights[i] = fmax(0, weights[i]);
        kept += weights[i];
    }
    for (int i = 0; i < 4; i++)
        weights[i] /= kept;
    return least;
}
