/* SPDX-License-Identifier: MIT */
/*
 * Four points around the origin: the proof that they surround it, and the weights by which they add up to it.
 */
#ifndef GRZ_CONVEX_ORIGIN_SIMPLEX_H
#define GRZ_CONVEX_ORIGIN_SIMPLEX_H

#include "convex/curved_gjk.h"

/* Certified, in doubles: the tetrahedron of points that differ from these by at most `error` contains the origin. */
bool grz_origin_is_surrounded(const v3 points[4], double error);

/* Weights, at least 0 with sum 1, of points that add up to about the origin; returns the least weight before it was cut
   off at 0, -INFINITY for flat tetrahedra. */
double grz_origin_weights(const wide3 points[4], double weights[4]);

#endif
