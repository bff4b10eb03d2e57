/* SPDX-License-Identifier: MIT */
/*
 * One box against a row of boxes sorted along an axis: the inner loop of sweeps. Part of kernels_template.h.
 */
#include "simd/kernels.h"
#include "simd/lanes.h"

static size_t sweep_kernel(const grz_box_row *row, size_t first, const float lower[3], const float upper[3],
                           uint32_t *out_places)
{
    size_t count = 0;
    lanes end = lanes_fill(upper[0]), lower_1 = lanes_fill(lower[1]), upper_1 = lanes_fill(upper[1]);
    lanes lower_2 = lanes_fill(lower[2]), upper_2 = lanes_fill(upper[2]);
    for (size_t place = first;; place += GRZ_LANES)
    {
        truth begun = lanes_le(lanes_load(row->lower[0] + place), end);
        truth meet = truth_and(truth_and(lanes_le(lanes_load(row->lower[1] + place), upper_1),
                                         lanes_le(lower_1, lanes_load(row->upper[1] + place))),
                               truth_and(lanes_le(lanes_load(row->lower[2] + place), upper_2),
                                         lanes_le(lower_2, lanes_load(row->upper[2] + place))));
        for (unsigned bits = truth_bits(truth_and(begun, meet)); bits != 0; bits &= bits - 1)
            out_places[count++] = (uint32_t)place + (uint32_t)__builtin_ctz(bits);
        if (truth_bits(begun) != (1u << GRZ_LANES) - 1)
            return count;
    }
}
