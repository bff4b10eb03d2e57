/* SPDX-License-Identifier: MIT */
/*
 * Candidate pairs of triangles decided many at a time in doubles (simd/contact_template.h), where all hits are wanted;
 * what these leave open is decided one by one (decide_pairs.h).
 */
#ifndef GRZ_PAIR_HIT_CONTACT_LANES_H
#define GRZ_PAIR_HIT_CONTACT_LANES_H

#include "pair/hit/query.h"

/* Decides pairs, given as keys (grz_hit_key) and, unless that is NULL, by their corners, and records the hits in the
   part `user`. False when memory ran out. */
bool grz_decide_in_lanes(void *user, const uint64_t *keys, size_t count, const grz_contact_pairs *corners);

#endif
