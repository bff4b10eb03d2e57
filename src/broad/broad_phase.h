/* SPDX-License-Identifier: MIT */
/*
 * A broad phase from inside: boxes by number, what happened to them since the last update, and the pairs they are in.
 * broad_phase.c takes the calls, update.c and candidate_overlaps.c bring the pairs up to date, queries.c answers
 * questions.
 */
#ifndef GRZ_BROAD_BROAD_PHASE_H
#define GRZ_BROAD_BROAD_PHASE_H

#include "base/sort.h"
#include "broad/candidates.h"
#include "broad/fat_aabb.h"

/* Everything there is for one number, array by array; they grow together. */
typedef struct grz_broad_arrays
{
    void *tight_memory;
    grz_tight_aabb *tight; /* in tight_memory, aligned to lines of the cache */
    grz_fat_aabb *fat;
    grz_fat_aabb *before; /* fat boxes at the last update; empty for those that were not there */
    uint8_t *present;
    uint8_t *dirty_flags; /* GRZ_BOX_... */
    uint64_t *dirty_bits; /* one bit for each number with dirty_flags */
    grz_pooled_list *lists;
} grz_broad_arrays;

struct graze_broad_phase
{
    graze_context context;
    graze_broad_phase_def def;
    graze_broad_phase_method used;
    const grz_broad_method *method;
    void *state; /* the method's; NULL until the first update, and after one failed */

    uint32_t limit, capacity; /* numbers below these are in use, or have room */
    size_t count;
    grz_broad_arrays arrays;
    graze_oriented_box *oriented; /* NULL until the first is given; has room for `capacity` */
    uint8_t *has_oriented;

    grz_candidates candidates;
    bool out_of_date;    /* the last update failed */
    bool needs_refilter; /* some box has the dirty_flags GRZ_BOX_REFILTER */
    uint64_t jitter_state;

    grz_pair_sink sink;
    GRZ_ARRAY(uint32_t) changed;
    GRZ_ARRAY(uint32_t) marks;      /* by number of a box; scratch */
    GRZ_ARRAY(uint32_t) movers;     /* boxes */
    GRZ_ARRAY(uint32_t) classified; /* candidates that begin, end, are far */
    GRZ_ARRAY(graze_box_pair) ended;
    GRZ_ARRAY(uint32_t) begun;
    GRZ_ARRAY(uint32_t) moved;
    GRZ_ARRAY(grz_key_value) keyed; /* for sorting: twice as many as are sorted */
};

/* Room for a box of this number, so that inserting it cannot fail for want of memory. False when there is none. */
bool grz_broad_reserve(graze_broad_phase *broad, uint32_t id);

/* Says that what is in a box has moved, though the box may be the same: its pairs are listed as moved. */
void grz_broad_mark_moved(graze_broad_phase *broad, uint32_t id);

/* Whether nothing has happened since the last update, which succeeded. */
bool grz_broad_is_up_to_date(const graze_broad_phase *broad);

grz_aabb_view grz_broad_view(const graze_broad_phase *broad);

/* Sorts the first so many of `keyed`, which has room for twice as many, by pairs a << 32 | b; values have 32 bits. */
void grz_broad_sort_pairs(graze_broad_phase *broad, size_t count);

/* Looks at all candidates with a box that moved: what meets, and what is too far away to remain one. False when out of
   memory. */
bool grz_broad_test_candidates(graze_broad_phase *broad);

/* The method for that many boxes, and the one that serves it. */
graze_broad_phase_method grz_broad_choose_method(graze_broad_phase_method wanted, graze_broad_phase_method now,
                                                 size_t count);
const grz_broad_method *grz_broad_method_of(graze_broad_phase_method method);

#endif
