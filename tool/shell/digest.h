/* SPDX-License-Identifier: MIT */
/* A hash of bytes as 16 hexadecimal digits, to identify files and names. Not cryptographic. */
#ifndef TOOL_SHELL_DIGEST_H
#define TOOL_SHELL_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum
{
    DIGEST_TEXT_SIZE = 17
};

typedef struct digest
{
    uint64_t state;
} digest;

digest digest_start(void);
void digest_add(digest *at, const void *bytes, size_t size);

/* Adds a text with its terminating zero byte, so that "ab", "c" and "a", "bc" differ. */
void digest_add_text(digest *at, const char *text);

void digest_end(const digest *at, char out_text[DIGEST_TEXT_SIZE]);

#endif
