/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4) as sha256sum prints it, so that readers of a report can check whether they have the same
 * files. */
#ifndef TOOL_SHELL_SHA256_H
#define TOOL_SHELL_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum
{
    SHA256_TEXT_SIZE = 65
};

typedef struct sha256
{
    uint32_t state[8];
    uint64_t size; /* bytes hashed so far */
    unsigned char block[64];
} sha256;

sha256 sha256_start(void);
void sha256_add(sha256 *at, const void *bytes, size_t size);
void sha256_end(const sha256 *at, char out_text[SHA256_TEXT_SIZE]);

/* Of bytes in memory. */
void sha256_text_of(const void *bytes, size_t size, char out_text[SHA256_TEXT_SIZE]);

/* Of a file's bytes; "" for files that cannot be read again, such as standard input. `out_size` may be NULL. */
void sha256_file(const char *path, char out_text[SHA256_TEXT_SIZE], uint64_t *out_size);

#endif
