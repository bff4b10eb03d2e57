/* SPDX-License-Identifier: MIT */
/* gunzip with zlib, with memory from the context and a bound; see file.h. */
#include <string.h>
#include <zlib.h>

#include "io/file.h"

enum
{
    GZIP_WINDOW = 16 + MAX_WBITS, /* zlib's code for gzip header and checksum */
    GUNZIP_FREE_SIZE = 64 << 20,
    GUNZIP_LARGEST_RATIO = 64
};

bool grz_is_gzip(const char *bytes, size_t size)
{
    return size >= 2 && (unsigned char)bytes[0] == 0x1f && (unsigned char)bytes[1] == 0x8b;
}

static voidpf allocate(voidpf context, uInt count, uInt size)
{
    return grz_allocate(context, count, size);
}

static void release(voidpf context, voidpf memory)
{
    grz_release(context, memory);
}

/* Grows the output; fails when memory or the allowance is exhausted. */
static graze_status grow(grz_reader *reader, size_t packed_size, grz_bytes *bytes)
{
    size_t limit = packed_size > SIZE_MAX / GUNZIP_LARGEST_RATIO ? SIZE_MAX : packed_size * GUNZIP_LARGEST_RATIO;
    if (limit < GUNZIP_FREE_SIZE)
        limit = GUNZIP_FREE_SIZE;
    if (bytes->count >= limit)
        return grz_fail(reader, GRAZE_STATUS_TOO_LARGE,
                        "its %zu bytes unpack to more than %d times as many, which is refused", packed_size,
                        GUNZIP_LARGEST_RATIO);
    size_t wanted = bytes->count == 0 ? 4 * packed_size + 4096 : 2 * bytes->count;
    if (!GRZ_RESERVE(reader->context, bytes, wanted < limit ? wanted : limit))
        return grz_fail_memory(reader);
    return GRAZE_STATUS_OK;
}

static graze_status fail_inflate(grz_reader *reader, const z_stream *stream, int code)
{
    reader->at = (const char *)stream->next_in;
    switch (code)
    {
    case Z_MEM_ERROR:
        return grz_fail_memory(reader);
    case Z_BUF_ERROR:
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the gzip data ends too early");
    case Z_NEED_DICT:
        return grz_fail_here(reader, GRAZE_STATUS_UNSUPPORTED, "the gzip data needs a dictionary");
    default:
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the gzip data is damaged%s%s",
                             stream->msg != NULL ? ": " : "", stream->msg != NULL ? stream->msg : "");
    }
}

/* After a member: another one, zero padding, or trailing bytes that are an error. */
static graze_status after_member(grz_reader *reader, z_stream *stream, const char *end, bool *out_more)
{
    const char *at = (const char *)stream->next_in;
    *out_more = grz_is_gzip(at, (size_t)(end - at));
    if (*out_more)
    {
        inflateReset(stream);
        return GRAZE_STATUS_OK;
    }
    reader->at = at;
    while (at < end && *at == '\0')
        at++;
    if (at == end)
        return GRAZE_STATUS_OK;
    return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "something else follows the gzip data");
}

static graze_status inflate_all(grz_reader *reader, z_stream *stream, size_t size, grz_bytes *bytes)
{
    const char *end = (const char *)stream->next_in + size;
    for (;;)
    {
        graze_status status = GRAZE_STATUS_OK;
        if (bytes->count == bytes->capacity)
            status = grow(reader, size, bytes);
        if (status != GRAZE_STATUS_OK)
            return status;
        size_t left = (size_t)(end - (const char *)stream->next_in), room = bytes->capacity - bytes->count;
        stream->avail_in = left < UINT32_MAX ? (uInt)left : UINT32_MAX;
        stream->avail_out = room < GRZ_READ_SIZE ? (uInt)room : GRZ_READ_SIZE;
        stream->next_out = (Bytef *)bytes->data + bytes->count;
        uInt offered = stream->avail_out;
        int code = inflate(stream, Z_NO_FLUSH);
        bytes->count += offered - stream->avail_out;
        bool more = true;
        if (code == Z_STREAM_END)
            status = after_member(reader, stream, end, &more);
        else if (code != Z_OK)
            status = fail_inflate(reader, stream, code);
        if (status != GRAZE_STATUS_OK || !more)
            return status;
        if (!grz_read_bytes(reader, 1 - (double)(end - (const char *)stream->next_in) / (double)size))
            return grz_stopped(reader, GRAZE_STATUS_OK);
    }
}

graze_status grz_gunzip(grz_reader *reader, const char *packed, size_t size, grz_bytes *bytes)
{
    z_stream stream = {0};
    stream.zalloc = allocate;
    stream.zfree = release;
    stream.opaque = (voidpf)(uintptr_t)reader->context;
    stream.next_in = (z_const Bytef *)(uintptr_t)packed;
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
        return grz_fail_memory(reader);
    reader->begin = packed;
    reader->binary = true;
    graze_status status = inflate_all(reader, &stream, size, bytes);
    inflateEnd(&stream);
    reader->binary = false;
    return status;
}
