/* SPDX-License-Identifier: MIT */
/* Morton codes (Z-order; Morton, 1966): an order of cells in which neighbours are mostly close. */
#ifndef GRZ_BROAD_MORTON_H
#define GRZ_BROAD_MORTON_H

#include <stdint.h>

/* Spreads the lowest ten bits: two zeros after each. */
static inline uint32_t grz_spread_bits(uint32_t x)
{
    x &= 0x3ff;
    x = (x | x << 16) & UINT32_C(0x030000ff);
    x = (x | x << 8) & UINT32_C(0x0300f00f);
    x = (x | x << 4) & UINT32_C(0x030c30c3);
    return (x | x << 2) & UINT32_C(0x09249249);
}

/* Morton code of a cell, from the lowest ten bits of its coordinates. */
static inline uint32_t grz_morton_code(const int32_t cell[3])
{
    return grz_spread_bits((uint32_t)cell[0]) | grz_spread_bits((uint32_t)cell[1]) << 1 |
           grz_spread_bits((uint32_t)cell[2]) << 2;
}

#endif
