/* SPDX-License-Identifier: MIT */
/*
 * The lattice of a mesh: all its coordinates are multiples of a power of two that is coarse against its size, as those
 * of parts drawn to whole or binary units are. Determinants of such coordinates need no rounding
 * (simd/contact_signs_template.h).
 */
#ifndef GRZ_MESH_LATTICE_H
#define GRZ_MESH_LATTICE_H

#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"

enum
{
    GRZ_NO_LATTICE = INT32_MIN,
    GRZ_LATTICE_BITS = 16 /* extents are below so many powers of two of units */
};

/* The exponent of the lowest bit of a finite number: the largest e for which it is a multiple of 2^e. INT32_MAX for
   0. */
static inline int grz_lowest_bit_exponent(double x)
{
    uint64_t magnitude = grz_bits(x) & ~GRZ_SIGN_BIT, fraction = magnitude & GRZ_FRACTION_BITS;
    int biased = (int)(magnitude >> 52);
    if (magnitude == 0)
        return INT32_MAX;
    if (biased != 0)
        fraction |= GRZ_FRACTION_BITS + 1;
    return (biased != 0 ? biased : 1) - 1075 + __builtin_ctzll(fraction);
}

/* The largest e for which all `count` coordinates are multiples of 2^e, if no extent reaches 2^16 times that; else
   GRZ_NO_LATTICE. It ends at the first coordinate that is too fine. */
int grz_find_lattice(const double *coordinates, size_t count, const double lower[3], const double upper[3]);

#endif
