/* SPDX-License-Identifier: MIT */
/*
 * Kernel variants to compare, and their references in plain C. Variants that fuse products and sums have a reference of
 * their own, the same templates compiled with fmaf, which rounds once by definition; the reference of the others is the
 * library's plain C. The library itself has no fused plain C: where fmaf is no instruction, it is slow.
 */
#ifndef TESTS_KERNELS_H
#define TESTS_KERNELS_H

#include "base/random.h"
#include "simd/kernels.h"

/* The kernels of SSE2, AVX2 and AVX-512, or the best that the machine has, and then the plain and the fused
 * reference. */
enum
{
    KERNEL_SETS = GRAZE_INSTRUCTIONS_COUNT - GRAZE_INSTRUCTIONS_SSE2,
    KERNEL_VARIANTS = KERNEL_SETS + 2
};

const grz_kernels *kernel_variant(int i);

/* The variant whose bits this one must equal. */
int kernel_reference(int i);

float random_float(grz_random *random, double extent);

/* Random triangles of a leaf. */
void random_leaf(grz_random *random, grz_triangles8 *leaf);

/* A transform with the given bounds of offset and entries, with the error bounds of pair/relative_pose.c. */
void random_float_transform(grz_random *random, double offset, double entry, grz_float_transform *map);

#endif
