/* SPDX-License-Identifier: MIT */
/* Sorting hits. A few are inserted one by one; of many the keys are sorted, and each hit moves once at the end. */
#include "pair/sort_hits.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

enum
{
    FEW = 24
};

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

bool grz_sort_hits(const graze_context *context, graze_hit *hits, size_t count)
{
    if (count <= FEW)
    {
        insert_each(hits, count);
        return true;
    }
    grz_keyed *entries = grz_allocate(context, count, 2 * sizeof *entries);
    graze_hit *copy = grz_allocate(context, count, sizeof *copy);
    bool done = entries != NULL && copy != NULL;
    if (done)
    {
        for (size_t i = 0; i < count; i++)
            entries[i] = (grz_keyed){key_of(&hits[i]), i};
        grz_sort_keyed(entries, entries + count, count);
        memcpy(copy, hits, count * sizeof *hits);
        for (size_t i = 0; i < count; i++)
            hits[i] = copy[entries[i].value];
    }
    grz_release(context, entries);
    grz_release(context, copy);
    return done;
}
