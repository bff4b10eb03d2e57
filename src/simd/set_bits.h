/* SPDX-License-Identifier: MIT */
/*
 * The set bits of a byte as a list: byte i of grz_set_bits[mask] is the position of the i-th set bit, counted from 0;
 * the bytes after the last are 0. It converts a mask to a list of lanes without branches.
 */
#ifndef GRZ_SIMD_SET_BITS_H
#define GRZ_SIMD_SET_BITS_H

#include <stdint.h>
#include <string.h>

extern const uint64_t grz_set_bits[256];

/* Appends row * 8 + lane for each lane set in `mask`, and returns the new count. Eight bytes are written from
   list[count] on, whatever the mask. */
static inline unsigned grz_append_set_bits(uint8_t *list, unsigned count, unsigned row, unsigned mask)
{
    uint64_t bytes = grz_set_bits[mask] + UINT64_C(0x0808080808080808) * row;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(list + count, &bytes, sizeof bytes); /* compilers do not always recognise the loop as this copy */
#else
    for (int i = 0; i < 8; i++)
        list[count + (unsigned)i] = (uint8_t)(bytes >> (8 * i));
#endif
    return count + (unsigned)__builtin_popcount(mask);
}

/* Transposes an 8 x 8 bit matrix by swapping blocks of half the size in each step (Warren, Hacker's Delight). */
static inline uint64_t grz_transpose_8x8(uint64_t x)
{
    uint64_t swap = (x ^ x >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    x ^= swap ^ swap << 7;
    swap = (x ^ x >> 14) & UINT64_C(0x0000cccc0000cccc);
    x ^= swap ^ swap << 14;
    swap = (x ^ x >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return x ^ swap ^ swap << 28;
}

#endif
