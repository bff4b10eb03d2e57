/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Exact decisions on points and triangles, each point under its own pose, under the contract of graze/pose.h.
 *
 * No function here allocates, fails or depends on the rounding mode or flush-to-zero. All inputs must be finite. NULL
 * where there must be a point or triangle, or an axis that is none, gives the answer 0.
 * Thread safety: all are pure functions.
 */
#ifndef GRAZE_EXACT_H
#define GRAZE_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/export.h"
#include "graze/pose.h"

GRAZE_BEGIN_DECLS

/// A point under a pose; a NULL pose moves nothing.
typedef struct graze_placed_point
{
    const double *point; ///< x, y, z
    const graze_pose *pose;
} graze_placed_point;

/// The sign (-1, 0, 1) of the area of the triangle a, b, c: 1 when counter-clockwise.
/// Guarantee: exact.
GRAZE_API int graze_point_orient2d(const double a[2], const double b[2], const double c[2]);

/// The sign of the determinant of (a-d, b-d, c-d): 1 when d lies below the plane through a, b, c, that is,
/// when a, b, c appear counter-clockwise seen from the side d is not on. 0 when the four are coplanar.
/// Guarantee: exact.
GRAZE_API int graze_point_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

/// As graze_point_orient3d, for placed points.
GRAZE_API int graze_point_orient3d_placed(const graze_placed_point points[4]);

/// As graze_point_orient2d, for placed points seen along `axis` (0, 1, 2): the coordinates (axis+1, axis+2) mod 3
/// count.
GRAZE_API int graze_point_orient2d_placed(const graze_placed_point points[3], int axis);

/// The sign of the difference of coordinate `axis`: of `a` minus `b`.
GRAZE_API int graze_point_compare_placed(const graze_placed_point *a, const graze_placed_point *b, int axis);

/// The sign of det R.
GRAZE_API int graze_pose_handedness(const graze_pose *pose);

/// A triangle under a pose; a NULL pose moves nothing.
typedef struct graze_placed_triangle
{
    const double *corners[3];
    const graze_pose *pose;
} graze_placed_triangle;

typedef enum graze_feature
{
    GRAZE_FEATURE_NONE = 0,
    GRAZE_FEATURE_VERTEX = 1,
    GRAZE_FEATURE_EDGE = 2,
    GRAZE_FEATURE_FACE = 3
} graze_feature;

/// How two triangles meet. What they share is convex: a point, a segment or a polygon. `feature_a` is the smallest
/// feature of A that contains all of it, and `mask_a` its corners as bits; likewise for B. A triangle that is
/// a segment or a point has only that segment or point as its features.
typedef struct graze_triangle_contact
{
    bool found;              ///< whether they share a point at all; everything else is 0 if not
    bool crossing;           ///< whether each passes through the inside of the other; otherwise they touch
    bool coplanar;           ///< whether they overlap in a common plane, with area
    unsigned char dimension; ///< of what they share: 0 a point, 1 a segment, 2 a polygon
    graze_feature feature_a, feature_b;
    unsigned char mask_a, mask_b;
} graze_triangle_contact;

/// Decides whether and how two placed triangles meet.
/// Guarantee: exact; swapping the arguments swaps the answer.
GRAZE_API graze_triangle_contact graze_triangle_collide(const graze_placed_triangle *a, const graze_placed_triangle *b);

/// What two triangles share, as points: 1, 2, or the 3 to 6 corners of a convex polygon in order around it.
typedef struct graze_intersection
{
    int count;
    double points[6][3];
} graze_intersection;

/// Constructs what two triangles share; count is 0 when they do not meet.
/// Guarantee: bounded. Every coordinate is the true one rounded to the nearest double (largest finite double
/// where it exceeds that), and the result is the same, points in the same order, when the arguments are swapped.
GRAZE_API graze_intersection graze_triangle_intersection(const graze_placed_triangle *a,
                                                         const graze_placed_triangle *b);

/// Where a point lies with respect to a set.
typedef enum graze_location
{
    GRAZE_LOCATION_OUTSIDE = 0,
    GRAZE_LOCATION_BOUNDARY = 1,
    GRAZE_LOCATION_INSIDE = 2
} graze_location;

/// Where a placed point lies in a placed triangle: FACE, EDGE or VERTEX of it, or NONE when outside.
/// Guarantee: exact.
GRAZE_API graze_feature graze_point_in_triangle(const graze_placed_point *point, const graze_placed_triangle *triangle);

/// Whether a placed closed segment and a placed triangle share a point.
/// Guarantee: exact, degenerate segments and triangles included.
GRAZE_API bool graze_segment_meets_triangle(const graze_placed_point segment[2], const graze_placed_triangle *triangle);

/// Where a point lies in a polygon with any number of loops (holes are loops too; a point is inside when a ray from it
/// crosses the loops an odd number of times). `points` are x, y pairs; loop l has loop_sizes[l] corners, in sequence.
/// Guarantee: exact, for any loops, also ones that cross themselves.
GRAZE_API graze_location graze_point_in_polygon(const double point[2], const double *points, const uint32_t *loop_sizes,
                                                size_t loop_count);

GRAZE_END_DECLS

#endif
