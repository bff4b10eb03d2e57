/* SPDX-License-Identifier: MIT */
/*
 * The hits of a search, as they are kept until they are told. Of two triangles that cross, inside in inside, their
 * numbers say everything, and most hits are of that kind; others are kept whole.
 *
 * Where not all are wanted, the first `most` in canonical order are kept, and up to twice as many on the way: when
 * there are that many, the later half is dropped, and from then on everything that comes after what is left.
 */
#ifndef GRZ_PAIR_HIT_HIT_BUFFER_H
#define GRZ_PAIR_HIT_HIT_BUFFER_H

#include "base/array.h"
#include "graze/pair.h"

typedef GRZ_ARRAY(graze_hit) grz_hit_array;

typedef struct grz_hit_buffer
{
    GRZ_ARRAY(uint64_t) crossings; /* grz_hit_key of each */
    grz_hit_array others;
    GRZ_ARRAY(uint64_t) candidates; /* numbers of pairs yet to be decided */
    size_t most;                    /* 0: all are kept, and the rest does not matter; */
    uint64_t first;                 /* else those from this number on */
    uint64_t end;                   /* and below this one: of these, all are there. UINT64_MAX: none was dropped */
    uint64_t beyond;                /* how many came up that are not below the end; some may have come up twice */
} grz_hit_buffer;

/* In the order of these numbers hits are in canonical order. */
static inline uint64_t grz_hit_key(uint32_t triangle_a, uint32_t triangle_b)
{
    return (uint64_t)triangle_a << 32 | triangle_b;
}

/* Whether a hit with this number is kept; shortcut: first-hits. */
static inline bool grz_hit_buffer_accepts(grz_hit_buffer *buffered, uint64_t number)
{
    if (buffered->most == 0)
        return true;
    buffered->beyond += number >= buffered->end;
    return number >= buffered->first && number < buffered->end;
}

/* What is to be said of two triangles that cross. */
extern const graze_triangle_contact grz_crossing_contact;

/* These say false when out of memory, and leave what there is as it was. */
bool grz_hit_buffer_add(grz_hit_buffer *buffered, const graze_context *context, const graze_hit *hit);
bool grz_hit_buffer_add_crossings(grz_hit_buffer *buffered, const graze_context *context, const uint64_t *numbers,
                                  size_t count);

/* Keeps a pair to be decided later, if it is one to be kept: it takes the place of a hit. */
bool grz_hit_buffer_add_candidate(grz_hit_buffer *buffered, const graze_context *context, uint64_t number);

/* Takes all that another has, of those it keeps; candidates are none. */
bool grz_hit_buffer_merge(grz_hit_buffer *buffered, const graze_context *context, grz_hit_buffer *more);

/* Drops everything from a number on that is below the end. */
void grz_hit_buffer_truncate(grz_hit_buffer *buffered, uint64_t end);

size_t grz_hit_buffer_count(const grz_hit_buffer *buffered);

/* Writes the first `capacity` hits in order of (triangle_a, triangle_b). The meshes tell the faces. */
bool grz_hit_buffer_write(const grz_hit_buffer *buffered, const graze_context *context, const graze_mesh *a,
                          const graze_mesh *b, graze_hit *out_hits, size_t capacity);

void grz_hit_buffer_release(grz_hit_buffer *buffered, const graze_context *context);

#endif
