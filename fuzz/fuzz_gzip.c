/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: gzip. The bytes as they are; and, since a checksum stops mutated gzip early, the bytes packed here and
 * then damaged or truncated at a position that the first four of them choose.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum
{
    CHOICE_SIZE = 4,
    GZIP_WINDOW = 16 + MAX_WBITS
};

/* Packs into memory that the caller frees; NULL on failure. */
static uint8_t *pack(const uint8_t *data, size_t size, size_t *out_size)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, 1, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    uLong bound = deflateBound(&stream, (uLong)size);
    uint8_t *packed = malloc(bound);
    stream.next_in = (z_const Bytef *)(uintptr_t)data;
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = (uInt)bound;
    int code = packed == NULL ? Z_MEM_ERROR : deflate(&stream, Z_FINISH);
    *out_size = stream.total_out;
    deflateEnd(&stream);
    if (code == Z_STREAM_END)
        return packed;
    free(packed);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model(data, size, "fuzz.gz", GRAZE_FORMAT_AUTO);
    if (size <= CHOICE_SIZE)
        return 0;
    size_t packed_size;
    uint8_t *packed = pack(data + CHOICE_SIZE, size - CHOICE_SIZE, &packed_size);
    if (packed == NULL)
        return 0;
    size_t place = (size_t)(data[1] << 8 | data[2]) % packed_size;
    if (data[0] % 3 == 1)
        packed[place] ^= data[3];
    else if (data[0] % 3 == 2)
        packed_size = place;
    fuzz_model(packed, packed_size, "fuzz.gz", GRAZE_FORMAT_AUTO);
    free(packed);
    return 0;
}
