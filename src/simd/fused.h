/* SPDX-License-Identifier: MIT */
/*
 * A product and a sum in one: a * b + c, a * b - c and c - a * b in lanes. Where a file defines GRZ_FUSED they are
 * rounded once, as the instructions of AVX2 and AVX-512 and fmaf do it; elsewhere the product is rounded before the
 * sum. So there are two kinds of compilations, and those of one kind compute the same bits. Compilers fuse nothing by
 * themselves (-ffp-contract=off): what is fused is what is written in these terms.
 *
 * A bound that counts roundings of the product and of the sum holds for both kinds. What holds only for rounded
 * products may not be relied upon: a * b - b * a need not be 0 when it is fused, and cross(a, b) is not -cross(b, a).
 */
#ifndef GRZ_SIMD_FUSED_H
#define GRZ_SIMD_FUSED_H

#include "simd/lanes.h"

#if defined(GRZ_FUSED) && defined(GRZ_LANES_AVX)

static inline lanes lanes_mul_add(lanes a, lanes b, lanes c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline lanes lanes_mul_sub(lanes a, lanes b, lanes c)
{
    return _mm256_fmsub_ps(a, b, c);
}

static inline lanes lanes_sub_mul(lanes c, lanes a, lanes b)
{
    return _mm256_fnmadd_ps(a, b, c);
}

#elif defined(GRZ_FUSED) && defined(GRZ_SIMD_SCALAR)

static inline lanes lanes_mul_add(lanes a, lanes b, lanes c)
{
    GRZ_EACH(fmaf(a.x[i], b.x[i], c.x[i]));
}

static inline lanes lanes_mul_sub(lanes a, lanes b, lanes c)
{
    GRZ_EACH(fmaf(a.x[i], b.x[i], -c.x[i]));
}

static inline lanes lanes_sub_mul(lanes c, lanes a, lanes b)
{
    GRZ_EACH(fmaf(-a.x[i], b.x[i], c.x[i]));
}

#elif defined(GRZ_FUSED)
#error "no fused operations for these lanes"
#else

static inline lanes lanes_mul_add(lanes a, lanes b, lanes c)
{
    return lanes_add(lanes_mul(a, b), c);
}

static inline lanes lanes_mul_sub(lanes a, lanes b, lanes c)
{
    return lanes_sub(lanes_mul(a, b), c);
}

static inline lanes lanes_sub_mul(lanes c, lanes a, lanes b)
{
    return lanes_sub(c, lanes_mul(a, b));
}

#endif

static inline lanes lanes_dot(const lanes a[3], const lanes b[3])
{
    return lanes_mul_add(a[2], b[2], lanes_mul_add(a[1], b[1], lanes_mul(a[0], b[0])));
}

static inline void lanes_cross(const lanes a[3], const lanes b[3], lanes out[3])
{
    out[0] = lanes_mul_sub(a[1], b[2], lanes_mul(a[2], b[1]));
    out[1] = lanes_mul_sub(a[2], b[0], lanes_mul(a[0], b[2]));
    out[2] = lanes_mul_sub(a[0], b[1], lanes_mul(a[1], b[0]));
}

#endif
