/* SPDX-License-Identifier: MIT */
/*
 * Shells of a body: pieces of its surface that hang together by edges. Where the surface does not meet itself, the
 * winding numbers on the two sides of a shell are the same all along it, so one triangle tells whether the body ends
 * there or lies on both sides, as it does at a shell within another of the same orientation.
 */
#ifndef GRZ_PAIR_SOLID_SHELLS_H
#define GRZ_PAIR_SOLID_SHELLS_H

#include "graze/search.h"
#include "pair/solid/body.h"

/* Whether `outer` ends anywhere within `inner`, where their surfaces share no point. Both are closed. UNKNOWN where
   outer's surface meets itself, its pose has no inverse, or more shells than some hundred would have to be looked at.
   Fails with OUT_OF_MEMORY. */
graze_status grz_is_bounded_within(const graze_context *context, const grz_placed_body *outer,
                                   const grz_placed_body *inner, graze_verdict *out_ends);

#endif
