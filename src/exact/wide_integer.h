/* SPDX-License-Identifier: MIT */
/*
 * Integers of fixed width: determinants of differences below 2^125, without loops over limbs. Where all coordinates fit
 * into 128 bits, as nearly always, these take the place of the integers of any width of integer.h, which are several
 * times slower.
 *
 * Components of a normal are below 2^251 then, and its product with a difference, summed over three axes, below 2^378.
 */
#ifndef GRZ_EXACT_WIDE_INTEGER_H
#define GRZ_EXACT_WIDE_INTEGER_H

#include "exact/integer.h"

__extension__ typedef __int128 grz_i128;

/* A difference, as sign and magnitude. */
typedef struct grz_wide_number
{
    grz_u128 magnitude;
    bool negative;
} grz_wide_number;

/* The normal of a plane, as signs and magnitudes. */
typedef struct grz_wide_normal
{
    uint64_t limbs[3][4];
    bool negative[3];
} grz_wide_normal;

/* From a difference modulo 2^128. */
static inline grz_wide_number grz_wide_make(grz_u128 difference)
{
    bool negative = (grz_i128)difference < 0;
    return (grz_wide_number){negative ? -difference : difference, negative};
}

/* Adds a magnitude to a two's complement number, or subtracts it; both of `width` limbs. */
static inline void grz_wide_accumulate(uint64_t *sum, const uint64_t *term, bool negative, int width)
{
    uint64_t flip = negative ? UINT64_MAX : 0, carry = flip & 1;
    for (int i = 0; i < width; i++)
    {
        grz_u128 t = (grz_u128)sum[i] + (term[i] ^ flip) + carry;
        sum[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
}

/* product[0 .. count+1] = a[0 .. count-1] * b. */
static inline void grz_wide_multiply(const uint64_t *a, int count, grz_u128 b, uint64_t *product)
{
    const uint64_t factors[2] = {(uint64_t)b, (uint64_t)(b >> 64)};
    for (int i = 0; i < count + 2; i++)
        product[i] = 0;
    for (int j = 0; j < 2; j++)
    {
        uint64_t carry = 0;
        for (int i = 0; i < count; i++)
        {
            grz_u128 t = (grz_u128)a[i] * factors[j] + product[i + j] + carry;
            product[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        product[j + count] = carry;
    }
}

/* The sign of a two's complement number. */
static inline int grz_wide_sign(const uint64_t *limbs, int width)
{
    uint64_t any = 0;
    for (int i = 0; i < width; i++)
        any |= limbs[i];
    return limbs[width - 1] >> 63 != 0 ? -1 : any != 0;
}

/* out = a d - b c, in two's complement. */
static inline void grz_wide_cross(grz_wide_number a, grz_wide_number b, grz_wide_number c, grz_wide_number d,
                                  uint64_t out[4])
{
    const uint64_t limbs_a[2] = {(uint64_t)a.magnitude, (uint64_t)(a.magnitude >> 64)};
    const uint64_t limbs_b[2] = {(uint64_t)b.magnitude, (uint64_t)(b.magnitude >> 64)};
    uint64_t product[4];
    for (int k = 0; k < 4; k++)
        out[k] = 0;
    grz_wide_multiply(limbs_a, 2, d.magnitude, product);
    grz_wide_accumulate(out, product, a.negative != d.negative, 4);
    grz_wide_multiply(limbs_b, 2, c.magnitude, product);
    grz_wide_accumulate(out, product, b.negative == c.negative, 4);
}

/* p x q. */
static inline void grz_wide_normal_make(const grz_wide_number p[3], const grz_wide_number q[3], grz_wide_normal *out)
{
    for (int k = 0; k < 3; k++)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        uint64_t component[4];
        grz_wide_cross(p[i], p[j], q[i], q[j], component);
        out->negative[k] = component[3] >> 63 != 0;
        for (int limb = 0; limb < 4; limb++)
            out->limbs[k][limb] = 0;
        grz_wide_accumulate(out->limbs[k], component, out->negative[k], 4);
    }
}

/* sum = normal . r, in two's complement. */
static inline void grz_wide_height(const grz_wide_normal *normal, const grz_wide_number r[3], uint64_t sum[6])
{
    uint64_t product[6];
    for (int k = 0; k < 6; k++)
        sum[k] = 0;
    for (int k = 0; k < 3; k++)
    {
        grz_wide_multiply(normal->limbs[k], 4, r[k].magnitude, product);
        grz_wide_accumulate(sum, product, r[k].negative != normal->negative[k], 6);
    }
}

/* The sign of normal . r. */
static inline int grz_wide_height_sign(const grz_wide_normal *normal, const grz_wide_number r[3])
{
    uint64_t sum[6];
    grz_wide_height(normal, r, sum);
    return grz_wide_sign(sum, 6);
}

#endif
