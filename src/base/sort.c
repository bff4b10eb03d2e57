/* SPDX-License-Identifier: MIT */
/* Sorting by key; see sort.h. */
#include "base/sort.h"

#include <string.h>

enum
{
    FEW = 24,
    FEW_WORDS = 96,
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

enum
{
    WORD_DIGIT_BITS = 11,
    WORD_DIGITS = 1 << WORD_DIGIT_BITS,
    WORD_PASSES = 3
};

static void insert_words(uint64_t *words, size_t count)
{
    for (size_t i = 1; i < count; i++)
    {
        uint64_t word = words[i];
        size_t place = i;
        for (; place > 0 && words[place - 1] >> 32 > word >> 32; place--)
            words[place] = words[place - 1];
        words[place] = word;
    }
}

static inline unsigned digit_of(uint64_t word, int pass)
{
    return (unsigned)(word >> (32 + WORD_DIGIT_BITS * pass)) & (WORD_DIGITS - 1);
}

void grz_sort_words(uint64_t *words, uint64_t *scratch, size_t count)
{
    if (count <= FEW_WORDS)
    {
        insert_words(words, count);
        return;
    }
    size_t places[WORD_PASSES][WORD_DIGITS] = {{0}};
    for (size_t i = 0; i < count; i++)
        for (int pass = 0; pass < WORD_PASSES; pass++)
            places[pass][digit_of(words[i], pass)]++;
    uint64_t *source = words, *target = scratch;
    for (int pass = 0; pass < WORD_PASSES; pass++)
    {
        if (places[pass][digit_of(source[0], pass)] == count)
            continue;
        size_t next = 0;
        for (size_t digit = 0; digit < WORD_DIGITS; digit++)
        {
            size_t these = places[pass][digit];
            places[pass][digit] = next;
            next += these;
        }
        for (size_t i = 0; i < count; i++)
            target[places[pass][digit_of(source[i], pass)]++] = source[i];
        uint64_t *other = source;
        source = target;
        target = other;
    }
    if (source != words)
        memcpy(words, source, count * sizeof *words);
}
