/* SPDX-License-Identifier: MIT */
/*
 * Pairs that repeat: the same two meshes, turned the same way, in the same place relative to each other, as in rows of
 * instances. Decisions do not change when both are moved by the same translation, so those of one pair are those of
 * all. Only pairs are remembered that touch or are clear: a depth is certified for doubles where they stand.
 */
#ifndef TOOL_CLASH_VERDICT_CACHE_H
#define TOOL_CLASH_VERDICT_CACHE_H

#include "clash/report.h"

typedef struct clash_verdict_cache clash_verdict_cache;

/* What two parts are relative to each other. All of it is compared bit by bit. */
typedef struct clash_relative_placement
{
    const graze_mesh *meshes[2];
    double turns[2][9];  /* linear parts of the poses */
    double shift[3];     /* exactly the translation of b's pose minus that of a's */
    double clearance;    /* of the limits */
    double allows_touch; /* 0 or 1 */
} clash_relative_placement;

/* False when the difference of the translations is no double: then the pair is one of its own. */
bool clash_relative_placement_of(const clash_part *a, const clash_part *b, const clash_limits *limits,
                                 clash_relative_placement *out_placement);

/* What is known of a pair that touches, or, without a kind, is clear. */
typedef struct clash_cached_verdict
{
    const char *touch_kind;
    uint64_t pairs;
    double area, point[3]; /* the point when a's translation is 0 */
} clash_cached_verdict;

/* A fixed number of places; a later pair takes that of an earlier one. NULL when memory ends. */
clash_verdict_cache *clash_verdict_cache_create(void);
void clash_verdict_cache_release(clash_verdict_cache *repeats);

/* Thread safety: any number of threads may ask and add. `repeats` may be NULL: then nothing is known. */
bool clash_verdict_cache_find(clash_verdict_cache *repeats, const clash_relative_placement *relation,
                              clash_cached_verdict *out_cached);
void clash_verdict_cache_add(clash_verdict_cache *repeats, const clash_relative_placement *relation,
                             const clash_cached_verdict *repeat);

#endif
