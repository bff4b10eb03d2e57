/* SPDX-License-Identifier: MIT */
/*
 * Newton's method for the direction of smooth bodies' nearest points, which GJK approaches by one bit a step.
 */
#ifndef GRZ_CONVEX_CURVED_POLISH_H
#define GRZ_CONVEX_CURVED_POLISH_H

#include "convex/curved_pair.h"

/* Starts at *w, of length 1. True when the farthest point of M along the final *w is within `tolerance` of the plane
   through it and of the origin's nearest point: *vertex is then the nearest point of M up to that. False where bodies
   are not apart, or not smooth there. */
bool grz_curved_polish(const grz_curved_pair *pair, double tolerance, v3 *w, grz_curved_vertex *vertex);

#endif
