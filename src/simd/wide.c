/* SPDX-License-Identifier: MIT */
/* Picking kernels of wide trees: those compiled for the instructions that kernels.c picks; see wide.h. */
#include "simd/wide.h"

#include <string.h>

#include "simd/kernels.h"

extern const grz_wide_kernels grz_wide_kernels_scalar;

#if defined(GRAZE_X86)

extern const grz_wide_kernels grz_wide_kernels_sse2, grz_wide_kernels_avx2, grz_wide_kernels_avx512;

const grz_wide_kernels *grz_wide_kernels_for(graze_instructions choice)
{
    const grz_wide_kernels *all[] = {&grz_wide_kernels_avx512, &grz_wide_kernels_avx2, &grz_wide_kernels_sse2};
    const char *name = grz_kernels_for(choice)->name;
    for (int i = 0; i < 3; i++)
    {
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    }
    return &grz_wide_kernels_scalar;
}

#else

const grz_wide_kernels *grz_wide_kernels_for(graze_instructions choice)
{
    (void)choice;
    return &grz_wide_kernels_scalar;
}

#endif
