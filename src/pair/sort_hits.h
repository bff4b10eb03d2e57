/* SPDX-License-Identifier: MIT */
/* Hits in their canonical order: by triangle of A, then by triangle of B. */
#ifndef GRZ_PAIR_SORT_HITS_H
#define GRZ_PAIR_SORT_HITS_H

#include <stdbool.h>

#include "graze/pair.h"

/* False when out of memory; the hits are then as they were. No two hits are of the same triangles. */
bool grz_sort_hits(const graze_context *context, graze_hit *hits, size_t count);

#endif
