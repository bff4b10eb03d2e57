/* SPDX-License-Identifier: MIT */
/* The number at a rank; see rank.h. */
#include "pair/rank.h"

enum
{
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS
};

uint64_t grz_number_at_rank(uint64_t (*number)(const void *from, size_t index), const void *from, size_t count,
                            size_t rank)
{
    uint64_t known = 0, mask = 0; /* the digits found, and where they stand */
    for (unsigned shift = 64; shift > 0;)
    {
        size_t counts[DIGITS] = {0}, digit = 0;
        shift -= DIGIT_BITS;
        for (size_t i = 0; i < count; i++)
        {
            uint64_t one = number(from, i);
            if ((one & mask) == known)
                counts[one >> shift & (DIGITS - 1)]++;
        }
        while (rank >= counts[digit])
            rank -= counts[digit++];
        known |= (uint64_t)digit << shift;
        mask |= (uint64_t)(DIGITS - 1) << shift;
    }
    return known;
}
