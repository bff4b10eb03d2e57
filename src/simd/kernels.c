/* SPDX-License-Identifier: MIT */
/* Picking kernels by what the processor can do; see kernels.h. */
#include "simd/kernels.h"

extern const grz_kernels grz_kernels_scalar;

#if defined(GRAZE_X86)

extern const grz_kernels grz_kernels_sse2, grz_kernels_avx2, grz_kernels_avx512;

const grz_kernels *grz_kernels_for(graze_instructions choice)
{
    if (choice == GRAZE_INSTRUCTIONS_BEST)
        choice = GRAZE_INSTRUCTIONS_AVX512;
    if (choice >= GRAZE_INSTRUCTIONS_AVX512 && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return &grz_kernels_avx512;
    if (choice >= GRAZE_INSTRUCTIONS_AVX2 && __builtin_cpu_supports("avx2"))
        return &grz_kernels_avx2;
    return choice >= GRAZE_INSTRUCTIONS_SSE2 ? &grz_kernels_sse2 : &grz_kernels_scalar;
}

#else

const grz_kernels *grz_kernels_for(graze_instructions choice)
{
    (void)choice;
    return &grz_kernels_scalar;
}

#endif
