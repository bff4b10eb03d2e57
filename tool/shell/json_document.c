/* SPDX-License-Identifier: MIT */
/* Reading JSON documents: checks of the text, errors with their location, traversal of the outermost level; see
 * json_document.h. */
#include "shell/json_document.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "shell/json_writer.h"
#include "shell/line_reader.h"
#include "shell/load.h"

bool document_fail(json_document *document, exit_code code, const char *what)
{
    document->code = report_error(document->console, code, "%s: %s", display_name(document->path), what);
    return false;
}

static size_t put_place(char *text, size_t size, const json_place *place)
{
    size_t used = place->parent != NULL ? put_place(text, size, place->parent) : 0;
    if (used + 1 >= size)
        return used;
    int more = place->key == NULL ? snprintf(text + used, size - used, "[%zu]", place->index)
                                  : snprintf(text + used, size - used, "%s%s", used > 0 ? "." : "", place->key);
    return more > 0 && used + (size_t)more < size ? used + (size_t)more : size - 1;
}

bool document_refuse(json_document *document, const json_place *place, const char *format, ...)
{
    char where[256] = "", what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (place != NULL)
        put_place(where, sizeof where, place);
    document->code = report_error(document->console, EXIT_INPUT, "%s: %s%s%s", display_name(document->path), where,
                                  where[0] != '\0' ? ": " : "", what);
    return false;
}

/* Reports an error in the text, with line and column (in characters) of the byte at `at`. */
static bool refuse_text(json_document *document, size_t at, const char *what)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < document->size; i++)
    {
        unsigned char byte = (unsigned char)document->text[i];
        if (byte == '\n')
        {
            line++;
            column = 1;
        }
        else
            column += (byte & 0xc0) != 0x80; /* the first byte of a character */
    }
    document->code = report_error(document->console, EXIT_INPUT, "%s, line %zu, column %zu: %s",
                                  display_name(document->path), line, column, what);
    return false;
}

static bool refuse_byte(json_document *document, size_t at, const char *expected)
{
    char what[128];
    unsigned char byte = at < document->size ? (unsigned char)document->text[at] : 0;
    if (at >= document->size)
        snprintf(what, sizeof what, "expected %s, but the text ends here", expected);
    else if (byte > 0x20 && byte < 0x7f)
        snprintf(what, sizeof what, "expected %s, not '%c'", expected, byte);
    else
        snprintf(what, sizeof what, "expected %s", expected);
    return refuse_text(document, at, what);
}

/* Checks strings and UTF-8; the rest of the grammar is checked by the traversal and by cJSON. */
static bool check_text(json_document *document)
{
    const unsigned char *text = (const unsigned char *)document->text;
    bool in_string = false;
    size_t start = 0; /* of the current string */
    for (size_t i = 0; i < document->size;)
    {
        size_t length = utf8_length(text + i);
        if (length == 0)
            return refuse_text(document, i, "this byte is no UTF-8");
        if (text[i] == '\0')
            return refuse_text(document, i, "there is a zero byte, so this is no text");
        if (in_string && text[i] < 0x20)
            return refuse_text(document, i, "a string must not contain line ends or control characters");
        if (in_string && text[i] == '\\' && strncmp(document->text + i, "\\u0000", 6) == 0)
            return refuse_text(document, i, "a string must not contain zero bytes");
        if (text[i] == '"')
        {
            in_string = !in_string;
            start = i;
        }
        i += in_string && text[i] == '\\' && text[i + 1] != '\0' ? 2 : length;
    }
    return !in_string || refuse_text(document, start, "this string has no end");
}

