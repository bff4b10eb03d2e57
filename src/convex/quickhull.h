/* SPDX-License-Identifier: MIT */
/* The convex hull of points that are not all coplanar, as triangles; some of them may be coplanar. See quickhull.c. */
#ifndef GRZ_CONVEX_QUICKHULL_H
#define GRZ_CONVEX_QUICKHULL_H

#include "base/array.h"
#include "base/budget_monitor.h"
#include "math/vector.h"

/* Edge k goes from corner k to the next one; neighbours[k] is the triangle across it. */
typedef struct grz_hull_triangle
{
    uint32_t corners[3], neighbours[3];             /* counter-clockwise as seen from outside */
    v3 origin, normal;                              /* corner 0, and (corner 1 - corner 0) x (corner 2 - corner 0) */
    double error;                                   /* of heights above it, times the length of the normal */
    uint32_t first_outside, last_outside, farthest; /* points outside of it, as a list */
    double farthest_height;
    uint32_t mark; /* of the last point that it was tested with */
    bool alive;
} grz_hull_triangle;

typedef struct grz_quickhull
{
    const graze_context *context;
    const double (*points)[3];
    size_t point_count;
    double extent; /* of the points */
    GRZ_ARRAY(grz_hull_triangle) triangles;
    GRZ_ARRAY(uint32_t) unused, pending, visible, added; /* triangles */
    GRZ_ARRAY(uint32_t) horizon;                         /* triangle and edge of each half-edge beyond it, in turn */
    uint32_t *next;                                      /* per point: the next one of its list */
    uint32_t *starts;                                    /* per point: the new triangle whose first corner it is */
} grz_quickhull;

/* Makes the triangles from four points that are not coplanar. Release in any case. */
graze_status grz_quickhull_make(const graze_context *context, const double (*points)[3], size_t count,
                                const uint32_t first[4], grz_monitor *monitor, grz_quickhull *out_hull);
void grz_quickhull_release(grz_quickhull *q);

/* An upper bound of differences of coordinates; INFINITY where they are so large or small that doubles decide nothing.
 */
double grz_hull_extent(const double (*points)[3], size_t count);

/* A triangle of points whose extent is given. */
grz_hull_triangle grz_hull_triangle_make(const double (*points)[3], double extent, const uint32_t corners[3]);

/* 1 where a point lies outside of a triangle of these points, -1 where it lies behind it, 0 in its plane. Exact. */
int grz_hull_triangle_side(const double (*points)[3], const grz_hull_triangle *triangle, uint32_t point);

#endif
