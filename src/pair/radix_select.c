/* SPDX-License-Identifier: MIT */
/* Selection of the k-th smallest number; see radix_select.h. */
#include "pair/radix_select.h"

enum
{
    SELECT_DIGIT_BITS = 8,
    SELECT_DIGITS = 1 << SELECT_DIGIT_BITS
};

uint64_t grz_radix_select(uint64_t (*number)(const void *from, size_t index), const void *from, size_t count,
                          size_t rank)
{
    uint64_t prefix = 0, mask = 0; /* the digits found so far, and the mask of their bits */
    for (unsigned shift = 64; shift > 0;)
    {
        size_t counts[SELECT_DIGITS] = {0}, digit = 0;
        shift -= SELECT_DIGIT_BITS;
        for (size_t i = 0; i < count; i++)
        {
            uint64_t one = number(from, i);
            if ((one & mask) == prefix)
                counts[one >> shift & (SELECT_DIGITS - 1)]++;
        }
        while (rank >= counts[digit])
            rank -= counts[digit++];
        prefix |= (uint64_t)digit << shift;
        mask |= (uint64_t)(SELECT_DIGITS - 1) << shift;
    }
    return prefix;
}
