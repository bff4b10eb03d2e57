/* SPDX-License-Identifier: MIT */
/*
 * The heights of the points of one moving body over the face of another one, a half-space, as polynomials.
 *
 * In its body the half-space is n . q <= d, so in the world it is m . X <= e with polynomials m and e: with X = R (q -
 * c) + x of a turn, N = w R and |N q| = w |q|,
 *     m = N n,  e = m . x + w (d - n . c),
 * and of poses A q + b, with the sign of det A, which must not change,
 *     m = adj(A)^T n,  e = m . b + d det A.
 * A point v of the other body is at (M v + o) / w with w > 0. So its height times w, m . (M v + o) - w e, is affine in
 * v: four polynomials of degree at most 6 serve all points.
 */
#ifndef GRZ_MOTION_MOVING_PLANE_H
#define GRZ_MOTION_MOVING_PLANE_H

#include "graze/motion.h"
#include "motion/polynomial.h"

/* Heights are the sum of slopes[k] v_k, and `base`; up to a positive factor. */
typedef struct grz_plane_heights
{
    grz_polynomial slopes[3], base; /* of one degree */
    int unit;                       /* v is in units of 2^unit, for `base` */
} grz_plane_heights;

/* Of points whose coordinates are multiples of 2^unit. False where a matrix of the half-space has no inverse at some
   time, or may have none. Motions are kernel motions that were checked. */
bool grz_plane_heights_make(grz_scratch *scratch, const graze_motion *plane, const double normal[3], double offset,
                            const graze_motion *body, int unit, grz_plane_heights *out);

#endif
