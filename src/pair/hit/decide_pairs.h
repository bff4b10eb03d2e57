/* SPDX-License-Identifier: MIT */
/*
 * The exact tests of a query: each takes one candidate pair of triangles, decides it, and records a hit in its part
 * (query.h). The traversal and the sweep call them through function pointers; `user` is the part. They return false
 * when the part is over: the first hit was all that was asked for, or memory ran out.
 */
#ifndef GRZ_PAIR_HIT_DECIDE_PAIRS_H
#define GRZ_PAIR_HIT_DECIDE_PAIRS_H

#include "pair/hit/query.h"

/* Two meshes with trees: in A's frame, by the double filter, then exactly. `crosses`: the triangles certainly cross. */
bool grz_decide_in_frame(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses);

/* Two meshes without trees: exactly, in the world. */
bool grz_decide_in_world(void *user, uint32_t triangle_a, uint32_t triangle_b);

/* One mesh against itself. The second is for the sweep, which proposes every pair twice, and triangles with
   themselves. */
bool grz_decide_self(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses);
bool grz_decide_self_once(void *user, uint32_t triangle_a, uint32_t triangle_b);

/* Pairs that certainly cross, where all hits are asked for, as keys (grz_hit_key). */
bool grz_record_crossings(void *user, const uint64_t *keys, size_t count);

/* Whether a pair is not to be decided, or not yet: then it is postponed. */
bool grz_skip_pair(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b);

/* Records the contacts of some pairs, and decides those among them that are not decided. */
bool grz_record_contacts(grz_query_part *part, const uint64_t *keys, unsigned count, const grz_contacts *contacts);

/* A pair whose decision was postponed (grz_query.buffered_only), by the test that its query uses. */
bool grz_decide_postponed(grz_query_part *part, uint32_t triangle_a, uint32_t triangle_b);

#endif
