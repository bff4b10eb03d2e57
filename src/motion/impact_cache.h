/* SPDX-License-Identifier: MIT */
/*
 * What is known of two meshes from one motion to the next: a gap that may outlast the next one, and the pair of
 * triangles that met last. graze_impact_cache holds it from one call to the next.
 */
#ifndef GRZ_MOTION_IMPACT_CACHE_H
#define GRZ_MOTION_IMPACT_CACHE_H

#include "motion/motion_gap.h"

/* All zeros: nothing is known. It changes no answer. */
typedef struct grz_impact_memory
{
    grz_motion_gap gap;
    uint32_t witness[2];         /* triangles of A and B, if `met` */
    bool met;                    /* in the motion before: where it has ended in contact, the next one begins so; */
    int misses;                  /* how often in a row it did not */
    uint64_t by_gap, by_witness; /* motions that the gap answered, and those whose time the witness told */
} grz_impact_memory;

/* What a cache knows of these meshes: nothing if it was used with others, or their vertices have moved. It may be NULL.
 */
grz_impact_memory grz_impact_cache_load(const graze_impact_cache *cache, const graze_moving_mesh *a,
                                        const graze_moving_mesh *b);

/* Stores what is known after `count` motions. `by_gap` and `by_witness` are those of all of them. */
void grz_impact_cache_store(graze_impact_cache *cache, const graze_moving_mesh *a, const graze_moving_mesh *b,
                            const grz_impact_memory *memory, size_t count);

#endif
