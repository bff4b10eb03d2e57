/* SPDX-License-Identifier: MIT */
/*
 * glTF buffers: the chunk of a GLB, base64 in a data: URI, or a file in the same folder; and their views. A buffer is
 * read when first needed. Files with the same identity are read once, whatever their names, and only regular files are
 * read, so that a URI can neither block the reader on a pipe nor fill the memory.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>
#include <sys/stat.h>

#include "io/file.h"
#include "io/gltf.h"

/* Marks a failure as one of the whole file. */
static graze_status fatal(grz_gltf *gltf, graze_status status)
{
    gltf->fatal = true;
    return status;
}

/* --- data: URIs --- */

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c != '\0' ? strchr(digits, c) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

/* Fills a table per buffer, so that decoding is one lookup per byte. */
static void base64_table(int table[256])
{
    for (int c = 0; c < 256; c++)
        table[c] = base64_digit((char)c);
    table['-'] = table['+']; /* the URL-safe alphabet */
    table['_'] = table['/'];
}

/* `out` has room for 3/4 of the text. Returns the number of bytes, or SIZE_MAX if the text is no base64. */
static size_t decode_base64(grz_name text, char *out)
{
    int table[256];
    base64_table(table);
    while (text.size > 0 && text.text[text.size - 1] == '=')
        text.size--;
    if (text.size % 4 == 1)
        return SIZE_MAX;
    uint32_t bits = 0;
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++)
    {
        int digit = table[(unsigned char)text.text[i]];
        if (digit < 0)
            return SIZE_MAX;
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 > 0)
            out[size++] = (char)(bits >> (6 - 2 * (i % 4)) & 0xff);
    }
    return size;
}

static graze_status take_data_uri(grz_gltf *gltf, uint32_t number, grz_name uri)
{
    static const char marker[] = ";base64";
    grz_gltf_buffer *buffer = &gltf->buffers[number];
    const char *comma = memchr(uri.text, ',', uri.size);
    size_t head = comma != NULL ? (size_t)(comma - uri.text) : 0;
    if (head < sizeof marker - 1 || memcmp(comma - (sizeof marker - 1), marker, sizeof marker - 1) != 0)
        return grz_fail(gltf->reader, GRAZE_STATUS_UNSUPPORTED, "the data: URI of buffer %lu is not base64",
                        (unsigned long)number);
    grz_name text = {comma + 1, uri.size - head - 1};
    char *bytes = grz_allocate(gltf->reader->context, text.size / 4 + 1, 3);
    if (bytes == NULL)
        return grz_fail_memory(gltf->reader);
    buffer->owned = bytes;
    size_t size = decode_base64(text, bytes);
    if (size == SIZE_MAX)
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT, "the base64 of buffer %lu is damaged",
                        (unsigned long)number);
    buffer->bytes = bytes;
    buffer->size = size;
    return GRAZE_STATUS_OK;
}

