/* SPDX-License-Identifier: MIT */
/*
 * Two moving triangles with an edge each along a coordinate axis, at all times: of prisms, gears and shafts that turn
 * about an axis, and of all that only moves along. Such edges E of A and F of B are parallel, so that several of the
 * fifteen volumes are one function but for positive factors and signs, and vanish together: those in which E and F are
 * seen as points e and f along the axis.
 *
 * Let P' - P = d u with the unit vector u of the axis, d of one sign. Then det(P' - P, r - P, s - P) = d times the
 * component of (r - P) x (s - P) along u: orient3d(P', r, s, P) has the sign of d orient2d(r, s, P), seen along the
 * axis, where P and P' are one point. So of the volumes with one of the edges, with x the third corner of A or that of
 * B, each has the sign of orient2d(e, f, x) or of its opposite where it has corners of both edges, and is 0 at all
 * times where it has all four of them.
 */
#ifndef GRZ_MOTION_UPRIGHT_EDGES_H
#define GRZ_MOTION_UPRIGHT_EDGES_H

#include <stdbool.h>

#include "graze/motion.h"

/* Corners are 0 to 2 of A and 3 to 5 of B. */
typedef struct grz_upright_edges
{
    int axis;
    int corners[2][3]; /* of each triangle: those of its edge, and the third one */
    int up[2];         /* 1 where the second corner of the edge is above the first, along the axis; else -1 */
} grz_upright_edges;

/* What a determinant of corners is a multiple of. */
typedef enum grz_upright_kind
{
    GRZ_UPRIGHT_OTHER, /* nothing else */
    GRZ_UPRIGHT_NEVER, /* 0 at all times */
    GRZ_UPRIGHT_OF_A,  /* orient2d(e, f, third corner of A) seen along the axis */
    GRZ_UPRIGHT_OF_B   /* the same with that of B */
} grz_upright_kind;

typedef struct grz_upright_class
{
    grz_upright_kind kind;
    int sign; /* of the multiple */
} grz_upright_class;

/* The sign by which a kernel motion of a rigid body stretches an axis at all times, along which it remains: 0 where it
   does not, or that is not known. */
int grz_motion_stretch(const graze_motion *motion, int axis);

/* Whether each triangle has one edge along the same axis, at all times. */
bool grz_upright_edges_find(const graze_moving_triangle *a, const graze_moving_triangle *b, grz_upright_edges *out);

/* Of orient3d of four corners, of both triangles; and of orient2d of three, along the axis. */
grz_upright_class grz_upright_volume(const grz_upright_edges *upright, const int corners[4]);
grz_upright_class grz_upright_area(const grz_upright_edges *upright, int a, int b, int c);

/* Whether two corners are those of one of the edges. */
bool grz_upright_are_one(const grz_upright_edges *upright, int a, int b);

#endif
