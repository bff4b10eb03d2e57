/* SPDX-License-Identifier: MIT */
/* SHA-256; see sha256.h. The names are those of FIPS 180-4. */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t word, int by)
{
    return word >> by | word << (32 - by);
}

/* One round. Instead of moving the values of a to h by one variable each, the roles of the array's entries rotate. */
static inline void step(const uint32_t *s, uint32_t *d, uint32_t *h, int turn, uint32_t addend)
{
    uint32_t a = s[(8 - turn) & 7], b = s[(9 - turn) & 7], c = s[(10 - turn) & 7];
    uint32_t e = s[(12 - turn) & 7], f = s[(13 - turn) & 7], g = s[(14 - turn) & 7];
    uint32_t first = *h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + addend;
    *d += first;
    *h = first + (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static uint32_t later_word(const uint32_t *w)
{
    uint32_t sigma0 = rotated(w[-15], 7) ^ rotated(w[-15], 18) ^ w[-15] >> 3;
    uint32_t sigma1 = rotated(w[-2], 17) ^ rotated(w[-2], 19) ^ w[-2] >> 10;
    return sigma1 + w[-7] + sigma0 + w[-16];
}

static void take_block(uint32_t state[8], const unsigned char *bytes)
{
    uint32_t w[64], s[8];
    for (size_t t = 0; t < 16; t++)
        w[t] = (uint32_t)bytes[4 * t] << 24 | (uint32_t)bytes[4 * t + 1] << 16 | (uint32_t)bytes[4 * t + 2] << 8 |
               (uint32_t)bytes[4 * t + 3];
    for (size_t t = 16; t < 64; t++)
        w[t] = later_word(w + t);
    memcpy(s, state, sizeof s);
    for (size_t t = 0; t < 64; t += 8) /* unrolled, so that the roles are known at compile time */
    {
        step(s, &s[3], &s[7], 0, K[t] + w[t]);
        step(s, &s[2], &s[6], 1, K[t + 1] + w[t + 1]);
        step(s, &s[1], &s[5], 2, K[t + 2] + w[t + 2]);
        step(s, &s[0], &s[4], 3, K[t + 3] + w[t + 3]);
        step(s, &s[7], &s[3], 4, K[t + 4] + w[t + 4]);
        step(s, &s[6], &s[2], 5, K[t + 5] + w[t + 5]);
        step(s, &s[5], &s[1], 6, K[t + 6] + w[t + 6]);
        step(s, &s[4], &s[0], 7, K[t + 7] + w[t + 7]);
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += s[i];
}

grz_sha256 grz_sha256_start(void)
{
    return (grz_sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void grz_sha256_add(grz_sha256 *at, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    size_t used = (size_t)(at->size % 64);
    at->size += size;
    while (size > 0)
    {
        if (used == 0 && size >= 64)
        {
            take_block(at->state, from);
            from += 64;
            size -= 64;
            continue;
        }
        size_t part = size < 64 - used ? size : 64 - used;
        memcpy(at->block + used, from, part);
        from += part;
        size -= part;
        used = (used + part) % 64;
        if (used == 0)
            take_block(at->state, at->block);
    }
}

void grz_sha256_end_bytes(const grz_sha256 *at, unsigned char out_hash[32])
{
    grz_sha256 last = *at;
    unsigned char tail[72] = {0x80}; /* a 1 bit, zeros, and the size in bits */
    size_t zeros = (size_t)((119 - at->size % 64) % 64);
    for (int i = 0; i < 8; i++)
        tail[1 + zeros + (size_t)i] = (unsigned char)(at->size * 8 >> (56 - 8 * i));
    grz_sha256_add(&last, tail, zeros + 9);
    for (size_t i = 0; i < 32; i++)
        out_hash[i] = (unsigned char)(last.state[i / 4] >> (24 - 8 * (i % 4)));
}

void grz_sha256_end(const grz_sha256 *at, char out_text[GRZ_SHA256_TEXT_SIZE])
{
    unsigned char hash[32];
    grz_sha256_end_bytes(at, hash);
    for (size_t i = 0; i < 32; i++)
        snprintf(out_text + 2 * i, 3, "%02x", (unsigned)hash[i]);
}

void grz_sha256_text_of(const void *bytes, size_t size, char out_text[GRZ_SHA256_TEXT_SIZE])
{
    grz_sha256 at = grz_sha256_start();
    grz_sha256_add(&at, bytes, size);
    grz_sha256_end(&at, out_text);
}
