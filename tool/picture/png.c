/* SPDX-License-Identifier: MIT */
/* PNG files; see png.h. Rows are differences from the row above (filter 2), which suits even areas and gradients. */
#include "picture/png.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static unsigned char *put_word(unsigned char *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(word >> (24 - 8 * i));
    return at + 4;
}

/* Completes a chunk whose data is in place at `at` + 8. Returns its end. */
static unsigned char *put_chunk(unsigned char *at, const char *type, size_t size)
{
    put_word(at, (uint32_t)size);
    memcpy(at + 4, type, 4);
    return put_word(at + 8 + size, (uint32_t)crc32(0, at + 4, (uInt)(size + 4)));
}

/* Rows with their filter. */
static unsigned char *filtered(const unsigned char *pixels, size_t row_size, size_t height)
{
    unsigned char *rows = malloc((row_size + 1) * height);
    for (size_t y = 0; y < height && rows != NULL; y++)
    {
        unsigned char *out = rows + y * (row_size + 1);
        const unsigned char *row = pixels + y * row_size, *above = y > 0 ? row - row_size : NULL;
        out[0] = 2; /* up */
        for (size_t i = 0; i < row_size; i++)
            out[i + 1] = (unsigned char)(row[i] - (above != NULL ? above[i] : 0));
    }
    return rows;
}

bool png_encode(const unsigned char *pixels, unsigned width, unsigned height, png_file *out_file)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const unsigned char format[5] = {8, 2, 0, 0, 0}; /* bits, RGB, deflate, filters, not interlaced */
    size_t row_size = 3 * (size_t)width, size = (row_size + 1) * height;
    uLongf packed_size = compressBound((uLong)size);
    unsigned char *rows = filtered(pixels, row_size, height);
    unsigned char *bytes = malloc(sizeof signature + 25 + 12 + packed_size + 12);
    bool done = rows != NULL && bytes != NULL;
    if (done)
    {
        memcpy(bytes, signature, sizeof signature);
        unsigned char *at = bytes + sizeof signature;
        memcpy(put_word(put_word(at + 8, width), height), format, sizeof format);
        at = put_chunk(at, "IHDR", 13);
        done = compress2(at + 8, &packed_size, rows, (uLong)size, 4) == Z_OK;
        at = put_chunk(at, "IDAT", packed_size);
        at = put_chunk(at, "IEND", 0);
        *out_file = (png_file){bytes, (size_t)(at - bytes)};
    }
    free(rows);
    if (!done)
        free(bytes);
    return done;
}
