/* SPDX-License-Identifier: MIT */
/*
 * Kernels to be compared, and the plain C that they are held against. Those that fuse products and sums have a twin of
 * their own, the same templates compiled once more with fmaf, which rounds once by definition; the twin of the others
 * is what the library has for plain C. The library itself needs no fused plain C: where fmaf is no instruction, it is
 * slow.
 */
#ifndef TESTS_KERNELS_H
#define TESTS_KERNELS_H

#include "base/random.h"
#include "simd/kernels.h"

/* The kernels of SSE2, AVX2 and AVX-512, or the best below that the machine has, and then the plain and the fused twin.
 */
enum
{
    KERNEL_SETS = GRAZE_INSTRUCTIONS_COUNT - GRAZE_INSTRUCTIONS_SSE2,
    KERNEL_VARIANTS = KERNEL_SETS + 2
};

const grz_kernels *kernel_variant(int i);

/* Which variant has the bits that this one must have. */
int kernel_reference(int i);

float random_float(grz_random *random, double reach);

/* Triangles all over a leaf. */
void random_leaf(grz_random *random, grz_triangles8 *leaf);

/* A map whose offsets and entries reach that far, with the margins that pair/relative_pose.c gives it. */
void random_float_transform(grz_random *random, double offset, double entry, grz_float_transform *map);

#endif
