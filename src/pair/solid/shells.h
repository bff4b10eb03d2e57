/* SPDX-License-Identifier: MIT */
/*
 * Shells of a body: parts of its surface that are connected by edges. If the surface does not meet itself, the winding
 * numbers on the two sides of a shell are constant along it, so one triangle decides whether the shell bounds the body
 * or lies in its interior, like a shell inside another of the same orientation.
 */
#ifndef GRZ_PAIR_SOLID_SHELLS_H
#define GRZ_PAIR_SOLID_SHELLS_H

#include "graze/search.h"
#include "pair/solid/body.h"

/* Whether a shell of `outer` inside `inner` bounds the body of `outer`. Both are closed, and their surfaces share no
   point. UNKNOWN when the surface of `outer` meets itself, its pose is singular, or 256 such shells did not decide.
   Fails with OUT_OF_MEMORY and with the monitor's status. */
graze_status grz_is_bounded_within(const graze_context *context, const grz_placed_body *outer,
                                   const grz_placed_body *inner, graze_verdict *out_ends);

#endif