/* --- files --- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* %41 -> A, in place. False when the result holds a zero byte, which no path can. */
static bool decode_percents(grz_text *uri)
{
    size_t out = 0;
    for (size_t i = 0; i < uri->count; i++)
    {
        char c = uri->data[i];
        int high = c == '%' && i + 2 < uri->count ? hex_digit(uri->data[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(uri->data[i + 2]) : -1;
        if (low >= 0)
        {
            c = (char)(high << 4 | low);
            i += 2;
        }
        if (c == '\0')
            return false;
        uri->data[out++] = c;
    }
    uri->count = out;
    return true;
}

/* Whether it begins with a scheme, such as "https:". */
static bool has_scheme(grz_name uri)
{
    for (size_t i = 0; i < uri.size; i++)
    {
        char c = uri.text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (c == ':')
            return i > 1; /* one letter is a drive */
        if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.')))
            return false;
    }
    return false;
}

/* Prepends the folder of this file to a decoded URI and appends a zero byte. NULL when out of memory. */
static char *path_beside(const grz_reader *reader, const grz_text *uri)
{
    const char *slash = strrchr(reader->path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - reader->path) + 1 : 0;
    char *path = grz_allocate(reader->context, folder + uri->count + 1, 1);
    if (path == NULL)
        return NULL;
    memcpy(path, reader->path, folder);
    memcpy(path + folder, uri->data, uri->count);
    path[folder + uri->count] = '\0';
    return path;
}

/* Another buffer that was read from the same file. */
static const grz_gltf_buffer *same_file(const grz_gltf *gltf, const struct stat *info)
{
    for (size_t i = 0; i < gltf->from_files.count; i++) /* at most one per file */
    {
        const grz_gltf_buffer *other = &gltf->buffers[gltf->from_files.data[i]];
        if (other->device == (uint64_t)info->st_dev && other->number == (uint64_t)info->st_ino)
            return other;
    }
    return NULL;
}

static graze_status load_file(grz_gltf *gltf, uint32_t number, const char *path)
{
    grz_reader *reader = gltf->reader;
    grz_gltf_buffer *buffer = &gltf->buffers[number];
    struct stat info;
    if (stat(path, &info) != 0)
        return grz_fail(reader, GRAZE_STATUS_NOT_FOUND, "buffer %lu lies in %.100s, which cannot be found",
                        (unsigned long)number, path);
    if (!S_ISREG(info.st_mode))
        return grz_fail(reader, GRAZE_STATUS_UNREADABLE, "buffer %lu lies in %.100s, which is no file",
                        (unsigned long)number, path);
    const grz_gltf_buffer *other = same_file(gltf, &info);
    if (other != NULL)
    {
        buffer->bytes = other->bytes;
        buffer->size = other->size;
        return GRAZE_STATUS_OK;
    }
    if (!GRZ_PUSH(reader->context, &gltf->from_files, number))
        return grz_fail_memory(reader);
    grz_reader messenger = *reader;
    messenger.name = path;
    grz_bytes bytes = {0};
    graze_status status = grz_file_load(&messenger, path, &bytes);
    *buffer = (grz_gltf_buffer){bytes.data, bytes.count, bytes.data, (uint64_t)info.st_dev, (uint64_t)info.st_ino};
    gltf->input_size += bytes.count;
    return status;
}

/* Reads a file named by a decoded URI. */
static graze_status take_path(grz_gltf *gltf, uint32_t number, const grz_text *uri)
{
    grz_reader *reader = gltf->reader;
    if (uri->data[0] == '/')
        return grz_fail(reader, GRAZE_STATUS_UNSUPPORTED,
                        "buffer %lu names a file by an absolute path, which is not followed", (unsigned long)number);
    char *path = path_beside(reader, uri);
    if (path == NULL)
        return grz_fail_memory(reader);
    graze_status status = load_file(gltf, number, path);
    grz_release(reader->context, path);
    return status;
}

static graze_status take_file(grz_gltf *gltf, uint32_t number, uint32_t value)
{
    grz_reader *reader = gltf->reader;
    grz_name raw = grz_json_raw(&gltf->json, value);
    if (has_scheme(raw))
        return grz_fail(reader, GRAZE_STATUS_UNSUPPORTED,
                        "buffer %lu lies at \"%.*s\"; only files beside this one and data: URIs are read",
                        (unsigned long)number, (int)(raw.size < 80 ? raw.size : 80), raw.text);
    if (reader->path == NULL)
        return grz_fail(reader, GRAZE_STATUS_UNSUPPORTED,
                        "buffer %lu lies in another file, \"%.*s\", but this is not read from a file; a GLB holds all",
                        (unsigned long)number, (int)(raw.size < 60 ? raw.size : 60), raw.text);
    grz_text uri = {0};
    graze_status status;
    if (!grz_json_decode(reader->context, &gltf->json, value, &uri))
        status = grz_fail_memory(reader);
    else if (!decode_percents(&uri) || uri.count == 0)
        status = grz_fail(reader, GRAZE_STATUS_BAD_FORMAT, "the URI of buffer %lu is no name of a file",
                          (unsigned long)number);
    else
        status = take_path(gltf, number, &uri);
    grz_release(reader->context, uri.data);
    return status;
}

/* --- all kinds --- */

static graze_status fetch(grz_gltf *gltf, uint32_t number)
{
    grz_gltf_buffer *buffer = &gltf->buffers[number];
    uint32_t value = gltf->buffer_list.values[number], uri = grz_json_member(&gltf->json, value, "uri");
    grz_name raw = grz_json_raw(&gltf->json, uri);
    if (raw.size > 5 && memcmp(raw.text, "data:", 5) == 0)
        return take_data_uri(gltf, number, raw);
    if (grz_json_kind_of(&gltf->json, uri) == GRZ_JSON_STRING)
        return take_file(gltf, number, uri);
    if (number == 0 && gltf->chunk != NULL)
    {
        buffer->bytes = gltf->chunk;
        buffer->size = gltf->chunk_size;
        return GRAZE_STATUS_OK;
    }
    uint32_t extensions = grz_json_member(&gltf->json, value, "extensions");
    if (grz_json_count(&gltf->json, extensions) > 0)
        return grz_fail(gltf->reader, GRAZE_STATUS_UNSUPPORTED,
                        "buffer %lu holds no bytes but those of the extension %s, which is not supported",
                        (unsigned long)number,
                        grz_quote_word(grz_json_raw(&gltf->json, grz_json_first(&gltf->json, extensions))).text);
    return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT,
                    "buffer %lu has no bytes: no URI, and the file no binary chunk", (unsigned long)number);
}

static graze_status need_buffer(grz_gltf *gltf, uint64_t number)
{
    if (number >= gltf->buffer_list.count)
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_INDEX, "a view names buffer %llu, but there are %lu",
                        (unsigned long long)number, (unsigned long)gltf->buffer_list.count);
    grz_gltf_buffer *buffer = &gltf->buffers[number];
    if (buffer->bytes != NULL)
        return GRAZE_STATUS_OK;
    graze_status status = fetch(gltf, (uint32_t)number);
    if (status != GRAZE_STATUS_OK)
        return fatal(gltf, status);
    uint64_t announced;
    if (!grz_gltf_count(gltf, gltf->buffer_list.values[number], "byteLength", 0, &announced))
        return fatal(gltf, grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT, "the byteLength of buffer %llu is no count",
                                    (unsigned long long)number));
    if (announced > buffer->size)
        return fatal(gltf, grz_fail(gltf->reader, GRAZE_STATUS_TRUNCATED,
                                    "buffer %llu announces %llu bytes, but there are %llu", (unsigned long long)number,
                                    (unsigned long long)announced, (unsigned long long)buffer->size));
    buffer->size = announced;
    return GRAZE_STATUS_OK;
}

