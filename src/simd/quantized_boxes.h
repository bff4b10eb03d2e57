/* SPDX-License-Identifier: MIT */
/*
 * Overlap of the quantised AABBs of eight triangles with those of eight others, all 64 pairs at a time: in bytes, so
 * that one register holds many of them. Part of the kernel templates; see f32x8.h. Every variant gives the same bits.
 *
 * Rows are triangles of a leaf on its own grid; 258 grid steps (65536 / 254) are a stride. Their bounds are rounded
 * down, the lower ones negated before. Lanes are those of another leaf: y = scale x + shift in strides, for lower
 * bounds and for upper ones negated, rounded down too. Rounding down is monotonic, so that a pair is dropped only if an
 * upper bound lies below a lower one before rounding; and a pair that is not dropped overlaps when widened by one
 * stride. Rows lie between -127 and 126, so that saturation of bytes at -128 and 127 does no harm. Trees put no corner
 * farther than 32767 steps from a leaf's centre (fit_template.h); -32768, which only forged ones have, counts as -32767
 * when it is a lower bound.
 */
#ifndef GRZ_SIMD_QUANTIZED_BOXES_H
#define GRZ_SIMD_QUANTIZED_BOXES_H

#include "simd/fma.h"
#include "simd/kernels.h"

enum
{
    QUANTIZED_STRIDES = 254 /* to 65536 steps */
};

/* Larger numbers of strides are clamped to this, so that integers can hold them; very low ones become the least
   integer. */
#define QUANTIZED_MOST 1000.0f

#if defined(GRZ_VECTORS_AVX) || defined(GRZ_VECTORS_SSE)

/* The bounds of triangles on a grid: upper ones, then lower ones negated. */
static inline void quantized_ends(const int16_t corners[3][3][GRZ_LANES], int8_t out[3][2 * GRZ_LANES])
{
    const __m128i strides = _mm_set1_epi16(QUANTIZED_STRIDES);
    for (int k = 0; k < 3; k++)
    {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)corners[0][k]);
        __m128i y = _mm_loadu_si128((const __m128i *)(const void *)corners[1][k]);
        __m128i z = _mm_loadu_si128((const __m128i *)(const void *)corners[2][k]);
        __m128i upper = _mm_max_epi16(_mm_max_epi16(x, y), z), lower = _mm_min_epi16(_mm_min_epi16(x, y), z);
        __m128i below = _mm_subs_epi16(_mm_setzero_si128(), lower);
        _mm_storeu_si128((__m128i *)(void *)out[k],
                         _mm_packs_epi16(_mm_mulhi_epi16(upper, strides), _mm_mulhi_epi16(below, strides)));
    }
}

#else

static inline void quantized_ends(const int16_t corners[3][3][GRZ_LANES], int8_t out[3][2 * GRZ_LANES])
{
    for (int i = 0; i < 3 * GRZ_LANES; i++)
    {
        int k = i / GRZ_LANES, lane = i % GRZ_LANES;
        int x = corners[0][k][lane], y = corners[1][k][lane], z = corners[2][k][lane];
        int upper = x > y ? x : y, lower = x < y ? x : y;
        upper = upper > z ? upper : z;
        lower = lower < z ? lower : z;
        int below = lower == -32768 ? 32767 : -lower;
        /* + 128 * 65536: the dividend is not negative. */
        out[k][lane] = (int8_t)((QUANTIZED_STRIDES * upper + 128 * 65536) / 65536 - 128);
        out[k][GRZ_LANES + lane] = (int8_t)((QUANTIZED_STRIDES * below + 128 * 65536) / 65536 - 128);
    }
}

#endif

static inline f32x8 quantized_strides(const float *ends, float scale, float shift)
{
    return f32x8_min(f32x8_mul_add(f32x8_load(ends), f32x8_splat(scale), f32x8_splat(shift)),
                     f32x8_splat(QUANTIZED_MOST));
}

/* Which pairs of a row and a lane are not dropped; bit row * 8 + lane is set for them. `down` shifts lower bounds, `up`
   the negated upper ones. */
