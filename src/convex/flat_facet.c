/* SPDX-License-Identifier: MIT */
/*
 * The simplex method in the plane: of the plane through three differences the lowest difference under it replaces the
 * one without which the triangle still has the origin; so the height over the origin falls with each round. The lowest
 * difference is the highest point of A and the lowest of B over that plane.
 */
#include "convex/flat_facet.h"

#include <math.h>
#include <string.h>

#define NO_LOWER 0x1p-40 /* of the heights: rounding */

enum
{
    MOST_ROUNDS = 24
};

static grz_flat_point difference(const grz_flat_points sides[2], const int pair[2])
{
    const grz_flat_point *a = &sides[0].points[pair[0]], *b = &sides[1].points[pair[1]];
    return (grz_flat_point){b->x - a->x, b->y - a->y, b->height - a->height, 0};
}

static double cross(const grz_flat_point *p, const grz_flat_point *q)
{
    return p->x * q->y - p->y * q->x;
}

/* The slope of the plane through three points; false where they are on one line. */
static bool slope_of(const grz_flat_point m[3], double slope[2])
{
    double ex = m[1].x - m[0].x, ey = m[1].y - m[0].y, eh = m[1].height - m[0].height;
    double fx = m[2].x - m[0].x, fy = m[2].y - m[0].y, fh = m[2].height - m[0].height;
    double area = ex * fy - ey * fx;
    slope[0] = (eh * fy - fh * ey) / area;
    slope[1] = (ex * fh - fx * eh) / area;
    return fabs(slope[0]) < INFINITY && fabs(slope[1]) < INFINITY;
}

static double over_plane(const grz_flat_point *p, const double slope[2])
{
    return p->height - (slope[0] * p->x + slope[1] * p->y);
}

/* The point lowest over the plane where sign is 1, highest where it is -1. */
static int find_extreme(const grz_flat_points *side, const double slope[2], double sign)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < side->count; i++)
    {
        double height = sign * over_plane(&side->points[i], slope);
        if (height < least)
        {
            least = height;
            best = i;
        }
    }
    return best;
}

/* Which of three corners a point replaces, so that the triangle still has the origin; -1: none. */
static int replaced_by(const grz_flat_point m[3], const grz_flat_point *point)
{
    for (int k = 0; k < 3; k++)
    {
        const grz_flat_point *p = &m[(k + 1) % 3], *q = &m[(k + 2) % 3];
        double first = cross(p, q), second = cross(q, point), third = cross(point, p);
        bool inside = (first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0);
        if (inside && first + second + third != 0)
            return k;
    }
    return -1;
}

bool grz_flat_facet_find(const grz_flat_points sides[2], int pairs[3][2])
{
    bool changed = false;
    grz_flat_point m[3];
    double size = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < sides[side].count; i++)
            size = fmax(size, fabs(sides[side].points[i].height));
    for (int k = 0; k < 3; k++)
        m[k] = difference(sides, pairs[k]);
    for (int round = 0; round < MOST_ROUNDS; round++)
    {
        double slope[2];
        if (!slope_of(m, slope))
            break;
        const int found[2] = {find_extreme(&sides[0], slope, -1), find_extreme(&sides[1], slope, 1)};
        const grz_flat_point point = difference(sides, found);
        if (!(over_plane(&point, slope) < over_plane(&m[0], slope) - NO_LOWER * size))
            break;
        int corner = replaced_by(m, &point);
        if (corner < 0)
            break;
        m[corner] = point;
        memcpy(pairs[corner], found, sizeof found);
        changed = true;
    }
    return changed;
}
