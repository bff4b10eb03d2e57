/* SPDX-License-Identifier: MIT */
/*
 * Placed half-spaces. {R y + t : n . y <= o} is the set of x with adj(R)^T n . (x - t) <= o det R where det R > 0, and
 * with both sides negated where it is below 0, as R^-1 = adj(R) / det R. So in the world it is {x : d . x <= c} with
 * polynomials d and c in the numbers of normal, offset and pose, of degree 3 and 4: all questions below are signs of
 * polynomials. Intervals decide them first, and dyadic.h where these do not suffice.
 */
#ifndef GRZ_SHAPE_HALF_SPACE_H
#define GRZ_SHAPE_HALF_SPACE_H

#include <stdbool.h>

#include "exact/dyadic.h"
#include "graze/search.h"
#include "shape/shape.h"

typedef struct grz_half_space
{
    const graze_placed *placed;
    int handedness;           /* the sign of det R, not 0 */
    interval direction[3], c; /* around d and c */
    interval length;          /* around |d| */
    bool exact_ready;         /* the rest is filled when first needed */
    grz_dyadic exact_direction[3], exact_c, exact_length_sq;
} grz_half_space;

/* False where its pose has no inverse. The placed shape must outlive it. */
bool grz_half_space_place(const graze_placed *placed, grz_half_space *out);

void grz_half_space_make_exact(grz_half_space *h);

/* The height of a placed vertex over the plane, d . x - c: an interval, and exactly. */
interval grz_half_space_height(const grz_half_space *h, const double vertex[3], const graze_pose *pose);
void grz_half_space_exact_height(grz_half_space *h, const double vertex[3], const graze_pose *pose, grz_dyadic *out);

/* Whether a ball around a placed vertex meets the half-space; strictly: whether its interior does. Its radius is the
   real sum of the terms. */
bool grz_half_space_meets_ball(grz_half_space *h, const double vertex[3], const graze_pose *pose, const double *terms,
                               int count, bool strict);

/* Whether a placed cylinder, cone or ellipsoid meets the half-space; strictly: whether it meets its interior. */
bool grz_half_space_meets_curved(grz_half_space *h, const graze_placed *curved, bool strict);

/* Whether two half-spaces are at most the tolerance apart, or less when strict; they are apart only where parallel. */
bool grz_half_spaces_meet(grz_half_space *a, grz_half_space *b, double tolerance, bool strict);

/* Bounds of the gap between two half-spaces that face each other: of their distance where it is above 0, and of minus
   the way out otherwise. False where their planes are not parallel, or one contains the other: no way leads out. */
bool grz_half_spaces_gap(grz_half_space *a, grz_half_space *b, interval *out_gap);

#endif
