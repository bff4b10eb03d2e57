/* SPDX-License-Identifier: MIT */
/*
 * Checksums; see checksum.h. Four sums take the words in turn, so that multiplications overlap. Every step is a
 * bijection of the sum for a given word and of the word for a given sum, and so is every step of the final mixing: a
 * single word that differs always changes the result.
 */
#include "base/checksum.h"

#include <string.h>

enum
{
    SUM_COUNT = 4
};

static uint64_t mix(uint64_t sum, uint64_t word)
{
    uint64_t mixed = (sum ^ word) * UINT64_C(0xd6e8feb86659fd93);
    return mixed ^ (mixed >> 29);
}

uint64_t grz_checksum(uint64_t seed, const void *bytes, size_t size, grz_monitor *monitor)
{
    const unsigned char *at = bytes;
    uint64_t sums[SUM_COUNT], words[SUM_COUNT], result = mix(seed, size);
    for (int i = 0; i < SUM_COUNT; i++)
        sums[i] = mix(seed, UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(i + 1));
    size_t rest = size % sizeof words;
    for (size_t first, end = 0; grz_monitor_block(monitor, size / sizeof words, &first, &end);)
        for (; first < end; first++, at += sizeof words)
        {
            memcpy(words, at, sizeof words);
            for (int i = 0; i < SUM_COUNT; i++)
                sums[i] = mix(sums[i], words[i]);
        }
    memset(words, 0, sizeof words);
    if (rest > 0)
        memcpy(words, (const unsigned char *)bytes + size - rest, rest);
    for (int i = 0; i < SUM_COUNT; i++)
        result = mix(result, mix(sums[i], words[i]));
    return result;
}
