/* SPDX-License-Identifier: MIT */
/* Converts placed triangles to fixed point; see fixed_point.h. */
#include "exact/fixed_point.h"

#include "base/bits.h"

bool grz_fixed_unit(double extent, int *out_unit)
{
    if (!(extent > 0x1p-900 && extent < 0x1p900))
        return false;
    *out_unit = grz_exponent_of(extent) - GRZ_FIXED_BITS - 64; /* extent < 2^exponent */
    return true;
}

static grz_fixed_number decompose(double x)
{
    uint64_t bits = grz_bits(x), fraction = bits & UINT64_C(0xfffffffffffff);
    int biased = (int)(bits >> 52 & 0x7ff);
    grz_fixed_number number;
    number.mantissa = biased != 0 ? fraction | UINT64_C(1) << 52 : fraction;
    number.sign = bits >> 63 != 0 ? UINT64_MAX : 0;
    number.exponent = (biased != 0 ? biased : 1) - 1075;
    return number;
}

void grz_fixed_pose_make(const graze_pose *pose, grz_fixed_pose *out)
{
    out->identity = pose == NULL;
    for (int k = 0; k < 12 && pose != NULL; k++)
        out->entries[k] = decompose(pose->m[k]);
}

/* Adds magnitude * 2^shift units, modulo 2^128, less what lies below the unit; *lost tells whether something does. */
static inline void add_term(grz_u128 *sum, grz_u128 magnitude, int shift, uint64_t sign, bool *lost)
{
    grz_u128 shifted = 0;
    if (shift >= 0)
        shifted = shift < 128 ? magnitude << shift : 0;
    else if (shift > -128)
    {
        shifted = magnitude >> -shift;
        *lost |= shifted << -shift != magnitude;
    }
    else
        *lost |= magnitude != 0;
    *sum += sign != 0 ? -shifted : shifted;
}

static grz_u128 place(const grz_fixed_number point[3], const grz_fixed_number *row, int unit, bool *lost)
{
    grz_u128 sum = 0;
    for (int k = 0; k < 3; k++)
        add_term(&sum, (grz_u128)row[k].mantissa * point[k].mantissa, row[k].exponent + point[k].exponent - unit,
                 row[k].sign ^ point[k].sign, lost);
    add_term(&sum, row[3].mantissa, row[3].exponent - unit, row[3].sign, lost);
    return sum;
}

static uint64_t magnitude_of(int64_t x)
{
    return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

grz_fixed_plane grz_fixed_plane_make(const int64_t a[3], const int64_t b[3], const int64_t c[3])
{
    int64_t p[3], q[3];
    grz_fixed_plane plane = {.point = c};
    for (int k = 0; k < 3; k++) /* modulo 2^64 */
    {
        p[k] = (int64_t)((uint64_t)a[k] - (uint64_t)c[k]);
        q[k] = (int64_t)((uint64_t)b[k] - (uint64_t)c[k]);
        plane.largest = larger(plane.largest, larger(magnitude_of(p[k]), magnitude_of(q[k])));
    }
    for (int k = 0; k < 3; k++)
    {
        int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
        grz_i128 component = (grz_i128)p[i] * q[j] - (grz_i128)p[j] * q[i];
        plane.upper[k] = (int64_t)(component >> GRZ_FIXED_SPLIT);
        plane.lower[k] = (int64_t)component & ((INT64_C(1) << GRZ_FIXED_SPLIT) - 1);
        plane.norm += 2 * (component < 0 ? -(grz_u128)component : (grz_u128)component);
    }
    return plane;
}

void grz_fixed_triangle_make(const double *const corners[3], const grz_fixed_pose *pose, int unit,
                             grz_fixed_triangle *out)
{
    bool lost = false;
    uint64_t lower_bits = 0;
    for (int i = 0; i < 3; i++)
    {
        grz_fixed_number point[3];
        for (int k = 0; k < 3; k++)
            point[k] = decompose(corners[i][k]);
        for (int k = 0; k < 3; k++)
        {
            grz_u128 sum = 0;
            if (pose->identity)
                add_term(&sum, point[k].mantissa, point[k].exponent - unit, point[k].sign, &lost);
            else
                sum = place(point, pose->entries + 4 * (size_t)k, unit, &lost);
            out->high[i][k] = (int64_t)(uint64_t)(sum >> 64);
            out->low[i][k] = (uint64_t)sum;
            lower_bits |= (uint64_t)sum;
        }
    }
    out->plane = grz_fixed_plane_make(out->high[0], out->high[1], out->high[2]);
    out->exact = !lost;
    out->whole = !lost && lower_bits == 0;
}
