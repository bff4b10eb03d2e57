/* SPDX-License-Identifier: MIT */
/* The hits of a search; see kept.h. */
#include "pair/kept.h"

#include <string.h>

#include "base/sort.h"
#include "mesh/mesh.h"
#include "pair/rank.h"
#include "pair/sort_hits.h"
#include "simd/kernels.h"

enum
{
    FIRST_HITS = 64,  /* that memory is asked for at first; nor is it worth keeping less */
    BUCKET_SIZE = 32, /* numbers that sort_numbers would like to have in a bucket */
    MOST_BUCKETS = 1024
};

const graze_triangle_contact grz_crossing = {.found = true,
                                             .crossing = true,
                                             .dimension = 1,
                                             .feature_a = GRAZE_FEATURE_FACE,
                                             .feature_b = GRAZE_FEATURE_FACE,
                                             .mask_a = 7,
                                             .mask_b = 7};

static inline uint64_t number_of(const graze_hit *hit)
{
    return grz_hit_number(hit->triangle_a, hit->triangle_b);
}

static inline bool is_crossing(const graze_triangle_contact *c)
{
    return c->crossing && !c->coplanar && c->dimension == 1 && c->feature_a == GRAZE_FEATURE_FACE &&
           c->feature_b == GRAZE_FEATURE_FACE && c->mask_a == 7 && c->mask_b == 7;
}

/* The number of one of them: crossings first, candidates last. */
static uint64_t number_in(const void *hits, size_t index)
{
    const grz_kept *kept = hits;
    if (index < kept->crossings.count)
        return kept->crossings.data[index];
    index -= kept->crossings.count;
    return index < kept->others.count ? number_of(&kept->others.data[index])
                                      : kept->candidates.data[index - kept->others.count];
}

static size_t drop_numbers(uint64_t *numbers, size_t count, uint64_t end)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] < end)
            numbers[kept++] = numbers[i];
    return kept;
}

void grz_kept_cut(grz_kept *kept, uint64_t end)
{
    size_t others = 0, before = grz_kept_count(kept) + kept->candidates.count;
    if (end >= kept->end)
        return;
    kept->crossings.count = drop_numbers(kept->crossings.data, kept->crossings.count, end);
    kept->candidates.count = drop_numbers(kept->candidates.data, kept->candidates.count, end);
    for (size_t i = 0; i < kept->others.count; i++)
        if (number_of(&kept->others.data[i]) < end)
            kept->others.data[others++] = kept->others.data[i];
    kept->others.count = others;
    kept->end = end;
    kept->beyond += before - grz_kept_count(kept) - kept->candidates.count;
}

/* Drops the later half when there are twice as many as wanted. */
static void drop_later(grz_kept *kept)
{
    size_t most = kept->most < FIRST_HITS ? FIRST_HITS : kept->most;
    size_t count = grz_kept_count(kept) + kept->candidates.count;
    if (kept->most > 0 && count >= 2 * most)
        grz_kept_cut(kept, grz_number_at_rank(number_in, kept, count, most));
}

bool grz_kept_add_candidate(grz_kept *kept, const graze_context *context, uint64_t number)
{
    if (!grz_kept_takes(kept, number))
        return true;
    if (!GRZ_PUSH(context, &kept->candidates, number))
        return false;
    drop_later(kept);
    return true;
}

/* Of numbers, those that are to be kept. */
static bool add_some_crossings(grz_kept *kept, const graze_context *context, const uint64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
    {
        if (!grz_kept_takes(kept, numbers[i]))
            continue;
        if (!GRZ_RESERVE(context, &kept->crossings, FIRST_HITS) || !GRZ_PUSH(context, &kept->crossings, numbers[i]))
            return false;
        drop_later(kept);
    }
    return true;
}

