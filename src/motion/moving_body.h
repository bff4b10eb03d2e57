/* SPDX-License-Identifier: MIT */
/*
 * A triangle of a body that moves by a kernel motion, as polynomials with integer coefficients: corners as homogeneous
 * points, edges and face in Pluecker coordinates. With them the polynomials of two bodies have the degrees of Canny's
 * formulas (Collision detection for moving polyhedra, 1986), extended to both moving: 3 for blends, 5 for turns, 6 for
 * ballistic turns, where multiplied out they would have 9 and more.
 *
 * Turn: q(t), N(q) = w R, w = |q|^2, path x(t); y = corner - centre. Then a corner is (N y + w x) / w, an edge from y
 * along e has the direction N e / w and the moment (N (y x e) + x x N e) / w, and the face with normal n in the body is
 * the plane (N n) . p = w n.y + x . N n, all times w.
 */
#ifndef GRZ_MOTION_MOVING_BODY_H
#define GRZ_MOTION_MOVING_BODY_H

#include "graze/motion.h"
#include "motion/polynomial.h"

typedef struct grz_moving_body
{
    grz_polynomial weight, corners[3][3];           /* a corner is corners[i] / weight */
    grz_polynomial directions[3][3], moments[3][3]; /* of the edge from corner i to corner i + 1, both times `weight` */
    grz_polynomial normal[3], offset;               /* the plane normal . p = offset, times some positive polynomial */
} grz_moving_body;

/* The highest power of two of which all coordinates are multiples. */
int grz_moving_body_unit(const graze_moving_triangle *triangle);

/* In units of 2^unit, which is at most that of the triangle. */
void grz_moving_body_make(grz_scratch *scratch, const graze_moving_triangle *triangle, int unit, grz_moving_body *out);

#endif
