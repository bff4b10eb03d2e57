/* SPDX-License-Identifier: MIT */
/* Reads PNG files as the tool writes them, checking every chunk. */
#ifndef TESTS_TOOL_PICTURE_PNG_READER_H
#define TESTS_TOOL_PICTURE_PNG_READER_H

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "support/unit.h"

typedef struct png_pixels
{
    unsigned width, height;
    unsigned char *pixels; /* 3 bytes each; to be freed */
} png_pixels;

static inline uint32_t png_number(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The data of the next chunk, which must be of this type. */
static inline const unsigned char *png_chunk(const unsigned char **at, const unsigned char *end, const char *type,
                                             size_t *out_size)
{
    const unsigned char *chunk = *at;
    assert_true(end - chunk >= 12);
    size_t size = png_number(chunk);
    assert_true((size_t)(end - chunk) >= size + 12);
    assert_memory_equal(chunk + 4, type, 4);
    assert_int_equal(png_number(chunk + 8 + size), crc32(0, chunk + 4, (uInt)(size + 4)));
    *at = chunk + 12 + size;
    *out_size = size;
    return chunk + 8;
}

static inline png_pixels png_read(const unsigned char *bytes, size_t size)
{
    const unsigned char *at = bytes + 8, *end = bytes + size;
    size_t chunk_size;
    assert_true(size > 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0);
    const unsigned char *header = png_chunk(&at, end, "IHDR", &chunk_size);
    png_pixels read = {.width = png_number(header), .height = png_number(header + 4)};
    assert_int_equal(chunk_size, 13);
    assert_memory_equal(header + 8, "\x08\x02\0\0\0", 5);
    const unsigned char *data = png_chunk(&at, end, "IDAT", &chunk_size);
    size_t row = 3 * (size_t)read.width;
    uLongf unpacked = (uLongf)((row + 1) * read.height);
    unsigned char *rows = malloc(unpacked);
    read.pixels = malloc(row * read.height);
    assert_true(rows != NULL && read.pixels != NULL);
    assert_int_equal(uncompress(rows, &unpacked, data, (uLong)chunk_size), Z_OK);
    assert_int_equal(unpacked, (row + 1) * read.height);
    for (size_t y = 0; y < read.height; y++)
    {
        assert_int_equal(rows[y * (row + 1)], 2);
        for (size_t x = 0; x < row; x++)
            read.pixels[y * row + x] =
                (unsigned char)(rows[y * (row + 1) + 1 + x] + (y > 0 ? read.pixels[(y - 1) * row + x] : 0));
    }
    png_chunk(&at, end, "IEND", &chunk_size);
    assert_int_equal(chunk_size, 0);
    assert_ptr_equal(at, end);
    free(rows);
    return read;
}

#endif