graze_status grz_gltf_view(grz_gltf *gltf, uint64_t view, const char **out_bytes, uint64_t *out_size,
                           uint64_t *out_stride)
{
    if (view >= gltf->view_list.count)
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_INDEX, "an accessor names buffer view %llu, but there are %lu",
                        (unsigned long long)view, (unsigned long)gltf->view_list.count);
    uint32_t value = gltf->view_list.values[view];
    uint64_t number, offset, size, stride;
    if (!grz_gltf_count(gltf, value, "buffer", UINT64_MAX, &number) ||
        !grz_gltf_count(gltf, value, "byteOffset", 0, &offset) ||
        !grz_gltf_count(gltf, value, "byteLength", 0, &size) || !grz_gltf_count(gltf, value, "byteStride", 0, &stride))
        return grz_fail(gltf->reader, GRAZE_STATUS_BAD_FORMAT, "buffer view %llu holds something that is no count",
                        (unsigned long long)view);
    graze_status status = need_buffer(gltf, number);
    if (status != GRAZE_STATUS_OK)
        return status;
    const grz_gltf_buffer *buffer = &gltf->buffers[number];
    if (offset > buffer->size || size > buffer->size - offset)
        return grz_fail(gltf->reader, GRAZE_STATUS_TRUNCATED,
                        "buffer view %llu takes %llu bytes from byte %llu on, but buffer %llu has %llu",
                        (unsigned long long)view, (unsigned long long)size, (unsigned long long)offset,
                        (unsigned long long)number, (unsigned long long)buffer->size);
    *out_bytes = buffer->bytes + offset;
    *out_size = size;
    if (out_stride != NULL)
        *out_stride = stride;
    return GRAZE_STATUS_OK;
}
