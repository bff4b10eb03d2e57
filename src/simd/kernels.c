/* SPDX-License-Identifier: MIT */
/* Picking kernels by what the processor can do; see kernels.h. */
#include "simd/kernels.h"

#include <stddef.h>

extern const grz_kernels grz_kernels_scalar;
#if defined(GRAZE_X86)
extern const grz_kernels grz_kernels_sse2, grz_kernels_avx2, grz_kernels_avx512;
#endif

const grz_kernels *grz_kernels_for(grz_instruction_set set)
{
#if defined(GRAZE_X86)
    if (set == GRZ_INSTRUCTIONS_SSE2)
        return &grz_kernels_sse2;
    if (set == GRZ_INSTRUCTIONS_AVX2)
        return __builtin_cpu_supports("avx2") ? &grz_kernels_avx2 : NULL;
    if (set == GRZ_INSTRUCTIONS_AVX512)
        return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") ? &grz_kernels_avx512 : NULL;
#endif
    return set == GRZ_INSTRUCTIONS_SCALAR ? &grz_kernels_scalar : NULL;
}

const grz_kernels *grz_kernels_best(void)
{
    for (int set = GRZ_INSTRUCTIONS_COUNT - 1; set > 0; set--)
    {
        const grz_kernels *kernels = grz_kernels_for((grz_instruction_set)set);
        if (kernels != NULL)
            return kernels;
    }
    return &grz_kernels_scalar;
}
