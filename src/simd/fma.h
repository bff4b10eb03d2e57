/* SPDX-License-Identifier: MIT */
/*
 * Multiply-add in lanes: a * b + c, a * b - c and c - a * b. Where a file defines GRZ_FUSED they are fused (FMA),
 * rounded once, as the instructions of AVX2 and AVX-512 and fmaf do it; elsewhere the product is rounded before the
 * sum. So there are two kinds of compilations, and those of one kind compute the same bits. Compilers fuse nothing by
 * themselves (-ffp-contract=off): only these functions are fused.
 *
 * An error bound that counts roundings of the product and of the sum holds for both kinds. Properties of rounded
 * products do not hold for fused ones: a * b - b * a need not be 0, and cross(a, b) is not -cross(b, a).
 */
#ifndef GRZ_SIMD_FMA_H
#define GRZ_SIMD_FMA_H

#include "simd/f32x8.h"

#if defined(GRZ_FUSED) && defined(GRZ_VECTORS_AVX)

static inline f32x8 f32x8_mul_add(f32x8 a, f32x8 b, f32x8 c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline f32x8 f32x8_mul_sub(f32x8 a, f32x8 b, f32x8 c)
{
    return _mm256_fmsub_ps(a, b, c);
}

static inline f32x8 f32x8_sub_mul(f32x8 c, f32x8 a, f32x8 b)
{
    return _mm256_fnmadd_ps(a, b, c);
}

#elif defined(GRZ_FUSED) && defined(GRZ_SIMD_SCALAR)

static inline f32x8 f32x8_mul_add(f32x8 a, f32x8 b, f32x8 c)
{
    GRZ_EACH(fmaf(a.x[i], b.x[i], c.x[i]));
}

static inline f32x8 f32x8_mul_sub(f32x8 a, f32x8 b, f32x8 c)
{
    GRZ_EACH(fmaf(a.x[i], b.x[i], -c.x[i]));
}

static inline f32x8 f32x8_sub_mul(f32x8 c, f32x8 a, f32x8 b)
{
    GRZ_EACH(fmaf(-a.x[i], b.x[i], c.x[i]));
}

#elif defined(GRZ_FUSED)
#error "no fused operations for these lanes"
#else

static inline f32x8 f32x8_mul_add(f32x8 a, f32x8 b, f32x8 c)
{
    return f32x8_add(f32x8_mul(a, b), c);
}

static inline f32x8 f32x8_mul_sub(f32x8 a, f32x8 b, f32x8 c)
{
    return f32x8_sub(f32x8_mul(a, b), c);
}

static inline f32x8 f32x8_sub_mul(f32x8 c, f32x8 a, f32x8 b)
{
    return f32x8_sub(c, f32x8_mul(a, b));
}

#endif

static inline f32x8 f32x8_dot(const f32x8 a[3], const f32x8 b[3])
{
    return f32x8_mul_add(a[2], b[2], f32x8_mul_add(a[1], b[1], f32x8_mul(a[0], b[0])));
}

static inline void f32x8_cross(const f32x8 a[3], const f32x8 b[3], f32x8 out[3])
{
    out[0] = f32x8_mul_sub(a[1], b[2], f32x8_mul(a[2], b[1]));
    out[1] = f32x8_mul_sub(a[2], b[0], f32x8_mul(a[0], b[2]));
    out[2] = f32x8_mul_sub(a[0], b[1], f32x8_mul(a[1], b[0]));
}

#endif
