/* SPDX-License-Identifier: MIT */
/*
 * Pairs of boxes that are near each other (their fat boxes overlap and the filter wants them), and which of them meet.
 * Both kinds lie in dense arrays, in which the last takes the place of one that goes; each box has a list of the
 * pairs it is in. Where most of them come or go at once, as when everything jumps, all lists are made anew.
 */
#ifndef GRZ_BROAD_CANDIDATES_H
#define GRZ_BROAD_CANDIDATES_H

#include "broad/list_pool.h"
#include "graze/broad_phase.h"

#define GRZ_NOT_OVERLAPPING UINT32_MAX
#define GRZ_DISJOINT_CANDIDATE (UINT32_MAX - 1) /* does not meet, and is about to be taken away */

typedef struct grz_candidate
{
    uint32_t a, b;       /* a < b */
    uint32_t at_a, at_b; /* places in the lists of a and b */
    uint32_t pair;       /* place among those that meet, GRZ_NOT_OVERLAPPING, or GRZ_DISJOINT_CANDIDATE */
} grz_candidate;

typedef struct grz_candidates
{
    GRZ_ARRAY(grz_candidate) entries;
    GRZ_ARRAY(graze_box_pair) overlapping;
    GRZ_ARRAY(uint32_t) candidate_of; /* by place in `overlapping` */
    grz_list_pool links;
} grz_candidates;

/* Notes that two boxes are near; lists are by number of the box. False when out of memory, and nothing has changed. */
bool grz_candidates_add(const graze_context *context, grz_candidates *c, grz_pooled_list *lists, uint32_t a,
                        uint32_t b);

/* The same for many pairs a << 32 | b, and lists of boxes below `limit`; when out of memory some may have been added.
 */
bool grz_candidates_add_many(const graze_context *context, grz_candidates *c, grz_pooled_list *lists, uint32_t limit,
                             const uint64_t *pairs, size_t count);

/* Takes those away that are listed and marked GRZ_DISJOINT_CANDIDATE, as all must be that are marked so. */
void grz_candidates_remove_disjoint(grz_candidates *c, grz_pooled_list *lists, uint32_t limit, const uint32_t *places,
                                    size_t count);

/* Takes a candidate away that does not meet. */
void grz_candidates_remove(grz_candidates *c, grz_pooled_list *lists, uint32_t candidate);

/* Says that a candidate meets from now on. False when out of memory. */
bool grz_candidates_begin_overlap(const graze_context *context, grz_candidates *c, uint32_t candidate);

/* Says that it no longer does. Returns the pair. */
graze_box_pair grz_candidates_end_overlap(grz_candidates *c, uint32_t candidate);

void grz_candidates_release(const graze_context *context, grz_candidates *c);

#endif
