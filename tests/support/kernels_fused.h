/* SPDX-License-Identifier: MIT */
/*
 * The plain C that kernels are held against: of those that fuse products and sums, the same templates compiled once
 * more with fmaf, which rounds once by definition; of the others, what the library has for plain C. The library itself
 * needs no fused plain C: where fmaf is no instruction, it is slow.
 */
#ifndef TESTS_KERNELS_FUSED_H
#define TESTS_KERNELS_FUSED_H

#include "simd/kernels.h"

extern const grz_kernels kernels_fused;

enum
{
    KERNEL_TWINS = 2
};

/* Twin 0 does not fuse, twin 1 does: that of given kernels is kernel_twin(kernels->fused). */
static inline const grz_kernels *kernel_twin(int fused)
{
    return fused != 0 ? &kernels_fused : grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR);
}

#endif
