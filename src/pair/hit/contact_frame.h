/* SPDX-License-Identifier: MIT */
/* The transform from B's vertices to A's frame, for contacts in lanes (contact_lanes.h). */
#ifndef GRZ_PAIR_HIT_CONTACT_FRAME_H
#define GRZ_PAIR_HIT_CONTACT_FRAME_H

#include "pair/hit/query.h"

/* For a query with trees, while rounding is to nearest and denormals are kept. False where lanes cannot be used. */
bool grz_contact_frame_make(const grz_query *query, grz_contact_frame *out_frame);

#endif
