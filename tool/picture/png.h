/* SPDX-License-Identifier: MIT */
/* PNG files (ISO/IEC 15948) of 8 bits a channel, red, green and blue. */
#ifndef TOOL_PICTURE_PNG_H
#define TOOL_PICTURE_PNG_H

#include <stdbool.h>
#include <stddef.h>

typedef struct png_file
{
    unsigned char *bytes; /* to be freed */
    size_t size;
} png_file;

/* False when out of memory; nothing is to be freed then. */
bool png_encode(const unsigned char *pixels, unsigned width, unsigned height, png_file *out_file);

#endif
