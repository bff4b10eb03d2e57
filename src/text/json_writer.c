/* SPDX-License-Identifier: MIT */
/* Streaming JSON writer; see json_writer.h. */
#include "text/json_writer.h"

#include <math.h>
#include <string.h>

#include "text/number.h"
#include "text/utf8.h"

grz_json_writer grz_json_start(grz_sink *out)
{
    return (grz_json_writer){.out = out};
}

grz_json_writer grz_json_continue(grz_sink *out, grz_json_layout outer, int depth)
{
    grz_json_writer writer = {.out = out, .depth = depth};
    writer.kinds[depth - 1] = outer;
    writer.filled[depth - 1] = true;
    return writer;
}

static bool in_lines(const grz_json_writer *writer)
{
    grz_json_layout kind = writer->kinds[writer->depth - 1];
    return kind == GRZ_JSON_LONG_OBJECT || kind == GRZ_JSON_LONG_ARRAY;
}

static void new_line(const grz_json_writer *writer, int depth)
{
    static const char blanks[] = "                                ";
    grz_sink_byte(writer->out, '\n');
    grz_sink_bytes(writer->out, blanks, 2 * (size_t)depth);
}

/* Writes the comma and line break before a member or value. */
static void separate(grz_json_writer *writer)
{
    if (writer->after_key || writer->depth == 0)
    {
        writer->after_key = false;
        return;
    }
    bool *filled = &writer->filled[writer->depth - 1];
    if (*filled)
        grz_sink_byte(writer->out, ',');
    if (in_lines(writer))
        new_line(writer, writer->depth);
    *filled = true;
}

static bool is_array(grz_json_layout kind)
{
    return kind == GRZ_JSON_SHORT_ARRAY || kind == GRZ_JSON_LONG_ARRAY;
}

void grz_json_open(grz_json_writer *writer, grz_json_layout kind)
{
    separate(writer);
    grz_sink_byte(writer->out, is_array(kind) ? '[' : '{');
    writer->kinds[writer->depth] = kind;
    writer->filled[writer->depth] = false;
    writer->depth++;
}

void grz_json_close(grz_json_writer *writer)
{
    bool breaks = in_lines(writer) && writer->filled[writer->depth - 1];
    writer->depth--;
    if (breaks)
        new_line(writer, writer->depth);
    grz_sink_byte(writer->out, is_array(writer->kinds[writer->depth]) ? ']' : '}');
    if (writer->depth == 0)
        grz_sink_byte(writer->out, '\n');
}

/* Number of bytes from here on that need no escaping. */
static size_t plain_run(const unsigned char *at)
{
    size_t size = 0;
    while (at[size] >= 0x20 && at[size] < 0x80 && at[size] != '"' && at[size] != '\\')
        size++;
    return size;
}

static void put_string(grz_sink *out, const char *text)
{
    grz_sink_byte(out, '"');
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';)
    {
        size_t plain = plain_run(at);
        if (plain > 0)
        {
            grz_sink_bytes(out, (const char *)(at), plain);
            at += plain;
            continue;
        }
        size_t length = grz_utf8_length(at);
        if (length == 0)
            grz_sink_text(out, "\xef\xbf\xbd");
        else if (*at == '"' || *at == '\\')
        {
            grz_sink_byte(out, '\\');
            grz_sink_byte(out, (char)*at);
        }
        else if (*at < 0x20)
        {
            static const char digits[] = "0123456789abcdef";
            grz_sink_text(out, "\\u00");
            grz_sink_byte(out, digits[*at >> 4]);
            grz_sink_byte(out, digits[*at & 15]);
        }
        else
            grz_sink_bytes(out, (const char *)(at), length);
        at += length == 0 ? 1 : length;
    }
    grz_sink_byte(out, '"');
}

void grz_json_put_key(grz_json_writer *writer, const char *key)
{
    separate(writer);
    put_string(writer->out, key);
    grz_sink_text(writer->out, in_lines(writer) ? ": " : ":");
    writer->after_key = true;
}

void grz_json_put_text(grz_json_writer *writer, const char *text)
{
    separate(writer);
    put_string(writer->out, text);
}

void grz_json_put_bool(grz_json_writer *writer, bool value)
{
    separate(writer);
    grz_sink_text(writer->out, value ? "true" : "false");
}

void grz_json_put_null(grz_json_writer *writer)
{
    separate(writer);
    grz_sink_text(writer->out, "null");
}

/* Without printf: lists of millions consist of integers. */
void grz_json_put_count(grz_json_writer *writer, uint64_t count)
{
    char digits[20];
    size_t start = sizeof digits;
    do
    {
        digits[--start] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    separate(writer);
    grz_sink_bytes(writer->out, digits + start, sizeof digits - start);
}

void grz_json_put_real(grz_json_writer *writer, double number)
{
    char text[32];
    if (!isfinite(number))
    {
        grz_json_put_null(writer);
        return;
    }
    grz_real_print(number, text);
    separate(writer);
    grz_sink_text(writer->out, text);
}

void grz_json_put_reals(grz_json_writer *writer, const double *numbers, size_t count)
{
    grz_json_open(writer, GRZ_JSON_SHORT_ARRAY);
    for (size_t i = 0; i < count; i++)
        grz_json_put_real(writer, numbers[i]);
    grz_json_close(writer);
}

void grz_json_put_member_count(grz_json_writer *json, const char *key, uint64_t count)
{
    grz_json_put_key(json, key);
    grz_json_put_count(json, count);
}

void grz_json_put_member_text(grz_json_writer *json, const char *key, const char *text)
{
    grz_json_put_key(json, key);
    if (text == NULL)
        grz_json_put_null(json);
    else
        grz_json_put_text(json, text);
}
