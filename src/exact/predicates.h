/* SPDX-License-Identifier: MIT */
/*
 * A handful of placed points and the exact signs one may ask of them.
 *
 * Each sign is first computed in doubles with a certified error bound. Where that does not settle it, all points are
 * turned, once, into integers over one power of two per axis (scaling an axis changes no sign), and
 * the sign is computed from those. Points are named by their index.
 *
 * The bounds hold in every rounding mode and with denormals flushed to zero; predicates.c derives them.
 */
#ifndef GRZ_EXACT_PREDICATES_H
#define GRZ_EXACT_PREDICATES_H

#include <stdbool.h>
#include <stdint.h>

#include "exact/filter_stats.h"
#include "exact/integer.h"
#include "graze/exact.h"

enum
{
    GRZ_POINTS_MAX = 6,
    GRZ_UNCERTAIN = 2 /* a sign that doubles could not tell */
};

typedef struct grz_points
{
    int count;
    graze_placed_point sources[GRZ_POINTS_MAX];
    grz_filter_stats *stages; /* counted into when not NULL */

    double approximate[GRZ_POINTS_MAX]
                      [3]; /* of the placed points, or of these in a frame that shows them as they are */
    int mirrored;          /* -1 when that frame is a mirror image, else 1 */
    bool in_world;         /* whether that frame is the world: views and comparisons need it */
    double error;          /* bound on what any of those numbers is off by */
    bool filter_usable;    /* whether magnitudes are such that the filter's bounds hold */
    bool scaled;           /* whether the world was scaled for that: see predicates.c */

    bool exact_ready; /* the rest is filled at first need */
    int exponents[3]; /* the unit of axis k is 2^exponents[k] */
    int widths[3];    /* limbs a coordinate of axis k has, two's complement */
    uint64_t limbs[GRZ_POINTS_MAX][3][GRZ_COORDINATE_LIMBS];
} grz_points;

/* An empty set; grz_points_add then places one point after the other. A NULL pose moves nothing. */
void grz_points_start(grz_points *points, grz_filter_stats *stages);
void grz_points_add(grz_points *points, const double point[3], const graze_pose *pose);

/* Sets the point's approximation in another frame: the image of the world under a map that has an inverse. All points
   of a set must be in that frame; `error` bounds what they are off by, and magnitudes must allow the filter. */
void grz_points_start_in_frame(grz_points *points, grz_filter_stats *stages, int mirrored, double error);
void grz_points_add_in_frame(grz_points *points, const double point[3], const graze_pose *pose,
                             const double transformed[3]);

/* Turns such a set into one placed in the world. */
void grz_points_to_world(grz_points *points);

/* The sign of det(a-d, b-d, c-d). */
int grz_orient3d(grz_points *points, int a, int b, int c, int d);

/* On which sides of the plane through points plane, plane+1, plane+2 the points first, first+1, first+2 lie:
   the signs of orient3d(plane, plane+1, plane+2, first+i). */
void grz_sides(grz_points *points, int plane, int first, int sides[3]);

/* The same where doubles have been asked before: only those that are GRZ_UNCERTAIN are found, and by integers. */
void grz_sides_resolve(grz_points *points, int plane, int first, int sides[3]);

/* The axis along which the triangle first, first+1, first+2 shows most of its area, as far as doubles tell. */
int grz_dominant_axis(const grz_points *points, int first);

/* The sign of the area of a, b, c seen along `axis`, in the coordinates (axis+1, axis+2) mod 3. */
int grz_orient2d(grz_points *points, int a, int b, int c, int axis);

/* The sign of coordinate `axis` of a minus that of b. */
int grz_compare(grz_points *points, int a, int b, int axis);

/* For constructions: the integers behind the signs. Results need storage of the widths in integer.h. */
void grz_points_make_exact(grz_points *points);
void grz_exact_coordinate(const grz_points *points, int a, int axis, grz_integer *out);
void grz_exact_orient3d(const grz_points *points, int a, int b, int c, int d, grz_integer *out);
void grz_exact_orient2d(const grz_points *points, int a, int b, int c, int axis, grz_integer *out);

/* normal = (a-c) x (b-c), and the sign of normal . (c-d), which is that of orient3d(a, b, c, d). */
void grz_exact_normal(const grz_points *points, int a, int b, int c, grz_integer normal[3]);
int grz_exact_side(const grz_points *points, const grz_integer normal[3], int c, int d);

#endif