static bool read_text(json_document *document)
{
    bool is_input = strcmp(document->path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(document->path, "rb");
    if (file == NULL)
        return document_fail(document, EXIT_INPUT, strerror(errno));
    errno = 0;
    document->text = read_stream(file, &document->size);
    int reason = ferror(file) ? errno : 0;
    if (!is_input)
        fclose(file);
    if (reason != 0)
        return document_fail(document, EXIT_INPUT, strerror(reason));
    if (document->text == NULL)
        return document_fail(document, EXIT_INTERNAL, "out of memory");
    if (document->size == 0)
        return document_fail(document, EXIT_INPUT, "there is nothing in it");
    return true;
}

static exit_code check_document(json_document *document)
{
    if (strncmp(document->text, "\xef\xbb\xbf", 3) == 0)
        document->at = 3;
    check_text(document);
    return document->code;
}

exit_code document_open(const tool_console *console, const char *path, json_document *out_document)
{
    *out_document = (json_document){.console = console, .path = path};
    return read_text(out_document) ? check_document(out_document) : out_document->code;
}

exit_code document_take(const tool_console *console, const char *path, char *text, size_t size,
                        json_document *out_document)
{
    *out_document = (json_document){.console = console, .path = path, .text = text, .size = size};
    return check_document(out_document);
}

void document_close(json_document *document)
{
    free(document->text);
    document->text = NULL;
}

static void skip_blanks(json_document *document)
{
    document->at += strspn(document->text + document->at, " \t\r\n");
}

bool walk_into(json_document *document, char bracket)
{
    skip_blanks(document);
    if (document->text[document->at] != bracket)
        return refuse_byte(document, document->at, bracket == '{' ? "'{'" : "'['");
    document->at++;
    return true;
}

bool walk_on(json_document *document, char closing_bracket, bool is_first, bool *out_is_there)
{
    skip_blanks(document);
    char byte = document->text[document->at];
    *out_is_there = byte != closing_bracket;
    if (byte == closing_bracket)
    {
        document->at++;
        return true;
    }
    if (is_first)
        return true;
    if (byte != ',')
        return refuse_byte(document, document->at, closing_bracket == '}' ? "',' or '}'" : "',' or ']'");
    document->at++;
    return true;
}

/* Whether the text nests deeper than cJSON reads. */
static bool is_too_deep(const char *text, size_t size)
{
    size_t depth = 0, deepest = 0;
    bool in_string = false;
    for (size_t i = 0; i < size; i++)
    {
        if (text[i] == '"')
            in_string = !in_string;
        else if (in_string)
            i += text[i] == '\\';
        else if (text[i] == '{' || text[i] == '[')
            depth++;
        else if ((text[i] == '}' || text[i] == ']') && depth > 0)
            depth--;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest > CJSON_NESTING_LIMIT;
}

/* Reports the error in a value that begins at `first` and that cJSON could not parse beyond `at`. */
static void refuse_value(json_document *document, size_t first, size_t at)
{
    char what[64];
    size_t size = at < document->size ? at + 1 - first : document->size - first;
    if (is_too_deep(document->text + first, size))
    {
        snprintf(what, sizeof what, "this is nested too deep: at most %d levels are read", CJSON_NESTING_LIMIT);
        refuse_text(document, at, what);
    }
    else if (at + 1 >= document->size) /* cJSON reports no position beyond the text */
        refuse_text(document, document->size, "the text ends within a value");
    else
        refuse_byte(document, at, "something else here");
}

cJSON *walk_value(json_document *document)
{
    skip_blanks(document);
    const char *start = document->text + document->at, *end = NULL;
    if (*start == '\0' || strchr("{[\"-0123456789tfn", *start) == NULL)
    {
        refuse_byte(document, document->at, "a value");
        return NULL;
    }
    errno = 0;
    cJSON *value = cJSON_ParseWithLengthOpts(start, document->size - document->at, &end, 0);
    if (value == NULL && errno == ENOMEM)
        document_fail(document, EXIT_INTERNAL, "out of memory");
    else if (value == NULL)
        refuse_value(document, document->at, (size_t)(end - document->text));
    else
        document->at = (size_t)(end - document->text);
    return value;
}

cJSON *walk_key(json_document *document)
{
    skip_blanks(document);
    if (document->text[document->at] != '"')
    {
        refuse_byte(document, document->at, "a key in quotes");
        return NULL;
    }
    cJSON *key = walk_value(document);
    skip_blanks(document);
    if (key != NULL && document->text[document->at] != ':')
    {
        refuse_byte(document, document->at, "':'");
        cJSON_Delete(key);
        key = NULL;
    }
    document->at += key != NULL;
    return key;
}

bool walk_out(json_document *document)
{
    skip_blanks(document);
    return document->at == document->size || refuse_byte(document, document->at, "the end");
}
