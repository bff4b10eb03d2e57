/* SPDX-License-Identifier: MIT */
/* Reads zip archives with stored entries by their directory, checking all that they say twice. Include after cmocka. */
#ifndef TESTS_CLASH_ZIP_READER_H
#define TESTS_CLASH_ZIP_READER_H

#include <string.h>

#include "clash/zip.h"

typedef struct zip_entry
{
    char name[128];
    const char *bytes;
    size_t size;
} zip_entry;

static inline uint32_t zip_number(const char *at, int size)
{
    uint32_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint32_t)(unsigned char)at[i] << (8 * i);
    return value;
}

/* Returns how many entries there are. */
static inline size_t zip_read(const char *bytes, size_t size, zip_entry *entries, size_t capacity)
{
    assert_true(size >= 22);
    const char *end = bytes + size - 22;
    assert_int_equal(zip_number(end, 4), 0x06054b50);
    size_t count = zip_number(end + 10, 2), offset = zip_number(end + 16, 4), expected = 0;
    assert_int_equal(zip_number(end + 8, 2), count);
    assert_int_equal(offset + zip_number(end + 12, 4) + 22, size);
    assert_true(count <= capacity);
    const char *at = bytes + offset;
    for (size_t i = 0; i < count; i++)
    {
        assert_int_equal(zip_number(at, 4), 0x02014b50);
        size_t name_size = zip_number(at + 28, 2), begin = zip_number(at + 42, 4);
        const char *local = bytes + begin;
        assert_int_equal(begin, expected); /* no gaps */
        assert_true(name_size < sizeof entries[i].name);
        assert_int_equal(zip_number(local, 4), 0x04034b50);
        assert_memory_equal(local + 4, at + 6, 26); /* both headers say the same */
        assert_memory_equal(local + 30, at + 46, name_size);
        memcpy(entries[i].name, local + 30, name_size);
        entries[i].name[name_size] = '\0';
        entries[i].bytes = local + 30 + name_size;
        entries[i].size = zip_number(local + 18, 4);
        assert_int_equal(zip_number(local + 14, 4), grz_crc32(entries[i].bytes, entries[i].size));
        expected = begin + 30 + name_size + entries[i].size;
        at += 46 + name_size;
    }
    assert_int_equal(expected, offset);
    assert_ptr_equal(at, end);
    return count;
}

/* Checks that XML is well-formed: tags are balanced, attributes quoted, references complete; no bytes that XML cannot
 * hold. Enough for documents without comments, CDATA and processing instructions. */
static inline void expect_well_formed(const char *text, size_t size)
{
    static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    char names[16][64];
    int depth = 0;
    size_t elements = 0;
    assert_true(size > sizeof declaration && memcmp(text, declaration, sizeof declaration - 1) == 0);
    for (const char *at = text + sizeof declaration - 1, *end = text + size; at < end;)
    {
        if (*at != '<')
        {
            assert_true((unsigned char)*at >= 0x20 || *at == '\n');
            assert_true(*at != '>' && (depth > 0 || *at == '\n'));
            if (*at++ == '&')
                assert_true(*at == '#' && memchr(at, ';', 6) != NULL);
            continue;
        }
        const char *close = memchr(at, '>', (size_t)(end - at));
        assert_non_null(close);
        bool ends = at[1] == '/', empty = close[-1] == '/';
        size_t name_size = strcspn(at + 1 + ends, " />");
        assert_true(name_size > 0 && name_size < 64 && depth < 16);
        if (ends)
        {
            assert_true(depth-- > 0);
            assert_true(strlen(names[depth]) == name_size && memcmp(names[depth], at + 2, name_size) == 0);
        }
        else
        {
            size_t quotes = 0;
            for (const char *c = at; c < close; c++)
                quotes += *c == '"';
            assert_int_equal(quotes % 2, 0);
            memcpy(names[depth], at + 1, name_size);
            names[depth][name_size] = '\0';
            depth += !empty;
            elements++;
        }
        at = close + 1;
    }
    assert_int_equal(depth, 0);
    assert_true(elements > 0);
}

#endif
