/* SPDX-License-Identifier: MIT */
/*
 * The hits of a search, as they are kept until they are told. Of two triangles that cross, inside in inside, their
 * numbers say everything, and most hits are of that kind; others are kept whole.
 *
 * Where not all are wanted, the first `most` in canonical order are kept, and up to twice as many on the way: when
 * there are that many, the later half is dropped, and from then on everything that comes after what is left.
 */
#ifndef GRZ_PAIR_KEPT_H
#define GRZ_PAIR_KEPT_H

#include "base/array.h"
#include "graze/pair.h"

typedef GRZ_ARRAY(graze_hit) grz_hit_array;

typedef struct grz_kept
{
    GRZ_ARRAY(uint64_t) crossings; /* grz_hit_number of each */
    grz_hit_array others;
    GRZ_ARRAY(uint64_t) candidates; /* numbers of pairs yet to be decided */
    size_t most;                    /* 0: all are kept, and the rest does not matter; */
    uint64_t first;                 /* else those from this number on */
    uint64_t end;                   /* and below this one: of these, all are there. UINT64_MAX: none was dropped */
    uint64_t beyond;                /* how many came up that are not below the end; some may have come up twice */
} grz_kept;

/* In the order of these numbers hits are in canonical order. */
static inline uint64_t grz_hit_number(uint32_t triangle_a, uint32_t triangle_b)
{
    return (uint64_t)triangle_a << 32 | triangle_b;
}

/* Whether a hit with this number is kept. */
static inline bool grz_kept_takes(grz_kept *kept, uint64_t number)
{
    if (kept->most == 0)
        return true;
    kept->beyond += number >= kept->end;
    return number >= kept->first && number < kept->end;
}

/* What is to be said of two triangles that cross. */
extern const graze_triangle_contact grz_crossing;

/* These say false when out of memory, and leave what there is as it was. */
bool grz_kept_add(grz_kept *kept, const graze_context *context, const graze_hit *hit);
bool grz_kept_add_crossings(grz_kept *kept, const graze_context *context, const uint64_t *numbers, size_t count);

/* Keeps a pair to be decided later, if it is one to be kept: it takes the place of a hit. */
bool grz_kept_add_candidate(grz_kept *kept, const graze_context *context, uint64_t number);

/* Takes all that another has, of those it keeps; candidates are none. */
bool grz_kept_join(grz_kept *kept, const graze_context *context, grz_kept *more);

/* Drops everything from a number on that is below the end. */
void grz_kept_cut(grz_kept *kept, uint64_t end);

size_t grz_kept_count(const grz_kept *kept);

/* Writes the first `capacity` hits in order of (triangle_a, triangle_b). The meshes tell the faces. */
bool grz_kept_write(const grz_kept *kept, const graze_context *context, const graze_mesh *a, const graze_mesh *b,
                    graze_hit *out_hits, size_t capacity);

void grz_kept_release(grz_kept *kept, const graze_context *context);

#endif
