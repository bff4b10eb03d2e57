/* SPDX-License-Identifier: MIT */
/*
 * Adaptive predicates: a small set of placed points and exact signs of them.
 *
 * Each sign is first computed in doubles with a certified error bound (floating-point filter). Where that does not
 * decide it, all points are converted, once, to integers over one power of two per axis (scaling an axis changes no
 * sign), and the sign is computed from those. Points are named by their index.
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
    GRZ_UNCERTAIN = 2 /* a sign that the filter could not decide */
};

typedef struct grz_points
{
    int count;
    graze_placed_point sources[GRZ_POINTS_MAX];
    grz_filter_stats *stages; /* counted into when not NULL */

    double approximate[GRZ_POINTS_MAX][3]; /* in the world or in another frame */
    int mirrored;                          /* -1 when that frame is a mirror image, else 1 */
    bool in_world;                         /* whether that frame is the world: orient2d and comparisons need it */
    double error;                          /* error bound of these coordinates */
    bool filter_usable;                    /* whether magnitudes allow the filter's bounds */
    bool scaled;                           /* whether the world was scaled for that: see predicates.c */

    bool exact_ready; /* the rest is filled when first needed */
    bool narrow;      /* whether integers of fixed width suffice, see wide_integer.h */
    bool single;      /* whether differences of all coordinates are below 2^62 */
    int exponents[3]; /* the unit of axis k is 2^exponents[k] */
    int widths[3];    /* limbs of a coordinate of axis k, two's complement */
    uint64_t limbs[GRZ_POINTS_MAX][3][GRZ_COORDINATE_LIMBS];
} grz_points;

/* An empty set; grz_points_add then places one point after the other. A NULL pose is the identity. */
void grz_points_start(grz_points *points, grz_filter_stats *stages);
void grz_points_add(grz_points *points, const double point[3], const graze_pose *pose);

/* Starts a set whose approximations are given in another frame: the image of the world under an invertible map. All
   points of a set must be in that frame; `error` is the error bound of their coordinates, and magnitudes must allow the
   filter. */
void grz_points_start_in_frame(grz_points *points, grz_filter_stats *stages, int mirrored, double error);
void grz_points_add_in_frame(grz_points *points, const double point[3], const graze_pose *pose,
                             const double transformed[3]);

/* Converts such a set to one placed in the world. */
void grz_points_to_world(grz_points *points);

/* The sign of det(a-d, b-d, c-d). */
int grz_orient3d(grz_points *points, int a, int b, int c, int d);

/* On which sides of the plane through points plane, plane+1, plane+2 the points first, first+1, first+2 lie:
   the signs of orient3d(plane, plane+1, plane+2, first+i). */
void grz_sides(grz_points *points, int plane, int first, int sides[3]);

/* The same by the filter alone; what it does not decide is GRZ_UNCERTAIN. False where it leaves a sign open. */
bool grz_sides_filter(const grz_points *points, int plane, int first, int sides[3]);

/* The same where the filter was tried before: only signs that are GRZ_UNCERTAIN are computed, with integers. */
void grz_sides_resolve(grz_points *points, int plane, int first, int sides[3]);

/* The axis along which the projection of triangle first, first+1, first+2 has the largest area, as computed in
   doubles. */
int grz_dominant_axis(const grz_points *points, int first);

/* The sign of the area of a, b, c projected along `axis`, in the coordinates (axis+1, axis+2) mod 3. */
int grz_orient2d(grz_points *points, int a, int b, int c, int axis);

/* The same by the filter alone: 1, -1 or GRZ_UNCERTAIN. */
int grz_orient2d_filter(const grz_points *points, int a, int b, int c, int axis);

/* The sign of coordinate `axis` of a minus that of b. */
int grz_compare(grz_points *points, int a, int b, int axis);

/* The signs above from the integers, which have been made; of fixed width where that suffices, else of any width.
   grz_exact_sides computes those that are GRZ_UNCERTAIN. */
int grz_exact_orient3d_sign(const grz_points *points, int a, int b, int c, int d);
int grz_exact_orient2d_sign(const grz_points *points, int a, int b, int c, int axis);
void grz_exact_sides(const grz_points *points, int plane, int first, int sides[3]);

/* For constructions: the integers behind the signs. Results need storage of the widths in integer.h. */
void grz_points_make_exact(grz_points *points);
void grz_exact_coordinate(const grz_points *points, int a, int axis, grz_integer *out);
void grz_exact_orient3d(const grz_points *points, int a, int b, int c, int d, grz_integer *out);
void grz_exact_orient2d(const grz_points *points, int a, int b, int c, int axis, grz_integer *out);

#endif
