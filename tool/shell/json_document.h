/* SPDX-License-Identifier: MIT */
/* Reading JSON documents: the text, locations in it, and one error message when something is wrong.
 *
 * cJSON parses values; the outermost level is traversed here, value by value, so that a list of a million objects is
 * never in memory as a tree. What cJSON accepts and JSON forbids (control characters and zero bytes in strings, invalid
 * UTF-8) and duplicate keys are refused here. Why not the reader of src/io: docs/decisions/0010-json-readers.md. */
#ifndef TOOL_SHELL_JSON_DOCUMENT_H
#define TOOL_SHELL_JSON_DOCUMENT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "shell/console.h"

typedef struct json_document
{
    const tool_console *console;
    const char *path; /* of the file, "-" for standard input */
    char *text;       /* terminated by a zero byte */
    size_t size;
    size_t at;      /* position of the traversal */
    exit_code code; /* of the first error */
} json_document;

/* A location in a document, as in objects[3].pose: a key, or without one an index, below a parent or none. */
typedef struct json_place
{
    const struct json_place *parent;
    const char *key;
    size_t index;
} json_place;

/* Reads a file and checks strings and UTF-8. Prints an error and returns the exit code, or returns 0. */
exit_code document_open(const tool_console *console, const char *path, json_document *out_document);

/* The same with text already in memory and terminated by a zero byte; the document takes ownership in any case. */
exit_code document_take(const tool_console *console, const char *path, char *text, size_t size,
                        json_document *out_document);
void document_close(json_document *document);

/* Prints an error with its location and returns false, as do all functions below. */
bool document_refuse(json_document *document, const json_place *place, const char *format, ...) TOOL_PRINTF(3, 4);

/* The same for errors that are no fault of the document. */
bool document_fail(json_document *document, exit_code code, const char *what);

/* The traversal. Expects an opening bracket. */
bool walk_into(json_document *document, char bracket);

/* Steps to the next entry, over the comma before it, or over the closing bracket. */
bool walk_on(json_document *document, char closing_bracket, bool is_first, bool *out_is_there);

/* Parses the current value, or the key of a member with the colon after it; release both with cJSON_Delete. NULL on
 * failure. */
cJSON *walk_value(json_document *document);
cJSON *walk_key(json_document *document);

/* Expects only blanks up to the end. */
bool walk_out(json_document *document);

/* The functions below read values; `place` is the location of the value. */

/* Assigns the members of an object by `keys`: items[i] gets the one with keys[i], or NULL. Refuses values that are no
 * object, duplicate keys, and unknown keys except those that begin with "x-" or "comment". */
bool take_members(json_document *document, const json_place *place, const cJSON *object, const char *const *keys,
                  size_t count, const cJSON **items);

/* The index of a key among `keys`, or `count` for a key to ignore. */
bool find_key(json_document *document, const json_place *parent, const char *key, const char *const *keys, size_t count,
              size_t *out_index);

bool take_number(json_document *document, const json_place *place, const cJSON *value, double *out_number);
bool take_numbers(json_document *document, const json_place *place, const cJSON *value, double *numbers, size_t count);

/* An integer from `least` to 2^53. */
bool take_count(json_document *document, const json_place *place, const cJSON *value, uint64_t least,
                uint64_t *out_count);
bool take_bool(json_document *document, const json_place *place, const cJSON *value, bool *out_value);

/* A string that is not empty. It belongs to the value. */
bool take_text(json_document *document, const json_place *place, const cJSON *value, const char **out_text);

/* One of several words, by its index. */
bool take_word(json_document *document, const json_place *place, const cJSON *value, const char *const *words,
               size_t count, size_t *out_index);

bool take_array(json_document *document, const json_place *place, const cJSON *value);

#endif
