/* SPDX-License-Identifier: MIT */
/*
 * Many hits, sorted: a counting sort by the triangle of A, then each triangle's hits by the triangle of B. Hits of one
 * triangle are found close together, so that both passes stay in the cache, where sorting whole keys does not.
 */
#ifndef GRZ_PAIR_HIT_HIT_GROUPS_H
#define GRZ_PAIR_HIT_HIT_GROUPS_H

#include "pair/hit/hit_buffer.h"

/* A range of A's triangles that contains all with hits. */
typedef struct grz_hit_range
{
    uint32_t lowest_a;
    size_t count;
} grz_hit_range;

/* Whether there are many hits, and enough for each triangle of the range. */
bool grz_hit_groups_suit(const grz_hit_buffer *buffered, const graze_mesh *a, grz_hit_range *out_range);

/* As grz_hit_buffer_write. */
bool grz_hit_groups_write(const grz_hit_buffer *buffered, const grz_hit_range *range, const graze_context *context,
                          const graze_mesh *a, const graze_mesh *b, graze_hit *out_hits, size_t capacity);

#endif
