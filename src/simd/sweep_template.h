/* SPDX-License-Identifier: MIT */
/*
 * One box against boxes sorted along an axis: the inner loop of sweep and prune. Part of kernels_template.h.
 */
#include "simd/f32x8.h"
#include "simd/kernels.h"

static size_t sweep_kernel(const grz_sorted_boxes *row, size_t first, const float lower[3], const float upper[3],
                           uint32_t *out_indices)
{
    size_t count = 0;
    f32x8 end = f32x8_splat(upper[0]), lower_1 = f32x8_splat(lower[1]), upper_1 = f32x8_splat(upper[1]);
    f32x8 lower_2 = f32x8_splat(lower[2]), upper_2 = f32x8_splat(upper[2]);
    for (size_t index = first;; index += GRZ_LANES)
    {
        mask32x8 begun = f32x8_le(f32x8_load(row->lower[0] + index), end);
        mask32x8 meet = mask32x8_and(mask32x8_and(f32x8_le(f32x8_load(row->lower[1] + index), upper_1),
                                                  f32x8_le(lower_1, f32x8_load(row->upper[1] + index))),
                                     mask32x8_and(f32x8_le(f32x8_load(row->lower[2] + index), upper_2),
                                                  f32x8_le(lower_2, f32x8_load(row->upper[2] + index))));
        for (unsigned bits = mask32x8_bits(mask32x8_and(begun, meet)); bits != 0; bits &= bits - 1)
            out_indices[count++] = (uint32_t)index + (uint32_t)__builtin_ctz(bits);
        if (mask32x8_bits(begun) != (1u << GRZ_LANES) - 1)
            return count;
    }
}
