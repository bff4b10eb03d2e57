/* SPDX-License-Identifier: MIT */
/*
 * Sorting hits. A few are inserted one by one; many are sorted by radix, eight bits at a time, on keys that carry
 * the place of their hit along, and moved once at the end. Digits that all keys share cost nothing but the look.
 */
#include "pair/sort_hits.h"

#include <string.h>

#include "base/memory.h"

enum
{
    FEW = 24,
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS
};

typedef struct entry
{
    uint64_t key;
    size_t place;
} entry;

static uint64_t key_of(const graze_hit *hit)
{
    return (uint64_t)hit->triangle_a << 32 | hit->triangle_b;
}

static void insert_each(graze_hit *hits, size_t count)
{
    for (size_t i = 1; i < count; i++)
    {
        uint64_t key = key_of(&hits[i]);
        size_t place = i;
        while (place > 0 && key_of(&hits[place - 1]) > key)
            place--;
        if (place == i)
            continue;
        graze_hit hit = hits[i];
        memmove(&hits[place + 1], &hits[place], (i - place) * sizeof *hits);
        hits[place] = hit;
    }
}

/* One pass: from `source` to `target`, by the digit at `shift`. */
static void distribute(const entry *source, size_t count, unsigned shift, entry *target)
{
    size_t places[DIGITS] = {0}, next = 0;
    for (size_t i = 0; i < count; i++)
        places[source[i].key >> shift & (DIGITS - 1)]++;
    for (size_t digit = 0; digit < DIGITS; digit++)
    {
        size_t these = places[digit];
        places[digit] = next;
        next += these;
    }
    for (size_t i = 0; i < count; i++)
        target[places[source[i].key >> shift & (DIGITS - 1)]++] = source[i];
}

bool grz_sort_hits(const graze_context *context, graze_hit *hits, size_t count)
{
    if (count <= FEW)
    {
        insert_each(hits, count);
        return true;
    }
    entry *entries = grz_allocate(context, count, 2 * sizeof *entries);
    graze_hit *copy = grz_allocate(context, count, sizeof *copy);
    bool done = entries != NULL && copy != NULL;
    if (done)
    {
        entry *source = entries, *target = entries + count;
        uint64_t differ = 0;
        for (size_t i = 0; i < count; i++)
        {
            source[i] = (entry){key_of(&hits[i]), i};
            differ |= source[i].key ^ source[0].key;
        }
        for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS)
        {
            if ((differ >> shift & (DIGITS - 1)) == 0)
                continue;
            distribute(source, count, shift, target);
            entry *other = source;
            source = target;
            target = other;
        }
        memcpy(copy, hits, count * sizeof *hits);
        for (size_t i = 0; i < count; i++)
            hits[i] = copy[source[i].place];
    }
    grz_release(context, entries);
    grz_release(context, copy);
    return done;
}
