/* SPDX-License-Identifier: MIT */
/* Hashes of files; see file_hash.h. */
#include "shell/file_hash.h"

#include <stdio.h>
#include <string.h>

void sha256_file(const char *path, char out_text[GRZ_SHA256_TEXT_SIZE], uint64_t *out_size)
{
    FILE *file = strcmp(path, "-") != 0 ? fopen(path, "rb") : NULL;
    grz_sha256 at = grz_sha256_start();
    unsigned char bytes[16384];
    size_t size;
    out_text[0] = '\0';
    if (out_size != NULL)
        *out_size = 0;
    if (file == NULL)
        return;
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
        grz_sha256_add(&at, bytes, size);
    if (!ferror(file))
    {
        grz_sha256_end(&at, out_text);
        if (out_size != NULL)
            *out_size = at.size;
    }
    fclose(file);
}
