/* SPDX-License-Identifier: MIT */
/* Sorts hits into canonical order: by triangle of A, then by triangle of B. No two hits are of the same triangles. */
#ifndef GRZ_PAIR_HIT_SORT_HITS_H
#define GRZ_PAIR_HIT_SORT_HITS_H

#include <stdbool.h>
#include <stddef.h>

#include "graze/pair.h"

/* Writes the first `capacity` of them, and leaves the input unchanged. False when out of memory: nothing is written
   then. */
bool grz_sort_hits_into(const graze_context *context, const graze_hit *hits, size_t count, graze_hit *out_hits,
                        size_t capacity);

#endif
