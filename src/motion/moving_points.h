/* SPDX-License-Identifier: MIT */
/*
 * Points whose coordinates are rational functions of time, and the polynomials whose signs say how they lie: those of
 * the predicates of src/exact/predicates.h.
 */
#ifndef GRZ_MOTION_MOVING_POINTS_H
#define GRZ_MOTION_MOVING_POINTS_H

#include "motion/moving_arcs.h"
#include "motion/roots.h"

typedef struct grz_moving_points grz_moving_points;

/* Kinds of points: each function makes a polynomial with the sign of the predicate of its name. Of pairs of bodies
   (moving_pair.h) points of one body are 0 to 2, those of the other 3 to 5, and orient3d has points of both. */
struct grz_moving_points
{
    grz_scratch *scratch;
    grz_near_points *near; /* where they are at the root in question, or within some interval; NULL: not known */
    void (*orient3d)(const grz_moving_points *points, int a, int b, int c, int d, grz_polynomial *out);
    void (*orient2d)(const grz_moving_points *points, int a, int b, int c, int axis, grz_polynomial *out);
    void (*difference)(const grz_moving_points *points, int a, int b, int axis, grz_polynomial *out);
};

/* Their signs at a root, which doubles decide where `near` is known and they can. */
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
