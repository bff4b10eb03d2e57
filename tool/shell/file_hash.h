/* SPDX-License-Identifier: MIT */
/* SHA-256 of files, as sha256sum prints it. */
#ifndef TOOL_SHELL_FILE_HASH_H
#define TOOL_SHELL_FILE_HASH_H

#include "text/sha256.h"

/* Of a file's bytes; "" for files that cannot be read again, such as standard input. `out_size` may be NULL. */
void sha256_file(const char *path, char out_text[GRZ_SHA256_TEXT_SIZE], uint64_t *out_size);

#endif
