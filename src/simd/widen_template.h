/* SPDX-License-Identifier: MIT */
/* Bounds of eight transformed nodes, widened by how they move; part of kernels_template.h. motion/moving_trees.c
 * derives the sweep and counts the roundings. */
#include "simd/f32x8.h"
#include "simd/kernels.h"

/* row x, or |row| x with the magnitudes of the row. */
static inline f32x8 times_row(const float row[3], float x[3][GRZ_LANES], bool magnitudes)
{
    f32x8 sum = f32x8_mul(f32x8_splat(magnitudes ? fabsf(row[0]) : row[0]), f32x8_load(x[0]));
    for (int j = 1; j < 3; j++)
        sum = f32x8_mul_add(f32x8_splat(magnitudes ? fabsf(row[j]) : row[j]), f32x8_load(x[j]), sum);
    return sum;
}

static inline void widen_range(float *lower, float *upper, f32x8 by)
{
    f32x8 from = f32x8_load(lower), to = f32x8_load(upper);
    f32x8 size = f32x8_add(f32x8_add(f32x8_abs(from), f32x8_abs(to)), by);
    f32x8 more = f32x8_mul_add(f32x8_splat(0x1p-21f), size, by);
    f32x8_store(lower, f32x8_sub(from, more));
    f32x8_store(upper, f32x8_add(to, more));
}

static void widen_kernel(const grz_sweep *sweep, grz_transformed8 *node, float *moves)
{
    f32x8 turned[3], rest = f32x8_splat(sweep->rest), most = f32x8_splat(0.0f);
    for (int k = 0; k < 3; k++)
    {
        turned[k] = f32x8_add(f32x8_splat(sweep->offset[k]), times_row(sweep->matrix[k], node->centre, false));
        f32x8 size = f32x8_add(times_row(sweep->matrix[k], node->half, true), rest);
        /* shortcut: widened-nodes */
        f32x8 by = f32x8_add(f32x8_abs(turned[k]), size);
        widen_range(node->lower[k], node->upper[k], by);
        most = f32x8_max(by, most);
    }
    f32x8_store(moves, most);
    f32x8 along = f32x8_splat(0.0f), sum = along, size = along;
    for (int k = 0; k < 3; k++)
    {
        f32x8 direction = f32x8_load(node->direction[k]);
        along = f32x8_mul_add(direction, turned[k], along);
        sum = f32x8_add(f32x8_abs(direction), sum);
        f32x8 column = f32x8_mul(f32x8_load(node->direction[0]), f32x8_splat(sweep->matrix[0][k]));
        column = f32x8_mul_add(f32x8_load(node->direction[1]), f32x8_splat(sweep->matrix[1][k]), column);
        column = f32x8_mul_add(f32x8_load(node->direction[2]), f32x8_splat(sweep->matrix[2][k]), column);
        size = f32x8_mul_add(f32x8_abs(column), f32x8_load(node->half[k]), size);
    }
    size = f32x8_mul_add(sum, rest, size);
    f32x8 by = f32x8_add(f32x8_abs(along), size);
    widen_range(node->slab_lower, node->slab_upper, by);
}
