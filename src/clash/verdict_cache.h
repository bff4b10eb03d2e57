/* SPDX-License-Identifier: MIT */
/*
 * Verdict cache for instances: pairs of the same two meshes with the same linear parts of their poses and the same
 * relative translation, as in rows of instances. Decisions are invariant under a common translation, so that one pair's
 * verdict holds for all. Only pairs that touch or are clear are cached: a depth is certified for the doubles of one
 * place.
 */
#ifndef GRZ_CLASH_VERDICT_CACHE_H
#define GRZ_CLASH_VERDICT_CACHE_H

#include "clash/report.h"

typedef struct grz_clash_verdict_cache grz_clash_verdict_cache;

/* The relative placement of two parts. Compared bit by bit. */
typedef struct grz_clash_relative_placement
{
    const struct graze_body *bodies[2]; /* of the meshes, as solids or as surfaces */
    double turns[2][9];                 /* linear parts of the poses */
    double shift[3];                    /* translation of b's pose minus that of a's, exactly */
    double clearance;                   /* of the limits */
    double allows_touch;                /* 0 or 1 */
} grz_clash_relative_placement;

/* False when the difference of the translations is no double: then the pair is not cached. */
bool grz_clash_relative_placement_of(const grz_clash_part *a, const grz_clash_part *b, const grz_clash_limits *limits,
                                     grz_clash_relative_placement *out_placement);

/* The verdict on a pair that touches, or, without a kind, is clear. */
typedef struct grz_clash_cached_verdict
{
    const char *touch_kind;
    uint64_t pairs;
    double area, point[3]; /* point and box are for a's translation 0 */
    graze_box box;
    uint32_t curves;
    double apart; /* without a kind: a lower bound of the gap; infinite where they touch and that is allowed */
} grz_clash_cached_verdict;

/* As many slots as so many pairs need, up to a limit; a later pair overwrites an earlier one. NULL when out of memory.
 */
grz_clash_verdict_cache *grz_clash_verdict_cache_create(const graze_context *context, size_t pair_count);
void grz_clash_verdict_cache_release(const graze_context *context, grz_clash_verdict_cache *verdict_cache);

/* Thread safety: any number of threads may find and add. `verdict_cache` may be NULL: then nothing is cached. */
bool grz_clash_verdict_cache_find(grz_clash_verdict_cache *verdict_cache, const grz_clash_relative_placement *relation,
                                  grz_clash_cached_verdict *out_cached);
void grz_clash_verdict_cache_add(grz_clash_verdict_cache *verdict_cache, const grz_clash_relative_placement *relation,
                                 const grz_clash_cached_verdict *verdict);

#endif
