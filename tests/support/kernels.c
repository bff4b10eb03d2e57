/* SPDX-License-Identifier: MIT */
/* Kernel variants; see kernels.h. */
#include "support/kernels.h"

#include <math.h>

extern const grz_kernels grz_kernels_fused; /* of kernels_fused.c */

const grz_kernels *kernel_variant(int i)
{
    if (i < KERNEL_SETS)
        return grz_kernels_for((graze_instructions)(GRAZE_INSTRUCTIONS_SSE2 + i));
    return i == KERNEL_SETS ? grz_kernels_for(GRAZE_INSTRUCTIONS_SCALAR) : &grz_kernels_fused;
}

int kernel_reference(int i)
{
    return KERNEL_SETS + (int)kernel_variant(i)->fused;
}

float random_float(grz_random *random, double extent)
{
    return (float)grz_random_between(random, -extent, extent);
}

void random_leaf(grz_random *random, grz_triangles8 *leaf)
{
    for (int i = 0; i < 3 * 3 * GRZ_LANES; i++)
        leaf->corners[i / (3 * GRZ_LANES)][i / GRZ_LANES % 3][i % GRZ_LANES] =
            (int16_t)((int)grz_random_below(random, 65535) - 32767);
    for (int k = 0; k < 3; k++)
        leaf->centre[k] = random_float(random, 0.1);
    leaf->unit = ldexpf(1, -(int)grz_random_below(random, 40));
}

void random_float_transform(grz_random *random, double offset, double entry, grz_float_transform *map)
{
    for (int i = 0; i < 3; i++)
    {
        map->offset[i] = random_float(random, offset);
        double sum = fabs((double)map->offset[i]);
        for (int j = 0; j < 3; j++)
        {
            map->matrix[i][j] = random_float(random, entry);
            sum += fabs((double)map->matrix[i][j]);
        }
        map->margin[i] = (float)(20 * 0x1p-23 * sum);
    }
    map->slab_margin = 1;
}
