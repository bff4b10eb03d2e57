/* SPDX-License-Identifier: MIT */
/* Sorting by key; see sort.h. */
#include "base/sort.h"

#include <string.h>

enum
{
    FEW = 24,
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS
};

static void insert_each(grz_keyed *entries, size_t count)
{
    for (size_t i = 1; i < count; i++)
    {
        grz_keyed entry = entries[i];
        size_t place = i;
        for (; place > 0 && entries[place - 1].key > entry.key; place--)
            entries[place] = entries[place - 1];
        entries[place] = entry;
    }
}

/* One pass: from `source` to `target`, by the digit at `shift`. */
static void distribute(const grz_keyed *source, size_t count, unsigned shift, grz_keyed *target)
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

void grz_sort_keyed(grz_keyed *entries, grz_keyed *scratch, size_t count)
{
    if (count <= FEW)
    {
        insert_each(entries, count);
        return;
    }
    grz_keyed *source = entries, *target = scratch;
    uint64_t differ = 0;
    for (size_t i = 0; i < count; i++)
        differ |= source[i].key ^ source[0].key;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS)
    {
        if ((differ >> shift & (DIGITS - 1)) == 0)
            continue;
        distribute(source, count, shift, target);
        grz_keyed *other = source;
        source = target;
        target = other;
    }
    if (source != entries)
        memcpy(entries, source, count * sizeof *entries);
}
