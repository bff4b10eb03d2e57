/* SPDX-License-Identifier: MIT */
/* The hit buffer of a search; see hit_buffer.h. */
#include "pair/hit/hit_buffer.h"

#include <string.h>

#include "mesh/mesh.h"
#include "pair/hit/hit_groups.h"
#include "pair/hit/sort_keys.h"
#include "pair/radix_select.h"
#include "simd/kernels.h"

enum
{
    FIRST_HITS = 64, /* first capacity, and the least that is buffered */
    CONTACT_CODES = 256
};

const graze_triangle_contact grz_crossing_contact = {.found = true,
                                                     .crossing = true,
                                                     .dimension = 1,
                                                     .feature_a = GRAZE_FEATURE_FACE,
                                                     .feature_b = GRAZE_FEATURE_FACE,
                                                     .mask_a = 7,
                                                     .mask_b = 7};

/* The key of an entry: crossings first, then others, candidates last. */
static uint64_t key_at(const void *hits, size_t index)
{
    const grz_hit_buffer *buffered = hits;
    if (index < buffered->crossings.count)
        return buffered->crossings.data[index];
    index -= buffered->crossings.count;
    return index < buffered->others.count ? buffered->others.data[index]
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
    {
        if (buffered->others.data[i] >= end)
            continue;
        buffered->others.data[others] = buffered->others.data[i];
        buffered->contacts.data[others++] = buffered->contacts.data[i];
    }
    buffered->others.count = buffered->contacts.count = others;
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

/* Whether all of so many more hits are accepted, and none is dropped: so far none was, either. */
static bool takes_all(const grz_hit_buffer *buffered, size_t count)
{
    return buffered->most == 0 || (buffered->first == 0 && buffered->end == UINT64_MAX &&
                                   grz_hit_buffer_count(buffered) + count < buffered->most);
}

bool grz_hit_buffer_add_crossings(grz_hit_buffer *buffered, const graze_context *context, const uint64_t *keys,
                                  size_t count)
{
    if (!takes_all(buffered, count))
        return add_some_crossings(buffered, context, keys, count);
    size_t needed = buffered->crossings.count + count;
    if (!GRZ_RESERVE(context, &buffered->crossings, needed < FIRST_HITS ? FIRST_HITS : needed))
        return false;
    memcpy(buffered->crossings.data + buffered->crossings.count, keys, count * sizeof *keys);
    buffered->crossings.count = needed;
    return true;
}

bool grz_hit_buffer_add(grz_hit_buffer *buffered, const graze_context *context, uint64_t key, uint8_t contact)
{
    if (contact == GRZ_CROSSING_CODE)
        return grz_hit_buffer_add_crossings(buffered, context, &key, 1);
    if (!grz_hit_buffer_accepts(buffered, key))
        return true;
    size_t needed = buffered->others.count < FIRST_HITS ? FIRST_HITS : buffered->others.count + 1;
    if (!GRZ_RESERVE(context, &buffered->others, needed) || !GRZ_RESERVE(context, &buffered->contacts, needed))
        return false;
    buffered->others.data[buffered->others.count++] = key;
    buffered->contacts.data[buffered->contacts.count++] = contact;
    if (buffered->most > 0)
        drop_later(buffered);
    return true;
}

bool grz_hit_buffer_add_others(grz_hit_buffer *buffered, const graze_context *context, const uint64_t *keys,
                               const uint8_t *contacts, size_t count)
{
    size_t before = buffered->others.count, needed = before + count;
    if (!takes_all(buffered, count))
    {
        bool enough = true;
        for (size_t i = 0; i < count && enough; i++)
            enough = grz_hit_buffer_add(buffered, context, keys[i], contacts[i]);
        return enough;
    }
    if (!GRZ_RESERVE(context, &buffered->others, needed < FIRST_HITS ? FIRST_HITS : needed) ||
        !GRZ_RESERVE(context, &buffered->contacts, needed < FIRST_HITS ? FIRST_HITS : needed))
        return false;
    memcpy(buffered->others.data + before, keys, count * sizeof *keys);
    memcpy(buffered->contacts.data + before, contacts, count);
    buffered->others.count = buffered->contacts.count = needed;
    return true;
}

/* Merges where not all hits are wanted. What the other buffer has dropped is not accepted here either. */
static bool merge_some(grz_hit_buffer *buffered, const graze_context *context, grz_hit_buffer *more)
{
    bool enough = true;
    grz_hit_buffer_truncate(buffered, more->end);
    buffered->beyond += more->beyond;
    for (size_t i = 0; enough && i < more->others.count; i++)
        enough = grz_hit_buffer_add(buffered, context, more->others.data[i], more->contacts.data[i]);
    if (enough && more->crossings.count > 0)
        enough = grz_hit_buffer_add_crossings(buffered, context, more->crossings.data, more->crossings.count);
    grz_hit_buffer_release(more, context);
    return enough;
}

bool grz_hit_buffer_merge(grz_hit_buffer *buffered, const graze_context *context, grz_hit_buffer *more)
{
    if (buffered->most > 0)
        return merge_some(buffered, context, more);
    size_t before = buffered->others.count, others = before + more->others.count;
    if (more->others.count > 0)
    {
        if (!GRZ_RESERVE(context, &buffered->others, others) || !GRZ_RESERVE(context, &buffered->contacts, others))
            return false;
        memcpy(buffered->others.data + before, more->others.data, more->others.count * sizeof *more->others.data);
        memcpy(buffered->contacts.data + before, more->contacts.data, more->others.count);
        buffered->others.count = buffered->contacts.count = others;
        more->others.count = more->contacts.count = 0;
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

/* Crossings and other hits, both sorted. */
typedef struct sorted_hits
{
    const graze_mesh *a, *b;
    const uint64_t *crossings;
    size_t crossing_count;
    grz_packed_keys others;
} sorted_hits;

/* Contacts by their code; few hits do without a table. */
typedef struct contact_table
{
    bool filled;
    graze_triangle_contact contacts[CONTACT_CODES];
} contact_table;

static void fill_contact_table(contact_table *table, size_t count)
{
    table->filled = count > CONTACT_CODES;
    for (unsigned code = 0; table->filled && code < CONTACT_CODES; code++)
        table->contacts[code] = grz_contact_from_code((uint8_t)code);
}

static inline graze_hit hit_of(const sorted_hits *hits, uint64_t key, graze_triangle_contact contact)
{
    uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
    return (graze_hit){a, b, grz_mesh_face(hits->a, a), grz_mesh_face(hits->b, b), contact};
}

/* Merges both. */
static void write_hits(const sorted_hits *hits, graze_hit *out_hits, size_t capacity)
{
    size_t all = hits->crossing_count + hits->others.count, other = 0, crossing = 0;
    contact_table table;
    fill_contact_table(&table, hits->others.count);
    for (size_t i = 0; i < all && i < capacity; i++)
    {
        uint64_t key = other < hits->others.count ? grz_packed_key(&hits->others, other) : UINT64_MAX;
        /* All of them were sorted into place. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        if (crossing < hits->crossing_count && hits->crossings[crossing] < key)
        {
            out_hits[i] = hit_of(hits, hits->crossings[crossing++], grz_crossing_contact);
            continue;
        }
        uint8_t code = grz_packed_byte(&hits->others, other++);
        out_hits[i] = hit_of(hits, key, table.filled ? table.contacts[code] : grz_contact_from_code(code));
    }
}

bool grz_hit_buffer_write(const grz_hit_buffer *buffered, const graze_context *context, const graze_mesh *a,
                          const graze_mesh *b, graze_hit *out_hits, size_t capacity)
{
    size_t crossing_count = buffered->crossings.count;
    uint64_t few[GRZ_SORT_MOST], *keys = few;
    sorted_hits hits = {.a = a, .b = b, .crossing_count = crossing_count};
    grz_hit_range range;
    if (capacity == 0)
        return true;
    if (grz_hit_groups_suit(buffered, a, &range))
        return grz_hit_groups_write(buffered, &range, context, a, b, out_hits, capacity);
    if (crossing_count > GRZ_SORT_MOST)
        keys = grz_allocate(context, crossing_count, 2 * sizeof *keys);
    bool enough = keys != NULL && grz_packed_keys_make(context, buffered->others.data, buffered->contacts.data,
                                                       buffered->others.count, &hits.others);
    if (enough)
    {
        if (crossing_count > 0)
            grz_sort_keys(context, buffered->crossings.data, crossing_count, keys);
        hits.crossings = keys;
        write_hits(&hits, out_hits, capacity);
    }
    grz_packed_keys_release(context, &hits.others);
    if (keys != few)
        grz_release(context, keys);
    return enough;
}

void grz_hit_buffer_release(grz_hit_buffer *buffered, const graze_context *context)
{
    grz_release(context, buffered->crossings.data);
    grz_release(context, buffered->others.data);
    grz_release(context, buffered->contacts.data);
    grz_release(context, buffered->candidates.data);
    *buffered = (grz_hit_buffer){.most = buffered->most, .first = buffered->first, .end = buffered->end};
}
