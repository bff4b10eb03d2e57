/* SPDX-License-Identifier: MIT */
/* The hit buffer of a search; see hit_buffer.h. */
#include "pair/hit/hit_buffer.h"

#include <string.h>

#include "base/sort.h"
#include "mesh/mesh.h"
#include "pair/hit/sort_hits.h"
#include "pair/radix_select.h"
#include "simd/kernels.h"

enum
{
    FIRST_HITS = 64,  /* first capacity, and the least that is buffered */
    BUCKET_SIZE = 32, /* keys per bucket that sort_keys aims at */
    MOST_BUCKETS = 1024
};

const graze_triangle_contact grz_crossing_contact = {.found = true,
                                                     .crossing = true,
                                                     .dimension = 1,
                                                     .feature_a = GRAZE_FEATURE_FACE,
                                                     .feature_b = GRAZE_FEATURE_FACE,
                                                     .mask_a = 7,
                                                     .mask_b = 7};

static inline uint64_t key_of(const graze_hit *hit)
{
    return grz_hit_key(hit->triangle_a, hit->triangle_b);
}

static inline bool is_crossing(const graze_triangle_contact *c)
{
    return c->crossing && !c->coplanar && c->dimension == 1 && c->feature_a == GRAZE_FEATURE_FACE &&
           c->feature_b == GRAZE_FEATURE_FACE && c->mask_a == 7 && c->mask_b == 7;
}

/* The key of an entry: crossings first, then others, candidates last. */
static uint64_t key_at(const void *hits, size_t index)
{
    const grz_hit_buffer *buffered = hits;
    if (index < buffered->crossings.count)
        return buffered->crossings.data[index];
    index -= buffered->crossings.count;
    return index < buffered->others.count ? key_of(&buffered->others.data[index])
                                          : buffered->candidates.data[index - buffered->others.count];
}

static size_t drop_keys(uint64_t *keys, size_t count, uint64_t end)
{
    size_t buffered = 0;
    for (size_t i = 0; i < count; i++)
        if (keys[i] < end)
            keys[buffered++] = keys[i];
    return buffered;
}

void grz_hit_buffer_truncate(grz_hit_buffer *buffered, uint64_t end)
{
    size_t others = 0, before = grz_hit_buffer_count(buffered) + buffered->candidates.count;
    if (end >= buffered->end)
        return;
    buffered->crossings.count = drop_keys(buffered->crossings.data, buffered->crossings.count, end);
    buffered->candidates.count = drop_keys(buffered->candidates.data, buffered->candidates.count, end);
    for (size_t i = 0; i < buffered->others.count; i++)
        if (key_of(&buffered->others.data[i]) < end)
            buffered->others.data[others++] = buffered->others.data[i];
    buffered->others.count = others;
    buffered->end = end;
    buffered->beyond += before - grz_hit_buffer_count(buffered) - buffered->candidates.count;
}

/* Drops the later half when there are twice as many as wanted. */
static void drop_later(grz_hit_buffer *buffered)
{
    size_t most = buffered->most < FIRST_HITS ? FIRST_HITS : buffered->most;
    size_t count = grz_hit_buffer_count(buffered) + buffered->candidates.count;
    if (buffered->most > 0 && count >= 2 * most)
        grz_hit_buffer_truncate(buffered, grz_radix_select(key_at, buffered, count, most));
}

bool grz_hit_buffer_add_candidate(grz_hit_buffer *buffered, const graze_context *context, uint64_t key)
{
    if (!grz_hit_buffer_accepts(buffered, key))
        return true;
    if (!GRZ_PUSH(context, &buffered->candidates, key))
        return false;
    drop_later(buffered);
    return true;
}

/* Adds those crossings that are accepted. */
static bool add_some_crossings(grz_hit_buffer *buffered, const graze_context *context, const uint64_t *keys,
                               size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        if (!grz_hit_buffer_accepts(buffered, keys[i]))
            continue;
        if (!GRZ_RESERVE(context, &buffered->crossings, FIRST_HITS) ||
            !GRZ_PUSH(context, &buffered->crossings, keys[i]))
            return false;
        drop_later(buffered);
    }
    return true;
}

