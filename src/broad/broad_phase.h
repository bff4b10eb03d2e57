/* SPDX-License-Identifier: MIT */
/*
 * Internals of a broad phase: boxes by id, their changes since the last update, and candidate pairs. broad_phase.c
 * implements insert, move and remove, update.c and candidate_overlaps.c update the pairs, queries.c answers queries.
 */
#ifndef GRZ_BROAD_BROAD_PHASE_H
#define GRZ_BROAD_BROAD_PHASE_H

#include "base/sort.h"
#include "broad/candidates.h"
#include "broad/fat_aabb.h"

/* Arrays indexed by box id; they grow together. */
typedef struct grz_broad_arrays
{
    void *tight_memory;
    grz_tight_aabb *tight; /* in tight_memory, aligned to cache lines */
    grz_fat_aabb *fat;
    grz_fat_aabb *before; /* see grz_aabb_view */
    uint8_t *present;
    uint8_t *dirty_flags; /* GRZ_BOX_... */
    uint64_t *dirty_bits; /* one bit per id with dirty_flags */
    grz_pooled_list *lists;
} grz_broad_arrays;

struct graze_broad_phase
{
    graze_context context;
    graze_broad_phase_def def;
    graze_broad_phase_method used;
    const grz_broad_method *method;
    void *state; /* of the method; NULL until the first update, and after one failed */

    uint32_t limit, capacity; /* ids below `limit` are or were in use; the arrays hold `capacity` */
    size_t count;
    grz_broad_arrays arrays;
    graze_oriented_box *oriented; /* NULL until the first OBB is set; `capacity` elements */
    uint8_t *has_oriented;

    grz_candidates candidates;
    bool out_of_date;    /* the last update failed */
    bool needs_refilter; /* some box has the flag GRZ_BOX_REFILTER */
    uint64_t jitter_state;

    grz_pair_sink sink;
    GRZ_ARRAY(uint32_t) changed;
    GRZ_ARRAY(uint32_t) marks;      /* by box id; scratch */
    GRZ_ARRAY(uint32_t) movers;     /* ids of boxes that moved */
    GRZ_ARRAY(uint32_t) classified; /* candidates that begin, end, or are disjoint */
    GRZ_ARRAY(graze_box_pair) ended;
    GRZ_ARRAY(uint32_t) begun;
    GRZ_ARRAY(uint32_t) moved;
    GRZ_ARRAY(grz_key_value) keyed; /* for sorting: twice as many as are sorted */
};

/* Reserves memory for a box with this id, so that inserting it cannot fail. False when out of memory. */
bool grz_broad_reserve(graze_broad_phase *broad, uint32_t id);

/* graze_broad_phase_move, called in the default floating-point environment. */
graze_status grz_broad_move(graze_broad_phase *broad, uint32_t id, const graze_box *box);

/* Marks a box as moved, even if its coordinates are the same: its pairs are reported as moved. */
void grz_broad_mark_moved(graze_broad_phase *broad, uint32_t id);

/* Whether the last update succeeded and nothing has changed since. */
bool grz_broad_is_up_to_date(const graze_broad_phase *broad);

grz_aabb_view grz_broad_view(const graze_broad_phase *broad);

/* Sorts the first `count` elements of `keyed`, which has room for twice as many, by pair a << 32 | b; values have 32
   bits. */
void grz_broad_sort_pairs(graze_broad_phase *broad, size_t count);

/* Tests all candidates with a box that moved: which overlap, and which are no longer candidates since their fat boxes
   are disjoint. False when out of memory. */
bool grz_broad_test_candidates(graze_broad_phase *broad);

/* The method to use for that many boxes, and its implementation. */
graze_broad_phase_method grz_broad_choose_method(graze_broad_phase_method wanted, graze_broad_phase_method now,
                                                 size_t count);
const grz_broad_method *grz_broad_method_of(graze_broad_phase_method method);

#endif
