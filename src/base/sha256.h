/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4) as sha256sum prints it, so that readers of a report can check whether they have the same
 * files. */
#ifndef GRZ_BASE_SHA256_H
#define GRZ_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum
{
    GRZ_SHA256_TEXT_SIZE = 65
};

typedef struct grz_sha256
{
    uint32_t state[8];
    uint64_t size; /* bytes hashed so far */
    unsigned char block[64];
} grz_sha256;

grz_sha256 grz_sha256_start(void);
void grz_sha256_add(grz_sha256 *at, const void *bytes, size_t size);
void grz_sha256_end(const grz_sha256 *at, char out_text[GRZ_SHA256_TEXT_SIZE]);

/* The same as 32 bytes. */
void grz_sha256_end_bytes(const grz_sha256 *at, unsigned char out_hash[32]);

/* Of bytes in memory. */
void grz_sha256_text_of(const void *bytes, size_t size, char out_text[GRZ_SHA256_TEXT_SIZE]);

#endif
