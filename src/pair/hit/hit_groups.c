/* SPDX-License-Identifier: MIT */
/* Sorts hits by triangles of A, then of B; see hit_groups.h. */
#include "pair/hit/hit_groups.h"

#include <string.h>

#include "mesh/mesh.h"
#include "pair/hit/sort_keys.h"
#include "simd/kernels.h"

enum
{
    LEAST_GROUPED = 512, /* hits */
    CONTACT_CODES = 256
};

/* Hits by their triangle of A. An entry is the triangle of B, and the code of the contact in the last byte. */
typedef struct hit_groups
{
    grz_hit_range range;
    uint32_t *ends;    /* of the groups among the entries */
    uint64_t *entries; /* grouped, in no order within */
    uint64_t *scratch; /* twice the largest group, where the kernel cannot sort that; else NULL */
    size_t largest;
} hit_groups;

static size_t count_of(const grz_hit_buffer *buffered)
{
    return buffered->crossings.count + buffered->others.count;
}

static void widen(const uint64_t *keys, size_t count, uint64_t *lowest, uint64_t *highest)
{
    for (size_t i = 0; i < count; i++)
    {
        *lowest = keys[i] < *lowest ? keys[i] : *lowest;
        *highest = keys[i] > *highest ? keys[i] : *highest;
    }
}

bool grz_hit_groups_suit(const grz_hit_buffer *buffered, const graze_mesh *a, grz_hit_range *out_range)
{
    uint64_t lowest = UINT64_MAX, highest = 0;
    size_t count = count_of(buffered), all = graze_mesh_triangle_count(a);
    *out_range = (grz_hit_range){0, all};
    if (count < LEAST_GROUPED || count >= UINT32_MAX || all <= count)
        return count >= LEAST_GROUPED && count < UINT32_MAX;
    widen(buffered->crossings.data, buffered->crossings.count, &lowest, &highest);
    widen(buffered->others.data, buffered->others.count, &lowest, &highest);
    *out_range = (grz_hit_range){(uint32_t)(lowest >> 32), (size_t)((highest >> 32) - (lowest >> 32)) + 1};
    return out_range->count <= count;
}

static void count_keys(const uint64_t *keys, size_t count, hit_groups *groups)
{
    for (size_t i = 0; i < count; i++)
        groups->ends[(keys[i] >> 32) - groups->range.lowest_a]++;
}

/* Turns the sizes of the groups into their starts, which distributing turns into ends. */
static void find_starts(hit_groups *groups)
{
    uint32_t start = 0;
    for (size_t i = 0; i < groups->range.count; i++)
    {
        uint32_t size = groups->ends[i];
        groups->largest = size > groups->largest ? size : groups->largest;
        groups->ends[i] = start;
        start += size;
    }
}

/* `codes` may be NULL for crossings. */
static void distribute(const uint64_t *keys, const uint8_t *codes, size_t count, hit_groups *groups)
{
    for (size_t i = 0; i < count; i++)
    {
        uint8_t code = codes != NULL ? codes[i] : GRZ_CROSSING_CODE;
        groups->entries[groups->ends[(keys[i] >> 32) - groups->range.lowest_a]++] =
            (uint64_t)(uint32_t)keys[i] << 8 | code;
    }
}

static void release(hit_groups *groups, const graze_context *context)
{
    grz_release(context, groups->ends);
    grz_release(context, groups->entries);
    grz_release(context, groups->scratch);
}

/* False when out of memory. */
static bool make_groups(const grz_hit_buffer *buffered, const graze_context *context, hit_groups *groups)
{
    groups->ends = grz_allocate(context, groups->range.count, sizeof *groups->ends);
    groups->entries = grz_allocate(context, count_of(buffered), sizeof *groups->entries);
    if (groups->ends == NULL || groups->entries == NULL)
        return false;
    memset(groups->ends, 0, groups->range.count * sizeof *groups->ends);
    count_keys(buffered->crossings.data, buffered->crossings.count, groups);
    count_keys(buffered->others.data, buffered->others.count, groups);
    find_starts(groups);
    distribute(buffered->crossings.data, NULL, buffered->crossings.count, groups);
    distribute(buffered->others.data, buffered->contacts.data, buffered->others.count, groups);
    if (groups->largest > GRZ_SORT_MOST)
        groups->scratch = grz_allocate(context, groups->largest, 2 * sizeof *groups->scratch);
    return groups->largest <= GRZ_SORT_MOST || groups->scratch != NULL;
}

/* The hits of one group in order, in `few` or in the scratch memory. */
static const uint64_t *sort_group(const hit_groups *groups, const graze_context *context, const grz_kernels *kernels,
                                  const uint64_t *group, size_t count, uint64_t few[GRZ_SORT_MOST])
{
    if (count <= 1)
        return group;
    if (count <= GRZ_SORT_MOST)
    {
        kernels->sort(group, (unsigned)count, few);
        return few;
    }
    grz_sort_keys(context, group, count, groups->scratch);
    return groups->scratch;
}

static void write_groups(const hit_groups *groups, const graze_context *context, const graze_mesh *mesh_a,
                         const graze_mesh *mesh_b, graze_hit *out_hits, size_t capacity)
{
    const grz_kernels *kernels = grz_kernels_for(context != NULL ? context->instructions : GRAZE_INSTRUCTIONS_BEST);
    graze_triangle_contact contacts[CONTACT_CODES];
    uint64_t few[GRZ_SORT_MOST];
    size_t written = 0, start = 0;
    for (unsigned code = 0; code < CONTACT_CODES; code++)
        contacts[code] = grz_contact_from_code((uint8_t)code);
    for (size_t i = 0; i < groups->range.count && written < capacity; i++)
    {
        size_t count = groups->ends[i] - start;
        const uint64_t *sorted = sort_group(groups, context, kernels, groups->entries + start, count, few);
        uint32_t a = groups->range.lowest_a + (uint32_t)i, face_a = count > 0 ? grz_mesh_face(mesh_a, a) : 0;
        for (size_t k = 0; k < count && written < capacity; k++)
        {
            uint32_t b = (uint32_t)(sorted[k] >> 8);
            out_hits[written++] = (graze_hit){a, b, face_a, grz_mesh_face(mesh_b, b), contacts[sorted[k] & 0xff]};
        }
        start = groups->ends[i];
    }
}

bool grz_hit_groups_write(const grz_hit_buffer *buffered, const grz_hit_range *range, const graze_context *context,
                          const graze_mesh *a, const graze_mesh *b, graze_hit *out_hits, size_t capacity)
{
    hit_groups groups = {.range = *range};
    bool enough = make_groups(buffered, context, &groups);
    if (enough)
        write_groups(&groups, context, a, b, out_hits, capacity);
    release(&groups, context);
    return enough;
}
