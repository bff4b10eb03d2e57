/* SPDX-License-Identifier: MIT */
/* Picking fitting kernels: those compiled for the instructions that kernels.c picks; see fit.h. */
#include "simd/fit.h"

#include <string.h>

extern const grz_fit_kernels grz_fit_kernels_scalar;

#if defined(GRAZE_X86)

extern const grz_fit_kernels grz_fit_kernels_sse2, grz_fit_kernels_avx2, grz_fit_kernels_avx512;

const grz_fit_kernels *grz_fit_kernels_for(graze_instructions choice)
{
    const grz_fit_kernels *all[] = {&grz_fit_kernels_avx512, &grz_fit_kernels_avx2, &grz_fit_kernels_sse2};
    const char *name = grz_kernels_for(choice)->name;
    for (int i = 0; i < 3; i++)
    {
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    }
    return &grz_fit_kernels_scalar;
}

#else

const grz_fit_kernels *grz_fit_kernels_for(graze_instructions choice)
{
    (void)choice;
    return &grz_fit_kernels_scalar;
}

#endif
