/* SPDX-License-Identifier: MIT */
/* Sorting by key; see sort.h. */
#include "base/sort.h"

#include <string.h>

enum
{
    INSERTION_LIMIT = 24,
    INSERTION_LIMIT_WORDS = 96,
    MERGE_LIMIT = 256,
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
    NUMBER_DIGITS = 64 / DIGIT_BITS
};

static void insertion_sort(grz_key_value *entries, size_t count)
{
    for (size_t i = 1; i < count; i++)
    {
        grz_key_value entry = entries[i];
        size_t place = i;
        for (; place > 0 && entries[place - 1].key > entry.key; place--)
            entries[place] = entries[place - 1];
        entries[place] = entry;
    }
}

/* One pass: from `source` to `target`, by the digit at `shift`. False when the monitor stops it. */
static bool radix_pass(const grz_key_value *source, size_t count, unsigned shift, grz_key_value *target,
                       grz_monitor *monitor)
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
    for (size_t begin = 0; begin < count; begin += GRZ_WORK_PER_CHECK)
    {
        size_t end = count - begin < GRZ_WORK_PER_CHECK ? count : begin + GRZ_WORK_PER_CHECK;
        for (size_t i = begin; i < end; i++)
            target[places[source[i].key >> shift & (DIGITS - 1)]++] = source[i];
        if (!grz_monitor_work(monitor, end - begin))
            return false;
    }
    return true;
}

void grz_sort_keyed(grz_key_value *entries, grz_key_value *scratch, size_t count)
{
    grz_sort_keyed_monitored(entries, scratch, count, NULL);
}

bool grz_sort_keyed_monitored(grz_key_value *entries, grz_key_value *scratch, size_t count, grz_monitor *monitor)
{
    if (count <= INSERTION_LIMIT)
    {
        insertion_sort(entries, count);
        return true;
    }
    grz_key_value *source = entries, *target = scratch;
    uint64_t differ = 0;
    for (size_t i = 0; i < count; i++)
        differ |= source[i].key ^ source[0].key;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS)
    {
        if ((differ >> shift & (DIGITS - 1)) == 0)
            continue;
        if (!radix_pass(source, count, shift, target, monitor))
            return false;
        grz_key_value *other = source;
        source = target;
        target = other;
    }
    if (source != entries)
        memcpy(entries, source, count * sizeof *entries);
    return true;
}

enum
{
    WORD_DIGIT_BITS = 11,
    WORD_DIGITS = 1 << WORD_DIGIT_BITS,
    WORD_PASSES = 3
};

static void insertion_sort_words(uint64_t *words, size_t count)
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
    if (count <= INSERTION_LIMIT_WORDS)
    {
        insertion_sort_words(words, count);
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

/* b when `second` is 1, a when it is 0: written so that compilers emit no branch. */
static inline uint64_t choose(size_t second, uint64_t a, uint64_t b)
{
    return a ^ ((a ^ b) & (0 - (uint64_t)second));
}

static inline void compare_exchange(uint64_t *lower, uint64_t *upper)
{
    uint64_t a = *lower, b = *upper;
    size_t swap = b < a;
    *lower = choose(swap, a, b);
    *upper = choose(swap, b, a);
}

/* A sorting network for up to four numbers. */
static void sorting_network4(uint64_t *numbers, size_t count)
{
    if (count < 2)
        return;
    if (count == 4)
    {
        compare_exchange(&numbers[2], &numbers[3]);
        compare_exchange(&numbers[0], &numbers[1]);
        compare_exchange(&numbers[0], &numbers[2]);
        compare_exchange(&numbers[1], &numbers[3]);
        compare_exchange(&numbers[1], &numbers[2]);
        return;
    }
    compare_exchange(&numbers[0], &numbers[1]);
    if (count == 3)
    {
        compare_exchange(&numbers[1], &numbers[2]);
        compare_exchange(&numbers[0], &numbers[1]);
    }
}

/*
 * Merges two adjacent runs, the second as long as the first or longer by one, from both ends at once: two chains of
 * comparisons that do not depend on each other. Neither chain leaves its run within as many steps as the first run has
 * numbers; at most one number remains in the middle.
 */
static void merge_halves(const uint64_t *source, size_t first, size_t second, uint64_t *target)
{
    const uint64_t *left = source, *right = source + first;
    const uint64_t *left_end = right - 1, *right_end = right + second - 1;
    uint64_t *front = target, *back = target + first + second - 1;
    for (size_t i = 0; i < first; i++)
    {
        uint64_t a = *left, b = *right;
        size_t from_right = b < a;
        *front++ = choose(from_right, a, b);
        right += from_right;
        left += 1 - from_right;
        uint64_t c = *left_end, d = *right_end;
        size_t from_left = d < c;
        *back-- = choose(from_left, d, c);
        left_end -= from_left;
        right_end -= 1 - from_left;
    }
    if (second > first)
        *front = left <= left_end ? *left : *right;
}

/* Leaves the result in `numbers`, or in `scratch` when asked to. The depth is the logarithm of MERGE_LIMIT. */
static void merge_sort(uint64_t *numbers, uint64_t *scratch, size_t count, int into_scratch)
{
    if (count <= 4)
    {
        sorting_network4(numbers, count);
        if (into_scratch)
            memcpy(scratch, numbers, count * sizeof *numbers);
        return;
    }
    size_t half = count / 2;
    merge_sort(numbers, scratch, half, !into_scratch);
    merge_sort(numbers + half, scratch + half, count - half, !into_scratch);
    merge_halves(into_scratch ? numbers : scratch, half, count - half, into_scratch ? scratch : numbers);
}

static void radix_sort(uint64_t *numbers, uint64_t *scratch, size_t count, unsigned carried)
{
    size_t places[NUMBER_DIGITS][DIGITS];
    uint64_t differ = 0, *source = numbers, *target = scratch;
    for (size_t i = 0; i < count; i++)
        differ |= numbers[i] ^ numbers[0];
    unsigned top = 64 - (unsigned)__builtin_clzll(differ | 1), passes = 0;
    while (carried + DIGIT_BITS * passes < top)
        passes++;
    memset(places, 0, passes * sizeof *places);
    for (size_t i = 0; i < count; i++)
        for (unsigned pass = 0; pass < passes; pass++)
            places[pass][numbers[i] >> (carried + DIGIT_BITS * pass) & (DIGITS - 1)]++;
    for (unsigned pass = 0; pass < passes; pass++)
    {
        unsigned shift = carried + DIGIT_BITS * pass;
        if ((differ >> shift & (DIGITS - 1)) == 0)
            continue;
        size_t next = 0;
        for (size_t digit = 0; digit < DIGITS; digit++)
        {
            size_t these = places[pass][digit];
            places[pass][digit] = next;
            next += these;
        }
        for (size_t i = 0; i < count; i++)
            target[places[pass][source[i] >> shift & (DIGITS - 1)]++] = source[i];
        uint64_t *other = source;
        source = target;
        target = other;
    }
    if (source != numbers)
        memcpy(numbers, source, count * sizeof *numbers);
}

void grz_sort_numbers(uint64_t *numbers, uint64_t *scratch, size_t count, unsigned carried)
{
    if (count <= MERGE_LIMIT)
        merge_sort(numbers, scratch, count, 0);
    else
        radix_sort(numbers, scratch, count, carried);
}
