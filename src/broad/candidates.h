/* SPDX-License-Identifier: MIT */
/*
 * Candidate pairs: boxes whose fat AABBs overlap and that pass the filter, and which of them overlap exactly. Both are
 * in dense arrays, in which the last element replaces a removed one; each box has a list of its candidates. Where most
 * candidates come or go at once, as when everything jumps, all lists are rebuilt.
 */
#ifndef GRZ_BROAD_CANDIDATES_H
#define GRZ_BROAD_CANDIDATES_H

#include "broad/list_pool.h"
#include "graze/broad_phase.h"

#define GRZ_NOT_OVERLAPPING UINT32_MAX
#define GRZ_DISJOINT_CANDIDATE (UINT32_MAX - 1) /* does not overlap, and is about to be removed */

typedef struct grz_candidate
{
    uint32_t a, b;       /* a < b */
    uint32_t at_a, at_b; /* positions in the lists of a and b */
    uint32_t pair;       /* index in `overlapping`, GRZ_NOT_OVERLAPPING, or GRZ_DISJOINT_CANDIDATE */
} grz_candidate;

typedef struct grz_candidates
{
    GRZ_ARRAY(grz_candidate) entries;
    GRZ_ARRAY(graze_box_pair) overlapping;
    GRZ_ARRAY(uint32_t) candidate_of; /* by index in `overlapping` */
    grz_list_pool links;
} grz_candidates;

/* Adds a candidate; `lists` is indexed by box id. False when out of memory, with nothing changed. */
bool grz_candidates_add(const graze_context *context, grz_candidates *c, grz_pooled_list *lists, uint32_t a,
                        uint32_t b);

/* Adds many candidates a << 32 | b, of boxes below `limit`. False when out of memory; some may have been added. */
bool grz_candidates_add_many(const graze_context *context, grz_candidates *c, grz_pooled_list *lists, uint32_t limit,
                             const uint64_t *pairs, size_t count);

/* Removes the candidates listed in `indices`, which are exactly those marked GRZ_DISJOINT_CANDIDATE. */
void grz_candidates_remove_disjoint(grz_candidates *c, grz_pooled_list *lists, uint32_t limit, const uint32_t *indices,
                                    size_t count);

/* Removes a candidate that does not overlap. */
void grz_candidates_remove(grz_candidates *c, grz_pooled_list *lists, uint32_t candidate);

/* Marks a candidate as overlapping. False when out of memory. */
bool grz_candidates_begin_overlap(const graze_context *context, grz_candidates *c, uint32_t candidate);

/* Marks a candidate as not overlapping. Returns the ended pair. */
graze_box_pair grz_candidates_end_overlap(grz_candidates *c, uint32_t candidate);

void grz_candidates_release(const graze_context *context, grz_candidates *c);

#endif
