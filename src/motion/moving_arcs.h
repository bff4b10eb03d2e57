/* SPDX-License-Identifier: MIT */
/*
 * Two moving triangles in doubles with certified errors: where their corners are in an interval of time, or at a time.
 */
#ifndef GRZ_MOTION_MOVING_ARCS_H
#define GRZ_MOTION_MOVING_ARCS_H

#include <stdbool.h>

#include "graze/motion.h"

enum
{
    GRZ_ARC_DEGREE_MAX = 4,
    GRZ_ARC_POINTS_MAX = 3 * (GRZ_ARC_DEGREE_MAX + 1),
    GRZ_ARC_DEPTH_MAX = 16 /* how often an interval may be halved */
};

/* A triangle in an interval: Bernstein coefficients of its corners, corner by corner, and of the weight. */
typedef struct grz_arc
{
    double v[GRZ_ARC_POINTS_MAX][3], w[GRZ_ARC_DEGREE_MAX + 1];
} grz_arc;

/* Two triangles in [0, 1]. */
typedef struct grz_moving_arcs
{
    int degree[2];
    double size[2], weight[2]; /* Y + X and Q of moving_arcs.c */
    grz_arc whole[2];
} grz_moving_arcs;

/* Control points of a triangle, whose hull contains it throughout the interval, and the error bound of coordinates. */
typedef struct grz_arc_hull
{
    int count;
    double points[GRZ_ARC_POINTS_MAX][3], error;
} grz_arc_hull;

/* Places of the corners of both, and how far each coordinate may be off, at some time or throughout an interval. */
typedef struct grz_near_points
{
    bool usable;
    double x[6][3], error;
} grz_near_points;

/* How far the corners of both move in an interval: for each, the derivative by s, where s runs from 0 to 1 in the
   interval, is within `error` of `moves` on each axis throughout it. */
typedef struct grz_arc_moves
{
    double moves[6][3], error;
} grz_arc_moves;

/* False where numbers are too large or too small for the bounds. In the default environment. */
bool grz_moving_arcs_make(const graze_moving_triangle *a, const graze_moving_triangle *b, grz_moving_arcs *out);

/* Both halves of an interval, the second in place of the whole. */
void grz_arcs_halve(const grz_moving_arcs *arcs, grz_arc whole[2], grz_arc first[2]);

/* Both in [n, n + 1] 2^-k, with k at most GRZ_ARC_DEPTH_MAX, which is not halved more than to that depth. */
void grz_arcs_restrict(const grz_moving_arcs *arcs, int n, int k, grz_arc out[2]);

/* The hulls of both in an interval; false where weights are too small to bound the quotients. */
bool grz_arcs_hulls(const grz_moving_arcs *arcs, const grz_arc pieces[2], grz_arc_hull out[2]);

/* The places of the corners throughout an interval, from the hulls of both; and in [lower, upper], which is a double or
   lies between neighbouring doubles. */
void grz_near_points_of_hulls(const grz_arc_hull hulls[2], grz_near_points *out);
void grz_near_points_at(const grz_moving_arcs *arcs, double lower, grz_near_points *out);

/* The moves of the corners in an interval, of which `hulls` are the hulls. */
void grz_arcs_moves(const grz_moving_arcs *arcs, const grz_arc pieces[2], const grz_arc_hull hulls[2],
                    grz_arc_moves *out);

/* Signs of predicates (src/exact/predicates.h) that are the same for all places within the error; 0 where none is. */
int grz_near_orient3d(const grz_near_points *near, int a, int b, int c, int d);
int grz_near_orient2d(const grz_near_points *near, int a, int b, int c, int axis);
int grz_near_compare(const grz_near_points *near, int a, int b, int axis);

#endif
