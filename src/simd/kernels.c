/* SPDX-License-Identifier: MIT */
/* Selects kernels by the instruction sets of the processor; see kernels.h. */
#include "simd/kernels.h"

#include "simd/instructions.h"

extern const grz_kernels grz_kernels_scalar;
#if defined(GRAZE_X86)
extern const grz_kernels grz_kernels_sse2, grz_kernels_avx2, grz_kernels_avx512;
#endif

const grz_kernels *grz_kernels_for(graze_instructions choice)
{
    switch (grz_instructions_for(choice))
    {
#if defined(GRAZE_X86)
    case GRAZE_INSTRUCTIONS_AVX512:
        return &grz_kernels_avx512;
    case GRAZE_INSTRUCTIONS_AVX2:
        return &grz_kernels_avx2;
    case GRAZE_INSTRUCTIONS_SSE2:
        return &grz_kernels_sse2;
#endif
    default:
        return &grz_kernels_scalar;
    }
}
