/* SPDX-License-Identifier: MIT */
/*
 * Identities of meshes; see identity.h. Each word passes through two chains with factors of their own. A step of a
 * chain is a bijection of the word, and of the state: so meshes that differ in a single word never have equal
 * identities. Even and odd words have their own pair of chains, so that their multiplications overlap.
 */
#include "mesh/identity.h"

#include <string.h>

typedef struct chains
{
    uint64_t first[2], second[2]; /* [parity of the word] */
} chains;

static inline uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void absorb(chains *c, int parity, uint64_t word)
{
    c->first[parity] = rotate((c->first[parity] ^ word) * UINT64_C(0x9e3779b97f4a7c15), 29);
    c->second[parity] = rotate((c->second[parity] + word) * UINT64_C(0xd6e8feb86659fd93), 37);
}

/* The finalizer of SplitMix64: a bijection. */
static inline uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void absorb_bytes(chains *c, const void *bytes, size_t size, grz_monitor *monitor)
{
    const unsigned char *at = bytes;
    uint64_t words[2];
    for (size_t first, end = 0; grz_monitor_block(monitor, size / sizeof words, &first, &end);)
        for (; first < end; first++, at += sizeof words)
        {
            memcpy(words, at, sizeof words);
            absorb(c, 0, words[0]);
            absorb(c, 1, words[1]);
        }
    words[0] = words[1] = 0;
    if (size % sizeof words > 0)
        memcpy(words, (const unsigned char *)bytes + size / sizeof words * sizeof words, size % sizeof words);
    absorb(c, 0, words[0]);
    absorb(c, 1, words[1]);
}

grz_identity grz_identity_make(const double *coordinates, size_t coordinate_count, const uint32_t *indices,
                               size_t index_count, grz_monitor *monitor)
{
    chains c = {{1, 2}, {3, 4}};
    absorb(&c, 0, coordinate_count);
    absorb(&c, 1, index_count);
    absorb_bytes(&c, coordinates, coordinate_count * sizeof *coordinates, monitor);
    absorb_bytes(&c, indices, index_count * sizeof *indices, monitor);
    return (grz_identity){
        {mix(c.first[0]) + rotate(mix(c.first[1]), 32), mix(c.second[0]) + rotate(mix(c.second[1]), 32)}};
}
