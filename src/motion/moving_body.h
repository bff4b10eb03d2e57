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
    const graze_moving_triangle *triangle;
    grz_scratch *scratch;
    int unit;
    bool turns;
    unsigned made;                                  /* bits of what is below the weight */
    grz_polynomial weight, rotation[3][3], path[3]; /* w, N and x; of turns */
    grz_integer places[3][3];                       /* y of the corners */
    grz_polynomial corners[3][3];                   /* a corner is corners[i] / weight */
    grz_polynomial directions[3][3], moments[3][3]; /* of the edge from corner i to corner i + 1, both times `weight` */
    grz_polynomial normal[3], offset;               /* the plane normal . p = offset, times some positive polynomial */
} grz_moving_body;

/* The degrees of the path and of N and w of a turn, low where terms are 0: polynomials of a higher degree would have
   the factor s + t, which is 1, in common. */
int grz_motion_path_degree(const graze_motion *motion);
int grz_motion_rotation_degree(const graze_motion *motion);

/* The highest power of two of which all coordinates are multiples. */
int grz_moving_body_unit(const graze_moving_triangle *triangle);

/* In units of 2^unit, which is at most that of the triangle. Corners, edges and face are made when first asked for. */
void grz_moving_body_start(grz_scratch *scratch, const graze_moving_triangle *triangle, int unit, grz_moving_body *out);
const grz_polynomial *grz_moving_body_corner(grz_moving_body *body, int corner);
const grz_polynomial *grz_moving_body_direction(grz_moving_body *body, int edge);
const grz_polynomial *grz_moving_body_moment(grz_moving_body *body, int edge);
const grz_polynomial *grz_moving_body_normal(grz_moving_body *body);
const grz_polynomial *grz_moving_body_offset(grz_moving_body *body);

#endif
