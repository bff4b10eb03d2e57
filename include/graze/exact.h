/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Exact geometric predicates (orientation, point in triangle, triangle-triangle intersection) for points and triangles,
 * each under its own pose; contract in graze/pose.h.
 *
 * No function here allocates, fails or depends on the rounding mode or flush-to-zero. All inputs must be finite. A NULL
 * point or triangle, or an axis other than 0, 1, 2, gives 0.
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

/// The sign of the determinant of (a-d, b-d, c-d): 1 when a, b, c appear counter-clockwise from the side opposite to d
/// (Shewchuk's sign), 0 when the four are coplanar.
/// Guarantee: exact.
GRAZE_API int graze_point_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

/// As graze_point_orient3d, for placed points.
GRAZE_API int graze_point_orient3d_placed(const graze_placed_point points[4]);

/// As graze_point_orient2d, for placed points seen along `axis` (0, 1, 2): the coordinates (axis+1, axis+2) mod 3
/// count.
GRAZE_API int graze_point_orient2d_placed(const graze_placed_point points[3], int axis);

/// The sign of a[axis] - b[axis].
GRAZE_API int graze_point_compare_placed(const graze_placed_point *a, const graze_placed_point *b, int axis);

/// The sign of det R: 1 keeps orientation, -1 mirrors, 0 is singular.
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

/// How two triangles intersect. The intersection is convex: a point, a segment or a polygon. `feature_a` is the
/// lowest-dimensional feature of A that contains all of it, `mask_a` the corners of that feature as bits; likewise for
/// B. A triangle that is a segment or a point has only that segment or point as its features.
typedef struct graze_triangle_contact
{
    bool found;              ///< whether they share a point at all; everything else is 0 if not
    bool crossing;           ///< the interiors intersect transversally (proper intersection); false: they only touch
    bool coplanar;           ///< whether they overlap in a common plane, with area
    unsigned char dimension; ///< of the intersection: 0 a point, 1 a segment, 2 a polygon
    graze_feature feature_a, feature_b;
    unsigned char mask_a, mask_b;
    unsigned char unused[2]; ///< 0, instead of padding: equal contacts have equal bytes
} graze_triangle_contact;

/// Decides whether and how two placed triangles intersect.
/// Guarantee: exact; swapping the arguments swaps the answer.
GRAZE_API graze_triangle_contact graze_triangle_collide(const graze_placed_triangle *a, const graze_placed_triangle *b);

/// The intersection of two triangles as points: 1, 2, or the 3 to 6 corners of a convex polygon in order around it.
typedef struct graze_intersection
{
    int count;
    double points[6][3];
} graze_intersection;

/// Constructs the intersection of two triangles; count is 0 when they are disjoint.
/// Guarantee: bounded. Every coordinate is correctly rounded to nearest (clamped to the largest finite double), and the
/// result is the same, points in the same order, when the arguments are swapped.
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