bool grz_kept_add_crossings(grz_kept *kept, const graze_context *context, const uint64_t *numbers, size_t count)
{
    /* Nothing was dropped yet, and nothing will be. */
    bool all =
        kept->most == 0 || (kept->first == 0 && kept->end == UINT64_MAX && grz_kept_count(kept) + count < kept->most);
    if (!all)
        return add_some_crossings(kept, context, numbers, count);
    size_t needed = kept->crossings.count + count;
    if (!GRZ_RESERVE(context, &kept->crossings, needed < FIRST_HITS ? FIRST_HITS : needed))
        return false;
    memcpy(kept->crossings.data + kept->crossings.count, numbers, count * sizeof *numbers);
    kept->crossings.count = needed;
    return true;
}

bool grz_kept_add(grz_kept *kept, const graze_context *context, const graze_hit *hit)
{
    if (is_crossing(&hit->contact))
    {
        uint64_t number = number_of(hit);
        return grz_kept_add_crossings(kept, context, &number, 1);
    }
    if (!grz_kept_takes(kept, number_of(hit)))
        return true;
    if (!GRZ_RESERVE(context, &kept->others, FIRST_HITS) || !GRZ_PUSH(context, &kept->others, *hit))
        return false;
    drop_later(kept);
    return true;
}

/* Where not all are kept. What the other has dropped is not to be kept here either. */
static bool join_some(grz_kept *kept, const graze_context *context, grz_kept *more)
{
    bool enough = true;
    grz_kept_cut(kept, more->end);
    kept->beyond += more->beyond;
    for (size_t i = 0; enough && i < more->others.count; i++)
        enough = grz_kept_add(kept, context, &more->others.data[i]);
    if (enough && more->crossings.count > 0)
        enough = grz_kept_add_crossings(kept, context, more->crossings.data, more->crossings.count);
    grz_kept_release(more, context);
    return enough;
}

bool grz_kept_join(grz_kept *kept, const graze_context *context, grz_kept *more)
{
    if (kept->most > 0)
        return join_some(kept, context, more);
    size_t others = kept->others.count + more->others.count;
    if (more->others.count > 0)
    {
        if (!GRZ_RESERVE(context, &kept->others, others))
            return false;
        memcpy(kept->others.data + kept->others.count, more->others.data,
               more->others.count * sizeof *more->others.data);
        kept->others.count = others;
        more->others.count = 0;
    }
    if (more->crossings.count > 0)
    {
        if (!grz_kept_add_crossings(kept, context, more->crossings.data, more->crossings.count))
            return false;
        more->crossings.count = 0;
    }
    return true;
}

size_t grz_kept_count(const grz_kept *kept)
{
    return kept->crossings.count + kept->others.count;
}

/* Where parts of the numbers begin that are sorted one by one: numbers of a later part are larger. */
typedef struct buckets
{
    uint64_t lowest;
    unsigned shift; /* which bucket: (number - lowest) >> shift */
    size_t count;
    size_t starts[MOST_BUCKETS + 1]; /* and where the last one ends */
} buckets;

/* As many as make them small when numbers are spread evenly. */
static void find_buckets(const uint64_t *numbers, size_t count, buckets *out)
{
    uint64_t lowest = numbers[0], highest = numbers[0];
    for (size_t i = 1; i < count; i++)
    {
        lowest = numbers[i] < lowest ? numbers[i] : lowest;
        highest = numbers[i] > highest ? numbers[i] : highest;
    }
    out->lowest = lowest;
    out->shift = 0;
    while ((highest - lowest) >> out->shift >= MOST_BUCKETS ||
           ((highest - lowest) >> out->shift) * BUCKET_SIZE > 2 * count)
        out->shift++;
    out->count = (size_t)((highest - lowest) >> out->shift) + 1;
    memset(out->starts, 0, (out->count + 1) * sizeof *out->starts);
    for (size_t i = 0; i < count; i++)
        out->starts[((numbers[i] - lowest) >> out->shift) + 1]++;
    for (size_t i = 1; i <= out->count; i++)
        out->starts[i] += out->starts[i - 1];
}

