/* SPDX-License-Identifier: MIT */
/*
 * Hits among the pairs whose contacts were found together (contact_template.h): their keys, and the facts of each pair,
 * given as one bit of eight words, as a byte; part of kernels_template.h.
 */
#include <string.h>

#include "simd/kernels.h"
#include "simd/set_bits.h"

#if defined(GRZ_VECTORS_AVX512)

static void list_hits_kernel(const uint64_t *keys, const uint64_t facts[8], uint64_t which, uint64_t *out_keys,
                             uint8_t *out_codes)
{
    __m512i codes = _mm512_setzero_si512();
    for (int i = 0; i < 8; i++)
        codes = _mm512_or_si512(codes, _mm512_maskz_set1_epi8(facts[i], (char)(1u << i)));
    _mm512_storeu_si512(out_codes, _mm512_maskz_compress_epi8(which, codes));
    for (unsigned group = 0, count = 0; group < GRZ_CONTACT_PAIRS / GRZ_LANES; group++)
    {
        __mmask8 mask = (__mmask8)(which >> GRZ_LANES * group);
        __m512i eight = _mm512_maskz_compress_epi64(mask, _mm512_loadu_si512(keys + (size_t)GRZ_LANES * group));
        _mm512_storeu_si512(out_keys + count, eight);
        count += (unsigned)__builtin_popcount(mask);
    }
}

#else

static void list_hits_kernel(const uint64_t *keys, const uint64_t facts[8], uint64_t which, uint64_t *out_keys,
                             uint8_t *out_codes)
{
    uint8_t codes[GRZ_CONTACT_PAIRS];
    for (unsigned first = 0; first < GRZ_CONTACT_PAIRS; first += GRZ_LANES)
    {
        uint64_t some = 0;
        for (unsigned i = 0; i < 8; i++)
            some |= (facts[i] >> first & 0xff) << 8 * i;
        some = grz_transpose_8x8(some);
        for (unsigned i = 0; i < GRZ_LANES; i++)
            codes[first + i] = (uint8_t)(some >> 8 * i);
    }
    for (unsigned count = 0; which != 0; which &= which - 1, count++)
    {
        unsigned i = (unsigned)__builtin_ctzll(which);
        out_keys[count] = keys[i];
        out_codes[count] = codes[i];
    }
}

#endif