#if defined(GRZ_VECTORS_AVX512)

static inline uint64_t quantized_overlap(const int8_t own[3][2 * GRZ_LANES], const float ends[3][2 * GRZ_LANES],
                                         float scale, const float down[4], const float up[4])
{
    const __m512i spread =
        _mm512_set_epi64(0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
                         0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    const __m512i halves = _mm512_set_epi32(4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m512 shifts = _mm512_castps256_ps512(_mm256_set_m128(_mm_loadu_ps(up), _mm_loadu_ps(down)));
    __m512i gaps[6];
    for (int k = 0; k < 3; k++)
    {
        __m512 shift = _mm512_permutexvar_ps(_mm512_add_epi32(halves, _mm512_set1_epi32(k)), shifts);
        __m512 y = _mm512_fmadd_ps(_mm512_loadu_ps(ends[k]), _mm512_set1_ps(scale), shift);
        y = _mm512_min_ps(y, _mm512_set1_ps(QUANTIZED_MOST));
        __m128i bytes = _mm512_cvtsepi32_epi8(_mm512_cvt_roundps_epi32(y, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
        __m512i lower = _mm512_broadcastq_epi64(bytes);
        __m512i below = _mm512_permutexvar_epi64(_mm512_set1_epi64(1), _mm512_castsi128_si512(bytes));
        long long upper_rows, below_rows;
        memcpy(&upper_rows, own[k], sizeof upper_rows);
        memcpy(&below_rows, own[k] + GRZ_LANES, sizeof below_rows);
        gaps[2 * k] = _mm512_subs_epi8(_mm512_shuffle_epi8(_mm512_set1_epi64(upper_rows), spread), lower);
        gaps[2 * k + 1] = _mm512_subs_epi8(_mm512_shuffle_epi8(_mm512_set1_epi64(below_rows), spread), below);
    }
    __m512i any = _mm512_ternarylogic_epi64(gaps[0], gaps[1], gaps[2], 0xfe);
    __m512i other = _mm512_ternarylogic_epi64(gaps[3], gaps[4], gaps[5], 0xfe);
    return ~_mm512_movepi8_mask(_mm512_or_si512(any, other));
}

#elif defined(GRZ_VECTORS_AVX)

static inline uint64_t quantized_overlap(const int8_t own[3][2 * GRZ_LANES], const float ends[3][2 * GRZ_LANES],
                                         float scale, const float down[4], const float up[4])
{
    const __m256i first = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    const __m256i last = _mm256_or_si256(first, _mm256_set1_epi8(4));
    __m256i low = _mm256_setzero_si256(), high = low;
    for (int k = 0; k < 3; k++)
    {
        f32x8 x = quantized_strides(ends[k], scale, down[k]), y = quantized_strides(ends[k] + GRZ_LANES, scale, up[k]);
        __m256i words =
            _mm256_packs_epi32(_mm256_cvttps_epi32(_mm256_floor_ps(x)), _mm256_cvttps_epi32(_mm256_floor_ps(y)));
        __m256i bytes = _mm256_packs_epi16(words, words);
        __m256i lower = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 0, 4, 0, 4, 0, 4));
        __m256i below = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(1, 5, 1, 5, 1, 5, 1, 5));
        long long upper_rows, below_rows;
        memcpy(&upper_rows, own[k], sizeof upper_rows);
        memcpy(&below_rows, own[k] + GRZ_LANES, sizeof below_rows);
        __m256i upper_of = _mm256_set1_epi64x(upper_rows), below_of = _mm256_set1_epi64x(below_rows);
        low = _mm256_or_si256(low, _mm256_subs_epi8(_mm256_shuffle_epi8(upper_of, first), lower));
        low = _mm256_or_si256(low, _mm256_subs_epi8(_mm256_shuffle_epi8(below_of, first), below));
        high = _mm256_or_si256(high, _mm256_subs_epi8(_mm256_shuffle_epi8(upper_of, last), lower));
        high = _mm256_or_si256(high, _mm256_subs_epi8(_mm256_shuffle_epi8(below_of, last), below));
    }
    uint64_t bits = (uint32_t)_mm256_movemask_epi8(high);
    return ~(bits << 32 | (uint32_t)_mm256_movemask_epi8(low));
}

#elif defined(GRZ_VECTORS_SSE)

/* Rounds down, clamped below at -1000. */
static inline __m128i quantized_floor(__m128 x)
{
    x = _mm_max_ps(x, _mm_set1_ps(-1000.0f));
    __m128i whole = _mm_cvttps_epi32(x);
    return _mm_add_epi32(whole, _mm_castps_si128(_mm_cmplt_ps(x, _mm_cvtepi32_ps(whole))));
}

static inline __m128i quantized_round(const float *ends, float scale, float shift)
{
    f32x8 y = quantized_strides(ends, scale, shift);
    return _mm_packs_epi32(quantized_floor(y.low), quantized_floor(y.high));
}

/* Collects the signs of rows, each number duplicated, minus lanes; two rows to a register. */
static inline void quantized_add_gaps(__m128i twice, __m128i eight, __m128i gaps[4])
{
    __m128i low = _mm_unpacklo_epi16(twice, twice), high = _mm_unpackhi_epi16(twice, twice);
    gaps[0] = _mm_or_si128(gaps[0], _mm_subs_epi8(_mm_shuffle_epi32(low, 0x50), eight));
    gaps[1] = _mm_or_si128(gaps[1], _mm_subs_epi8(_mm_shuffle_epi32(low, 0xfa), eight));
    gaps[2] = _mm_or_si128(gaps[2], _mm_subs_epi8(_mm_shuffle_epi32(high, 0x50), eight));
    gaps[3] = _mm_or_si128(gaps[3], _mm_subs_epi8(_mm_shuffle_epi32(high, 0xfa), eight));
}

static inline uint64_t quantized_overlap(const int8_t own[3][2 * GRZ_LANES], const float ends[3][2 * GRZ_LANES],
                                         float scale, const float down[4], const float up[4])
{
    __m128i gaps[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (int k = 0; k < 3; k++)
    {
        __m128i bytes = _mm_packs_epi16(quantized_round(ends[k], scale, down[k]),
                                        quantized_round(ends[k] + GRZ_LANES, scale, up[k]));
        __m128i row = _mm_loadu_si128((const __m128i *)(const void *)own[k]);
        quantized_add_gaps(_mm_unpacklo_epi8(row, row), _mm_unpacklo_epi64(bytes, bytes), gaps);
        quantized_add_gaps(_mm_unpackhi_epi8(row, row), _mm_unpackhi_epi64(bytes, bytes), gaps);
    }
    uint64_t bits = 0;
    for (int i = 3; i >= 0; i--)
        bits = bits << 16 | (uint64_t)(unsigned)_mm_movemask_epi8(gaps[i]);
    return ~bits;
}

#else

static inline int quantized_round(float y)
{
    if (y < -128)
        return -128;
    return y >= 127 ? 127 : (int)floorf(y);
}

static inline uint64_t quantized_overlap(const int8_t own[3][2 * GRZ_LANES], const float ends[3][2 * GRZ_LANES],
                                         float scale, const float down[4], const float up[4])
{
    uint64_t dropped = 0;
    for (int k = 0; k < 3; k++)
    {
        f32x8 x = quantized_strides(ends[k], scale, down[k]), y = quantized_strides(ends[k] + GRZ_LANES, scale, up[k]);
        for (int lane = 0; lane < GRZ_LANES; lane++)
        {
            int lower = quantized_round(x.x[lane]), below = quantized_round(y.x[lane]);
            for (int row = 0; row < GRZ_LANES; row++)
                dropped |= (uint64_t)(own[k][row] < lower || own[k][GRZ_LANES + row] < below)
                           << (GRZ_LANES * row + lane);
        }
    }
    return ~dropped;
}

#endif

#endif
