/* SPDX-License-Identifier: MIT */
/* A hash of bytes as 16 hexadecimal digits, to identify files and names. Not cryptographic. */
#ifndef GRZ_TEXT_DIGEST_H
#define GRZ_TEXT_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum
{
    GRZ_DIGEST_TEXT_SIZE = 17
};

typedef struct grz_digest
{
    uint64_t state;
} grz_digest;

grz_digest grz_digest_start(void);
void grz_digest_add(grz_digest *at, const void *bytes, size_t size);

/* Adds a text with its terminating zero byte, so that "ab", "c" and "a", "bc" differ. */
void grz_digest_add_text(grz_digest *at, const char *text);

void grz_digest_end(const grz_digest *at, char out_text[GRZ_DIGEST_TEXT_SIZE]);

#endif
