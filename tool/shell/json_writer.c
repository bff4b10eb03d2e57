/* SPDX-License-Identifier: MIT */
/* Streaming JSON writer; see json_writer.h. */
#include "shell/json_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_writer json_start(FILE *out)
{
    return (json_writer){.out = out};
}

static bool in_lines(const json_writer *writer)
{
    json_kind kind = writer->kinds[writer->depth - 1];
    return kind == JSON_OBJECT_LINES || kind == JSON_ARRAY_LINES;
}

static void new_line(const json_writer *writer, int depth)
{
    fprintf(writer->out, "\n%*s", 2 * depth, "");
}

/* Writes the comma and line break before a member or value. */
static void separate(json_writer *writer)
{
    if (writer->after_key || writer->depth == 0)
    {
        writer->after_key = false;
        return;
    }
    bool *filled = &writer->filled[writer->depth - 1];
    if (*filled)
        putc(',', writer->out);
    if (in_lines(writer))
        new_line(writer, writer->depth);
    *filled = true;
}

static bool is_array(json_kind kind)
{
    return kind == JSON_ARRAY || kind == JSON_ARRAY_LINES;
}

void json_open(json_writer *writer, json_kind kind)
{
    separate(writer);
    putc(is_array(kind) ? '[' : '{', writer->out);
    writer->kinds[writer->depth] = kind;
    writer->filled[writer->depth] = false;
    writer->depth++;
}

void json_close(json_writer *writer)
{
    bool breaks = in_lines(writer) && writer->filled[writer->depth - 1];
    writer->depth--;
    if (breaks)
        new_line(writer, writer->depth);
    putc(is_array(writer->kinds[writer->depth]) ? ']' : '}', writer->out);
    if (writer->depth == 0)
        putc('\n', writer->out);
}

size_t utf8_length(const unsigned char *at)
{
    unsigned char lead = at[0], low = 0x80, high = 0xbf;
    size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (lead == 0xe0)
        low = 0xa0;
    else if (lead == 0xed)
        high = 0x9f;
    else if (lead == 0xf0)
        low = 0x90;
    else if (lead == 0xf4)
        high = 0x8f;
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
        if (at[i] < low || at[i] > high)
            return 0;
    return length;
}

/* Number of bytes from here on that need no escaping. */
static size_t plain_run(const unsigned char *at)
{
    size_t size = 0;
    while (at[size] >= 0x20 && at[size] < 0x80 && at[size] != '"' && at[size] != '\\')
        size++;
    return size;
}

static void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';)
    {
        size_t plain = plain_run(at);
        if (plain > 0)
        {
            fwrite(at, 1, plain, out);
            at += plain;
            continue;
        }
        size_t length = utf8_length(at);
        if (length == 0)
            fputs("\xef\xbf\xbd", out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(out, "\\u%04x", *at);
        else
            fwrite(at, 1, length, out);
        at += length == 0 ? 1 : length;
    }
    putc('"', out);
}

void json_key(json_writer *writer, const char *key)
{
    separate(writer);
    put_string(writer->out, key);
    fputs(in_lines(writer) ? ": " : ":", writer->out);
    writer->after_key = true;
}

void json_text(json_writer *writer, const char *text)
{
    separate(writer);
    put_string(writer->out, text);
}

void json_bool(json_writer *writer, bool value)
{
    separate(writer);
    fputs(value ? "true" : "false", writer->out);
}

void json_null(json_writer *writer)
{
    separate(writer);
    fputs("null", writer->out);
}

/* Without printf: lists of millions consist of integers. */
void json_count(json_writer *writer, uint64_t count)
{
    char digits[20];
    size_t start = sizeof digits;
    do
    {
        digits[--start] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    separate(writer);
    fwrite(digits + start, 1, sizeof digits - start, writer->out);
}

void print_real(char text[32], double number)
{
    for (int digits = 15; digits <= 17; digits++)
    {
        snprintf(text, 32, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    if (number == 0.0 && signbit(number))
        snprintf(text, 32, "-0.0"); /* "-0" would be read as an integer, which has no negative zero */
}

void json_real(json_writer *writer, double number)
{
    char text[32];
    if (!isfinite(number))
    {
        json_null(writer);
        return;
    }
    print_real(text, number);
    separate(writer);
    fputs(text, writer->out);
}

void json_reals(json_writer *writer, const double *numbers, size_t count)
{
    json_open(writer, JSON_ARRAY);
    for (size_t i = 0; i < count; i++)
        json_real(writer, numbers[i]);
    json_close(writer);
}

void json_member_count(json_writer *json, const char *key, uint64_t count)
{
    json_key(json, key);
    json_count(json, count);
}

void json_member_text(json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    if (text == NULL)
        json_null(json);
    else
        json_text(json, text);
}
