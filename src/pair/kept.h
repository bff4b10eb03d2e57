/* SPDX-License-Identifier: MIT */
/*
 * The hits of a search, as they are kept until they are told. Of two triangles that cross, inside in inside, their
 * numbers say everything, and most hits are of that kind; others are kept whole.
 */
#ifndef GRZ_PAIR_KEPT_H
#define GRZ_PAIR_KEPT_H

#include "base/array.h"
#include "graze/pair.h"

typedef GRZ_ARRAY(graze_hit) grz_hit_array;

typedef struct grz_kept
{
    GRZ_ARRAY(uint64_t) crossings; /* A's triangle in the upper half, B's in the lower */
    grz_hit_array others;
} grz_kept;

/* What is to be said of two triangles that cross. */
extern const graze_triangle_contact grz_crossing;

/* These say false when out of memory, and leave what there is as it was. */
bool grz_kept_add(grz_kept *kept, const graze_context *context, const graze_hit *hit);
bool grz_kept_add_crossings(grz_kept *kept, const graze_context *context, const uint64_t *numbers, size_t count);

/* Takes all that another has. */
bool grz_kept_join(grz_kept *kept, const graze_context *context, grz_kept *more);

size_t grz_kept_count(const grz_kept *kept);

/* Writes the first `capacity` hits in order of (triangle_a, triangle_b). The meshes tell the faces. */
bool grz_kept_write(const grz_kept *kept, const graze_context *context, const graze_mesh *a, const graze_mesh *b,
                    graze_hit *out_hits, size_t capacity);

void grz_kept_release(grz_kept *kept, const graze_context *context);

#endif