bool grz_hit_buffer_add_crossings(grz_hit_buffer *buffered, const graze_context *context, const uint64_t *keys,
                                  size_t count)
{
    /* Nothing was dropped so far, and these drop nothing. */
    bool all = buffered->most == 0 || (buffered->first == 0 && buffered->end == UINT64_MAX &&
                                       grz_hit_buffer_count(buffered) + count < buffered->most);
    if (!all)
        return add_some_crossings(buffered, context, keys, count);
    size_t needed = buffered->crossings.count + count;
    if (!GRZ_RESERVE(context, &buffered->crossings, needed < FIRST_HITS ? FIRST_HITS : needed))
        return false;
    memcpy(buffered->crossings.data + buffered->crossings.count, keys, count * sizeof *keys);
    buffered->crossings.count = needed;
    return true;
}

bool grz_hit_buffer_add(grz_hit_buffer *buffered, const graze_context *context, const graze_hit *hit)
{
    if (is_crossing(&hit->contact))
    {
        uint64_t key = key_of(hit);
        return grz_hit_buffer_add_crossings(buffered, context, &key, 1);
    }
    if (!grz_hit_buffer_accepts(buffered, key_of(hit)))
        return true;
    if (!GRZ_RESERVE(context, &buffered->others, FIRST_HITS) || !GRZ_PUSH(context, &buffered->others, *hit))
        return false;
    drop_later(buffered);
    return true;
}

/* Merges where not all hits are wanted. What the other buffer has dropped is not accepted here either. */
static bool merge_some(grz_hit_buffer *buffered, const graze_context *context, grz_hit_buffer *more)
{
    bool enough = true;
    grz_hit_buffer_truncate(buffered, more->end);
    buffered->beyond += more->beyond;
    for (size_t i = 0; enough && i < more->others.count; i++)
        enough = grz_hit_buffer_add(buffered, context, &more->others.data[i]);
    if (enough && more->crossings.count > 0)
        enough = grz_hit_buffer_add_crossings(buffered, context, more->crossings.data, more->crossings.count);
    grz_hit_buffer_release(more, context);
    return enough;
}

bool grz_hit_buffer_merge(grz_hit_buffer *buffered, const graze_context *context, grz_hit_buffer *more)
{
    if (buffered->most > 0)
        return merge_some(buffered, context, more);
    size_t others = buffered->others.count + more->others.count;
    if (more->others.count > 0)
    {
        if (!GRZ_RESERVE(context, &buffered->others, others))
            return false;
        memcpy(buffered->others.data + buffered->others.count, more->others.data,
               more->others.count * sizeof *more->others.data);
        buffered->others.count = others;
        more->others.count = 0;
    }
    if (more->crossings.count > 0)
    {
        if (!grz_hit_buffer_add_crossings(buffered, context, more->crossings.data, more->crossings.count))
            return false;
        more->crossings.count = 0;
    }
    return true;
}

size_t grz_hit_buffer_count(const grz_hit_buffer *buffered)
{
    return buffered->crossings.count + buffered->others.count;
}

/* Bucket sort: where the buckets begin; keys of a later bucket are larger. */
typedef struct buckets
{
    uint64_t lowest;
    unsigned shift; /* the bucket of a key is (key - lowest) >> shift */
    size_t count;
    size_t starts[MOST_BUCKETS + 1]; /* and the end of the last one */
} buckets;

/* So many that buckets are small when keys are spread evenly. */
static void find_buckets(const uint64_t *keys, size_t count, buckets *out)
{
    uint64_t lowest = keys[0], highest = keys[0];
    for (size_t i = 1; i < count; i++)
    {
        lowest = keys[i] < lowest ? keys[i] : lowest;
        highest = keys[i] > highest ? keys[i] : highest;
    }
    out->lowest = lowest;
    out->shift = 0;
    while ((highest - lowest) >> out->shift >= MOST_BUCKETS ||
           ((highest - lowest) >> out->shift) * BUCKET_SIZE > 2 * count)
        out->shift++;
    out->count = (size_t)((highest - lowest) >> out->shift) + 1;
    memset(out->starts, 0, (out->count + 1) * sizeof *out->starts);
    for (size_t i = 0; i < count; i++)
        out->starts[((keys[i] - lowest) >> out->shift) + 1]++;
    for (size_t i = 1; i <= out->count; i++)
        out->starts[i] += out->starts[i - 1];
}

