/* SPDX-License-Identifier: MIT */
/* Text scanner and error messages; see reader.h. */
#include "io/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/flaw.h"
#include "text/number.h"

/* Bytes of a file's name, from its end, that leave room for a message. */
#define NAME_TAIL 96

/* Composes "name<location>: message"; a long name loses its front, and control characters are replaced. */
static void compose(grz_reader *reader, graze_status status, const char *place, const char *format, va_list arguments)
    GRZ_PRINTF(4, 0);

static void compose(grz_reader *reader, graze_status status, const char *place, const char *format, va_list arguments)
{
    char sentence[GRAZE_ERROR_TEXT_SIZE];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    size_t length = strlen(reader->name);
    bool cut = length > NAME_TAIL;
    const char *name = reader->name + (cut ? length - NAME_TAIL : 0);
    while (cut && (*name & 0xc0) == 0x80) /* not in the middle of a UTF-8 character */
        name++;
    grz_error(reader->error, status, "%s%s%s: %s%s%s", cut ? "..." : "", name, place,
              reader->about != NULL ? reader->about : "", reader->about != NULL ? ": " : "", sentence);
    for (char *c = reader->error->text; *c != '\0'; c++)
    {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
}

graze_status grz_fail(grz_reader *reader, graze_status status, const char *format, ...)
{
    if (reader->error != NULL)
    {
        va_list arguments;
        va_start(arguments, format);
        compose(reader, status, "", format, arguments);
        va_end(arguments);
    }
    return status;
}

graze_status grz_fail_here(grz_reader *reader, graze_status status, const char *format, ...)
{
    if (reader->error != NULL)
    {
        char place[40];
        uint64_t offset = (uint64_t)(reader->at - reader->begin);
        snprintf(place, sizeof place, ", %s %llu", reader->binary ? "byte" : "line",
                 (unsigned long long)(reader->binary ? offset : reader->line));
        va_list arguments;
        va_start(arguments, format);
        compose(reader, status, place, format, arguments);
        va_end(arguments);
        if (reader->binary)
            reader->error->byte_offset = offset;
        else
            reader->error->line = reader->line;
    }
    return status;
}

graze_status grz_fail_memory(grz_reader *reader)
{
    return grz_fail(reader, GRAZE_STATUS_OUT_OF_MEMORY, "there is not enough memory to read it");
}

bool grz_read_elements(grz_reader *reader, uint64_t count)
{
    grz_monitor *monitor = reader->monitor;
    if (monitor == NULL)
        return true;
    if (monitor->unchecked_work + count >= GRZ_WORK_PER_CHECK && reader->end > reader->begin)
        grz_monitor_progress(monitor, (double)(reader->at - reader->begin) / (double)(reader->end - reader->begin));
    return grz_monitor_elements(monitor, count);
}

bool grz_read_bytes(grz_reader *reader, double part)
{
    grz_monitor_progress(reader->monitor, part < 1 ? part : 1);
    return grz_monitor_check(reader->monitor);
}

graze_status grz_stopped(grz_reader *reader, graze_status status)
{
    if (grz_monitor_may_continue(reader->monitor))
        return status;
    return grz_fail(reader, grz_monitor_status(reader->monitor), "reading was stopped");
}

graze_status grz_make_mesh(grz_reader *reader, graze_mesh_def *def, graze_error *error, graze_mesh **out_mesh)
{
    def->budget = grz_monitor_budget(reader->monitor);
    graze_status status = graze_mesh_create(reader->context, def, error, out_mesh);
    return grz_monitor_end_step(reader->monitor, status, def->vertex_count + def->corner_count);
}

graze_status grz_set_error_index(grz_reader *reader, graze_status status, uint64_t index)
{
    if (reader->error != NULL)
        reader->error->index = index;
    return status;
}

grz_quote grz_quote_word(grz_name word)
{
    grz_quote quote;
    size_t room = sizeof quote.text - 1, size = word.size;
    bool cut = size > room;
    if (cut)
        size = room - 3;
    for (size_t i = 0; i < size; i++)
        quote.text[i] = word.text[i] > ' ' && word.text[i] < 0x7f ? word.text[i] : '?';
    memcpy(quote.text + size, cut ? "..." : "", cut ? 4 : 1);
    return quote;
}

/* Skips the line end at the cursor. */
static void step_over_newline(grz_reader *reader)
{
    bool carriage_return = *reader->at++ == '\r';
    if (carriage_return && reader->at < reader->end && *reader->at == '\n')
        reader->at++;
    reader->line++;
}

void grz_next_line(grz_reader *reader)
{
    while (!grz_at_line_end(reader))
        reader->at++;
    if (reader->at < reader->end)
        step_over_newline(reader);
}

bool grz_skip_space(grz_reader *reader)
{
    for (;;)
    {
        grz_skip_blanks(reader);
        if (reader->at == reader->end)
            return false;
        if (!grz_is_newline(*reader->at))
            return true;
        step_over_newline(reader);
        if (!grz_read_elements(reader, 1))
            return false;
    }
}

bool grz_skip_empty_lines(grz_reader *reader, char comment)
{
    while (grz_skip_space(reader))
    {
        if (comment == '\0' || *reader->at != comment)
            return true;
        grz_next_line(reader);
        if (!grz_read_elements(reader, 1))
            return false;
    }
    return false;
}

grz_name grz_read_word(grz_reader *reader)
{
    grz_skip_blanks(reader);
    grz_name word = {reader->at, 0};
    while (!grz_at_line_end(reader) && !grz_is_blank(*reader->at))
        reader->at++;
    word.size = (size_t)(reader->at - word.text);
    return word;
}

grz_name grz_read_rest_of_line(grz_reader *reader)
{
    grz_skip_blanks(reader);
    grz_name rest = {reader->at, 0};
    while (!grz_at_line_end(reader))
        reader->at++;
    rest.size = (size_t)(reader->at - rest.text);
    while (rest.size > 0 && grz_is_blank(rest.text[rest.size - 1]))
        rest.size--;
    return rest;
}

bool grz_word_is(grz_name word, const char *keyword)
{
    size_t i = 0;
    for (; i < word.size && keyword[i] != '\0'; i++)
    {
        char c = word.text[i];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != keyword[i])
            return false;
    }
    return i == word.size && keyword[i] == '\0';
}

