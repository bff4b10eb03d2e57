/* SPDX-License-Identifier: MIT */
/* Picking distance kernels: those compiled for the instructions that kernels.c picks; see distance.h. */
#include "simd/distance.h"

#include <string.h>

extern const grz_distance_kernels grz_distance_kernels_scalar;

#if defined(GRAZE_X86)

extern const grz_distance_kernels grz_distance_kernels_sse2, grz_distance_kernels_avx2, grz_distance_kernels_avx512;

const grz_distance_kernels *grz_distance_kernels_for(graze_instructions choice)
{
    const grz_distance_kernels *all[] = {&grz_distance_kernels_avx512, &grz_distance_kernels_avx2,
                                         &grz_distance_kernels_sse2};
    const char *name = grz_kernels_for(choice)->name;
    for (int i = 0; i < 3; i++)
    {
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    }
    return &grz_distance_kernels_scalar;
}

#else

const grz_distance_kernels *grz_distance_kernels_for(graze_instructions choice)
{
    (void)choice;
    return &grz_distance_kernels_scalar;
}

#endif