/* The keys in order; `sorted` has room for twice as many. */
static void sort_keys(const uint64_t *keys, size_t count, const graze_context *context, uint64_t *sorted)
{
    const grz_kernels *kernels = grz_kernels_for(context != NULL ? context->instructions : GRAZE_INSTRUCTIONS_BEST);
    if (count <= GRZ_SORT_MOST)
    {
        kernels->sort(keys, (unsigned)count, sorted);
        return;
    }
    buckets b;
    uint64_t *bucketed = sorted + count;
    size_t next[MOST_BUCKETS];
    find_buckets(keys, count, &b);
    memcpy(next, b.starts, b.count * sizeof *next);
    for (size_t i = 0; i < count; i++)
        bucketed[next[(keys[i] - b.lowest) >> b.shift]++] = keys[i];
    for (size_t i = 0; i < b.count; i++)
    {
        size_t first = b.starts[i], size = b.starts[i + 1] - first;
        if (size <= GRZ_SORT_MOST)
        {
            kernels->sort(bucketed + first, (unsigned)size, sorted + first);
            continue;
        }
        memcpy(sorted + first, bucketed + first, size * sizeof *sorted);
        grz_sort_numbers(sorted + first, bucketed + first, size, 0);
    }
}

/* Crossings and other hits, both sorted. */
typedef struct sorted_hits
{
    const graze_mesh *a, *b;
    const uint64_t *crossings;
    const graze_hit *others;
    size_t crossing_count, other_count;
} sorted_hits;

/* Merges both. */
static void write_hits(const sorted_hits *hits, graze_hit *out_hits, size_t capacity)
{
    size_t all = hits->crossing_count + hits->other_count, other = 0, crossing = 0;
    for (size_t i = 0; i < all && i < capacity; i++)
    {
        bool is_other = other < hits->other_count &&
                        (crossing == hits->crossing_count || key_of(&hits->others[other]) < hits->crossings[crossing]);
        if (is_other)
        {
            out_hits[i] = hits->others[other++];
            continue;
        }
        uint64_t key = hits->crossings[crossing++];
        uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
        out_hits[i] = (graze_hit){a, b, grz_mesh_face(hits->a, a), grz_mesh_face(hits->b, b), grz_crossing_contact};
    }
}

bool grz_hit_buffer_write(const grz_hit_buffer *buffered, const graze_context *context, const graze_mesh *a,
                          const graze_mesh *b, graze_hit *out_hits, size_t capacity)
{
    size_t crossing_count = buffered->crossings.count, other_count = buffered->others.count;
    if (capacity == 0 || crossing_count == 0)
        return grz_sort_hits_into(context, buffered->others.data, other_count, out_hits, capacity);
    uint64_t few[GRZ_SORT_MOST], *keys = few;
    graze_hit *others = NULL;
    if (crossing_count > GRZ_SORT_MOST)
        keys = grz_allocate(context, crossing_count, 2 * sizeof *keys);
    if (other_count > 0)
        others = grz_allocate(context, other_count, sizeof *others);
    bool enough = keys != NULL && (other_count == 0 || others != NULL) &&
                  grz_sort_hits_into(context, buffered->others.data, other_count, others, other_count);
    if (enough)
    {
        sort_keys(buffered->crossings.data, crossing_count, context, keys);
        write_hits(&(sorted_hits){a, b, keys, others, crossing_count, other_count}, out_hits, capacity);
    }
    grz_release(context, others);
    if (keys != few)
        grz_release(context, keys);
    return enough;
}

void grz_hit_buffer_release(grz_hit_buffer *buffered, const graze_context *context)
{
    grz_release(context, buffered->crossings.data);
    grz_release(context, buffered->others.data);
    grz_release(context, buffered->candidates.data);
    *buffered = (grz_hit_buffer){.most = buffered->most, .first = buffered->first, .end = buffered->end};
}