/* The numbers in order; `sorted` has room for twice as many. */
static void sort_numbers(const uint64_t *numbers, size_t count, const graze_context *context, uint64_t *sorted)
{
    const grz_kernels *kernels = grz_kernels_for(context != NULL ? context->instructions : GRAZE_INSTRUCTIONS_BEST);
    if (count <= GRZ_SORT_MOST)
    {
        kernels->sort(numbers, (unsigned)count, sorted);
        return;
    }
    buckets b;
    uint64_t *apart = sorted + count;
    size_t next[MOST_BUCKETS];
    find_buckets(numbers, count, &b);
    memcpy(next, b.starts, b.count * sizeof *next);
    for (size_t i = 0; i < count; i++)
        apart[next[(numbers[i] - b.lowest) >> b.shift]++] = numbers[i];
    for (size_t i = 0; i < b.count; i++)
    {
        size_t first = b.starts[i], size = b.starts[i + 1] - first;
        if (size <= GRZ_SORT_MOST)
        {
            kernels->sort(apart + first, (unsigned)size, sorted + first);
            continue;
        }
        memcpy(sorted + first, apart + first, size * sizeof *sorted);
        grz_sort_numbers(sorted + first, apart + first, size, 0);
    }
}

/* Crossings and others, both in order. */
typedef struct sorted_hits
{
    const graze_mesh *a, *b;
    const uint64_t *crossings;
    const graze_hit *others;
    size_t crossing_count, other_count;
} sorted_hits;

/* Writes both as one. */
static void write_hits(const sorted_hits *hits, graze_hit *out_hits, size_t capacity)
{
    size_t all = hits->crossing_count + hits->other_count, other = 0, crossing = 0;
    for (size_t i = 0; i < all && i < capacity; i++)
    {
        bool is_other = other < hits->other_count && (crossing == hits->crossing_count ||
                                                      number_of(&hits->others[other]) < hits->crossings[crossing]);
        if (is_other)
        {
            out_hits[i] = hits->others[other++];
            continue;
        }
        uint64_t number = hits->crossings[crossing++];
        uint32_t a = (uint32_t)(number >> 32), b = (uint32_t)number;
        out_hits[i] = (graze_hit){a, b, grz_mesh_face(hits->a, a), grz_mesh_face(hits->b, b), grz_crossing};
    }
}

bool grz_kept_write(const grz_kept *kept, const graze_context *context, const graze_mesh *a, const graze_mesh *b,
                    graze_hit *out_hits, size_t capacity)
{
    size_t crossing_count = kept->crossings.count, other_count = kept->others.count;
    if (capacity == 0 || crossing_count == 0)
        return grz_sort_hits_into(context, kept->others.data, other_count, out_hits, capacity);
    uint64_t few[GRZ_SORT_MOST], *numbers = few;
    graze_hit *others = NULL;
    if (crossing_count > GRZ_SORT_MOST)
        numbers = grz_allocate(context, crossing_count, 2 * sizeof *numbers);
    if (other_count > 0)
        others = grz_allocate(context, other_count, sizeof *others);
    bool enough = numbers != NULL && (other_count == 0 || others != NULL) &&
                  grz_sort_hits_into(context, kept->others.data, other_count, others, other_count);
    if (enough)
    {
        sort_numbers(kept->crossings.data, crossing_count, context, numbers);
        write_hits(&(sorted_hits){a, b, numbers, others, crossing_count, other_count}, out_hits, capacity);
    }
    grz_release(context, others);
    if (numbers != few)
        grz_release(context, numbers);
    return enough;
}

void grz_kept_release(grz_kept *kept, const graze_context *context)
{
    grz_release(context, kept->crossings.data);
    grz_release(context, kept->others.data);
    grz_release(context, kept->candidates.data);
    *kept = (grz_kept){.most = kept->most, .first = kept->first, .end = kept->end};
}
