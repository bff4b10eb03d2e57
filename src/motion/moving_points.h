/* SPDX-License-Identifier: MIT */
/*
 * Points whose coordinates are polynomials in time, and the polynomials whose signs say how they lie: those of
 * src/exact/predicates.h as functions of time.
 */
#ifndef GRZ_MOTION_MOVING_POINTS_H
#define GRZ_MOTION_MOVING_POINTS_H

#include "motion/roots.h"

enum
{
    GRZ_MOVING_POINTS_MAX = 6
};

typedef struct grz_moving_points
{
    grz_scratch *scratch;
    int count;
    grz_polynomial x[GRZ_MOVING_POINTS_MAX][3];
} grz_moving_points;

/* Points that move on lines: places[i][0] at t = 0, places[i][1] at t = 1. Each axis has a unit of its own, a power of
   two, which changes no sign. */
void grz_moving_points_on_lines(grz_moving_points *points, grz_scratch *scratch, const double (*const places[])[3],
                                int count);

/* The polynomial with the sign of det(a-d, b-d, c-d). */
void grz_moving_orient3d(const grz_moving_points *points, int a, int b, int c, int d, grz_polynomial *out);

/* The polynomial with the sign of the area of a, b, c projected along `axis`. */
void grz_moving_orient2d(const grz_moving_points *points, int a, int b, int c, int axis, grz_polynomial *out);

/* The polynomial with the sign of coordinate `axis` of a minus that of b. */
void grz_moving_difference(const grz_moving_points *points, int a, int b, int axis, grz_polynomial *out);

/* Their signs at a root. */
int grz_moving_orient3d_sign(const grz_moving_points *points, grz_root *root, int a, int b, int c, int d);
int grz_moving_orient2d_sign(const grz_moving_points *points, grz_root *root, int a, int b, int c, int axis);
int grz_moving_compare(const grz_moving_points *points, grz_root *root, int a, int b, int axis);

/* Whether p lies on the closed segment a b, which may be a point. */
bool grz_moving_point_on_segment(const grz_moving_points *points, grz_root *root, int p, int a, int b);

/* Whether p, which lies in the plane of the closed triangle, lies in it; the triangle may be a segment or a point. */
bool grz_moving_point_in_triangle(const grz_moving_points *points, grz_root *root, int p, const int corners[3]);

/* Whether the closed segments a0 a1 and b0 b1, which lie in a plane, have a point in common; they may be points. */
bool grz_moving_segments_meet(const grz_moving_points *points, grz_root *root, int a0, int a1, int b0, int b1);

#endif
