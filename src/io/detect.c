/* SPDX-License-Identifier: MIT */
/*
 * Format detection; see detect.h. The content decides where it can, since names are unreliable: binary STL is
 * recognised by its size (its header may begin with "solid"), text formats by their first word. OBJ has no signature,
 * only statements. Text that begins with a brace is a shape where its object has a key "kind",
 * else glTF.
 */
#include "io/detect.h"

#include <string.h>

enum
{
    STL_HEADER_SIZE = 84,
    STL_TRIANGLE_SIZE = 50,
    LOOK_SIZE = 256 /* bytes that are tested for text or binary */
};

static bool ends_with(const char *name, size_t size, const char *ending)
{
    size_t ending_size = strlen(ending);
    return size > ending_size && grz_word_is((grz_name){name + size - ending_size, ending_size}, ending);
}

bool grz_name_says_gzip(const char *path)
{
    return ends_with(path, strlen(path), ".gz");
}

graze_format graze_format_from_name(const char *path)
{
    if (path == NULL)
        return GRAZE_FORMAT_AUTO;
    size_t size = strlen(path);
    if (grz_name_says_gzip(path))
        size -= 3;
    if (ends_with(path, size, ".stl"))
        return GRAZE_FORMAT_STL_BINARY;
    if (ends_with(path, size, ".obj"))
        return GRAZE_FORMAT_OBJ;
    if (ends_with(path, size, ".ply"))
        return GRAZE_FORMAT_PLY_LITTLE_ENDIAN;
    if (ends_with(path, size, ".off"))
        return GRAZE_FORMAT_OFF;
    if (ends_with(path, size, ".gltf"))
        return GRAZE_FORMAT_GLTF;
    if (ends_with(path, size, ".glb"))
        return GRAZE_FORMAT_GLB;
    return GRAZE_FORMAT_AUTO;
}

/* Whether the size matches the count in the header of a binary STL. */
static bool has_binary_stl_size(const grz_reader *reader)
{
    uint64_t size = (uint64_t)(reader->end - reader->begin);
    if (size < STL_HEADER_SIZE)
        return false;
    const unsigned char *count = (const unsigned char *)reader->begin + STL_HEADER_SIZE - 4;
    uint64_t triangle_count =
        (uint64_t)count[0] | (uint64_t)count[1] << 8 | (uint64_t)count[2] << 16 | (uint64_t)count[3] << 24;
    return size == STL_HEADER_SIZE + triangle_count * STL_TRIANGLE_SIZE;
}

/* Whether the first bytes hold only characters of text. */
static bool looks_like_text(const grz_reader *reader)
{
    for (size_t i = 0; i < LOOK_SIZE && i < (size_t)(reader->end - reader->begin); i++)
    {
        unsigned char c = (unsigned char)reader->begin[i];
        if (c < ' ' && !grz_is_blank((char)c) && !grz_is_newline((char)c))
            return false;
    }
    return true;
}

/* Recognises formats that are not supported, for a better message. */
static const char *known_unsupported(const grz_reader *reader)
{
    static const struct
    {
        const char *magic;
        size_t size;
        const char *sentence;
    } strangers[] = {
        {"PK\x03\x04", 4, "this is a zip archive; unpack it first"},
        {"BZh", 3, "this is packed with bzip2; unpack it first"},
        {"\xfd"
         "7zXZ",
         5, "this is packed with xz; unpack it first"},
        {"\x28\xb5\x2f\xfd", 4, "this is packed with zstd; unpack it first"},
        {"\xff\xfe", 2, "this is UTF-16 text; save it as ASCII or UTF-8"},
        {"\xfe\xff", 2, "this is UTF-16 text; save it as ASCII or UTF-8"},
        {"\x1f\x8b", 2, "this is packed with gzip twice; unpack it first"},
    };
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
    {
        if ((size_t)(reader->end - reader->begin) >= strangers[i].size &&
            memcmp(reader->begin, strangers[i].magic, strangers[i].size) == 0)
            return strangers[i].sentence;
    }
    return NULL;
}

/* The end of the string that begins at the quote. */
static const char *end_of_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at;
}

/* Whether the object at the cursor has a key "kind"; "asset", which glTF must have, ends the search. */
static bool has_kind(const grz_reader *reader)
{
    static const char kind[] = "\"kind\"", asset[] = "\"asset\"";
    size_t depth = 0;
    for (const char *at = reader->at; at < reader->end; at++)
    {
        if (*at == '{' || *at == '[')
            depth++;
        else if ((*at == '}' || *at == ']') && --depth == 0)
            return false;
        else if (*at == '"')
        {
            const char *start = at;
            grz_reader after = *reader;
            at = end_of_string(at, reader->end);
            after.at = at < reader->end ? at + 1 : at;
            if (depth != 1 || !grz_skip_space(&after) || *after.at != ':')
                continue;
            size_t size = (size_t)(at - start) + 1;
            if (size == sizeof asset - 1 && memcmp(start, asset, size) == 0)
                return false;
            if (size == sizeof kind - 1 && memcmp(start, kind, size) == 0)
                return true;
        }
    }
    return false;
}

/* By the first word outside comments; AUTO if it is unknown. Does not move the cursor. */
static graze_format format_from_first_word(const grz_reader *reader)
{
    grz_reader scout = *reader;
    bool plain;
    if (!grz_skip_empty_lines(&scout, '#'))
        return GRAZE_FORMAT_AUTO;
    if (*scout.at == '{')
        return has_kind(&scout) ? GRAZE_FORMAT_SHAPE : GRAZE_FORMAT_GLTF;
    grz_name word = grz_read_word(&scout);
    if (grz_word_is(word, "ply"))
        return GRAZE_FORMAT_PLY_ASCII;
    if (grz_is_off_keyword(word, &plain))
        return GRAZE_FORMAT_OFF;
    if (grz_word_is(word, "solid") && looks_like_text(reader))
        return GRAZE_FORMAT_STL_ASCII;
    if (grz_is_obj_keyword(word) && looks_like_text(reader))
        return GRAZE_FORMAT_OBJ;
    return GRAZE_FORMAT_AUTO;
}

graze_status grz_detect(grz_reader *reader, graze_format *out_format)
{
    if (has_binary_stl_size(reader))
    {
        *out_format = GRAZE_FORMAT_STL_BINARY;
        return GRAZE_STATUS_OK;
    }
    if (reader->end - reader->begin >= 4 && memcmp(reader->begin, "glTF", 4) == 0)
    {
        *out_format = GRAZE_FORMAT_GLB;
        return GRAZE_STATUS_OK;
    }
    const char *sentence = known_unsupported(reader);
    if (sentence != NULL)
        return grz_fail(reader, GRAZE_STATUS_UNSUPPORTED, "%s", sentence);
    graze_format format = format_from_first_word(reader);
    if (format == GRAZE_FORMAT_AUTO)
        format = graze_format_from_name(reader->name);
    if (format == GRAZE_FORMAT_AUTO)
        return grz_fail(reader, GRAZE_STATUS_BAD_FORMAT,
                        "neither its content nor its name tell whether it is STL, OBJ, PLY, OFF or glTF");
    if (format == GRAZE_FORMAT_STL_BINARY && looks_like_text(reader))
        return grz_fail(reader, GRAZE_STATUS_BAD_FORMAT,
                        "this is no STL: as text it would begin with \"solid\", and it is not binary either");
    *out_format = format;
    return GRAZE_STATUS_OK;
}
