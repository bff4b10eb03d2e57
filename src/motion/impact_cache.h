/* SPDX-License-Identifier: MIT */
/*
 * What is known of two meshes from one motion to the next: a gap that may outlast the next one, and some pairs of
 * triangles that met last. graze_impact_cache holds it from one call to the next.
 */
#ifndef GRZ_MOTION_IMPACT_CACHE_H
#define GRZ_MOTION_IMPACT_CACHE_H

#include "motion/motion_gap.h"

enum
{
    GRZ_WITNESSES = 8
};

/* Pairs of triangles that are likely to meet at the start of the next motion. */
typedef struct grz_impact_witnesses
{
    uint32_t pairs[GRZ_WITNESSES][2]; /* triangles of A and B; the likely answer first */
    int count;
} grz_impact_witnesses;

/* All zeros: nothing is known. It changes no answer. */
typedef struct grz_impact_memory
{
    grz_motion_gap gap;
    grz_impact_witnesses witnesses;
    bool met;                    /* in the motion before: where it has ended in contact, the next one begins so; */
    int misses;                  /* how often in a row it did not */
    uint64_t by_gap, by_witness; /* motions that the gap answered, and those whose time the witness told */
} grz_impact_memory;

/* Puts a pair behind the others, if there is room and it is not among them. */
void grz_impact_witnesses_add(grz_impact_witnesses *witnesses, uint32_t triangle_a, uint32_t triangle_b);

/* What a cache knows of these meshes: nothing if it was used with others, or their vertices have moved. It may be NULL.
 */
grz_impact_memory grz_impact_cache_load(const graze_impact_cache *cache, const graze_moving_mesh *a,
                                        const graze_moving_mesh *b);

/* Stores what is known after `count` motions. `by_gap` and `by_witness` are those of all of them. */
void grz_impact_cache_store(graze_impact_cache *cache, const graze_moving_mesh *a, const graze_moving_mesh *b,
                            const grz_impact_memory *memory, size_t count);

#endif
