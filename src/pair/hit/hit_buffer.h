/* SPDX-License-Identifier: MIT */
/*
 * The hits of a search, buffered until they are reported. Two triangles that cross in the interior of both are
 * described by their indices alone, and most hits are of that kind; others by a byte more (grz_contact_code).
 *
 * Where not all hits are wanted, the first `most` in canonical order are buffered, and up to twice as many temporarily:
 * when there are that many, the later half is dropped, and from then on every hit after the rest.
 */
#ifndef GRZ_PAIR_HIT_HIT_BUFFER_H
#define GRZ_PAIR_HIT_HIT_BUFFER_H

#include "base/array.h"
#include "exact/contact.h"
#include "graze/pair.h"

typedef struct grz_hit_buffer
{
    GRZ_ARRAY(uint64_t) crossings;  /* grz_hit_key of each */
    GRZ_ARRAY(uint64_t) others;     /* the same of other hits, */
    GRZ_ARRAY(uint8_t) contacts;    /* and grz_contact_code of each: as many */
    GRZ_ARRAY(uint64_t) candidates; /* keys of postponed pairs, yet to be decided */
    size_t most;                    /* 0: all are buffered, and the fields below are unused */
    uint64_t first;                 /* else hits from this key on are buffered */
    uint64_t end;                   /* and below this key: of these, all are there. UINT64_MAX: none was dropped */
    uint64_t beyond;                /* number of hits and candidates at or above the end; some may be counted twice */
} grz_hit_buffer;

/* Sorted by this key, hits are in canonical order. */
static inline uint64_t grz_hit_key(uint32_t triangle_a, uint32_t triangle_b)
{
    return (uint64_t)triangle_a << 32 | triangle_b;
}

/* Whether a hit with this key is buffered; shortcut: first-hits. */
static inline bool grz_hit_buffer_accepts(grz_hit_buffer *buffered, uint64_t key)
{
    if (buffered->most == 0)
        return true;
    buffered->beyond += key >= buffered->end;
    return key >= buffered->first && key < buffered->end;
}

/* The contact of two triangles that cross in the interior of both. */
extern const graze_triangle_contact grz_crossing_contact;

/* False when out of memory: the buffer is unchanged then. */
bool grz_hit_buffer_add(grz_hit_buffer *buffered, const graze_context *context, uint64_t key, uint8_t contact);
/* The same for several hits that are no crossings; those before one that finds no memory stay in the buffer. */
bool grz_hit_buffer_add_others(grz_hit_buffer *buffered, const graze_context *context, const uint64_t *keys,
                               const uint8_t *contacts, size_t count);
bool grz_hit_buffer_add_crossings(grz_hit_buffer *buffered, const graze_context *context, const uint64_t *keys,
                                  size_t count);

/* Postpones a pair, if a hit with its key would be accepted: it takes the place of a hit. */
bool grz_hit_buffer_add_candidate(grz_hit_buffer *buffered, const graze_context *context, uint64_t key);

/* Adds all hits of another buffer that are accepted; the other must have no candidates. */
bool grz_hit_buffer_merge(grz_hit_buffer *buffered, const graze_context *context, grz_hit_buffer *more);

/* Drops all hits from `end` on, a key below the current end. */
void grz_hit_buffer_truncate(grz_hit_buffer *buffered, uint64_t end);

size_t grz_hit_buffer_count(const grz_hit_buffer *buffered);

/* Writes the first `capacity` hits in order of (triangle_a, triangle_b). The meshes provide the faces. */
bool grz_hit_buffer_write(const grz_hit_buffer *buffered, const graze_context *context, const graze_mesh *a,
                          const graze_mesh *b, graze_hit *out_hits, size_t capacity);

void grz_hit_buffer_release(grz_hit_buffer *buffered, const graze_context *context);

#endif
