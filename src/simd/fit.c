/* SPDX-License-Identifier: MIT */
/* Selects fitting kernels; see fit.h. */
#include "simd/fit.h"

#include "simd/instructions.h"

extern const grz_fit_kernels grz_fit_kernels_scalar;
#if defined(GRAZE_X86)
extern const grz_fit_kernels grz_fit_kernels_sse2, grz_fit_kernels_avx2, grz_fit_kernels_avx512;
#endif

const grz_fit_kernels *grz_fit_kernels_for(graze_instructions choice)
{
    switch (grz_instructions_for(choice))
    {
#if defined(GRAZE_X86)
    case GRAZE_INSTRUCTIONS_AVX512:
        return &grz_fit_kernels_avx512;
    case GRAZE_INSTRUCTIONS_AVX2:
        return &grz_fit_kernels_avx2;
    case GRAZE_INSTRUCTIONS_SSE2:
        return &grz_fit_kernels_sse2;
#endif
    default:
        return &grz_fit_kernels_scalar;
    }
}