/* Whether the file ends within this word and a number might have continued: "-", "1e", "2.5e-". */
static bool is_cut_number(const grz_reader *reader, grz_name word)
{
    char longer[40];
    if (word.text + word.size != reader->end || word.size + 1 > sizeof longer)
        return false;
    memcpy(longer, word.text, word.size);
    longer[word.size] = '0';
    double value;
    return grz_number_read(longer, longer + word.size + 1, &value) == longer + word.size + 1;
}

/* Reports that the word at `start` is not what was expected. */
static graze_status fail_number(grz_reader *reader, const char *start, const char *what)
{
    reader->at = start;
    grz_name word = grz_read_word(reader);
    if (word.size == 0 && reader->at == reader->end)
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends where %s should be", what);
    if (word.size == 0)
        return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "the line ends where %s should be", what);
    if (is_cut_number(reader, word))
        return grz_fail_here(reader, GRAZE_STATUS_TRUNCATED, "the file ends in the middle of %s", what);
    return grz_fail_here(reader, GRAZE_STATUS_BAD_FORMAT, "\"%s\" stands where %s should be", grz_quote_word(word).text,
                         what);
}

/* In OBJ a backslash may continue the line; elsewhere it starts the next word, where none is expected. */
static bool ends_word(const grz_reader *reader, const char *at)
{
    return at == reader->end || grz_is_blank(*at) || grz_is_newline(*at) || *at == '\\';
}

graze_status grz_read_coordinate(grz_reader *reader, double *out_value)
{
    grz_skip_blanks(reader);
    const char *start = reader->at;
    double value = 0.0;
    int64_t place;
    const char *after = grz_decimal_read(start, reader->end, &value, &place);
    if (after == NULL || !ends_word(reader, after))
        return fail_number(reader, start, "a coordinate");
    grz_builder_note_place(&reader->builder, place);
    if (!isfinite(value) && reader->lenient)
    {
        if (!grz_flaw_vertex(reader))
            return grz_fail_memory(reader);
        value = 0.0;
    }
    if (!isfinite(value))
    {
        grz_name word = {start, (size_t)(after - start)};
        return grz_fail_here(reader, GRAZE_STATUS_NOT_FINITE, "the coordinate \"%s\" is not a finite double",
                             grz_quote_word(word).text);
    }
    reader->at = after;
    *out_value = value;
    return GRAZE_STATUS_OK;
}

graze_status grz_read_integer(grz_reader *reader, const char *what, int64_t *out_value)
{
    grz_skip_blanks(reader);
    const char *start = reader->at;
    const char *after = grz_integer_read(start, reader->end, out_value);
    if (after == NULL || !ends_word(reader, after))
        return fail_number(reader, start, what);
    reader->at = after;
    return GRAZE_STATUS_OK;
}

graze_status grz_add_corner(grz_reader *reader, int64_t vertex, uint64_t vertex_count)
{
    grz_builder *builder = &reader->builder;
    if (!grz_read_elements(reader, 1))
        return grz_stopped(reader, GRAZE_STATUS_OK);
    if (vertex >= 0 && (uint64_t)vertex < vertex_count)
        return grz_builder_add_corner(builder, (uint32_t)vertex) ? GRAZE_STATUS_OK : grz_fail_memory(reader);
    grz_fail_here(reader, GRAZE_STATUS_BAD_INDEX,
                  "face corner %zu names vertex %lld, but there are %llu, counted from 0",
                  grz_builder_open_corner_count(builder) + 1, (long long)vertex, (unsigned long long)vertex_count);
    return grz_set_error_index(reader, GRAZE_STATUS_BAD_INDEX, builder->face_count);
}

graze_status grz_end_face(grz_reader *reader)
{
    grz_builder *builder = &reader->builder;
    size_t corner_count = grz_builder_open_corner_count(builder);
    if (corner_count < 3 && reader->lenient && !grz_flaw_face(reader, GRAZE_STATUS_TOO_FEW_CORNERS))
        return grz_fail_memory(reader);
    if (corner_count >= 3 || reader->lenient)
        return grz_builder_end_face(builder) ? GRAZE_STATUS_OK : grz_fail_memory(reader);
    grz_fail_here(reader, GRAZE_STATUS_TOO_FEW_CORNERS, "the face has %zu corner%s, it needs three", corner_count,
                  corner_count == 1 ? "" : "s");
    return grz_set_error_index(reader, GRAZE_STATUS_TOO_FEW_CORNERS, builder->face_count);
}
