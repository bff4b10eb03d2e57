/* SPDX-License-Identifier: MIT */
/* JSON documents on their way in: text, places in it, and one clear sentence when something is wrong.
 *
 * cJSON takes values apart; the outermost level is walked here, value by value, so that a list of a million objects
 * never stands in memory as a tree. What cJSON lets pass and JSON does not (control characters and zero bytes in
 * strings, bytes that are no UTF-8, a key twice) is refused here. */
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
    char *text;       /* followed by a zero byte */
    size_t size;
    size_t at;      /* where the walk stands */
    exit_code code; /* of the first thing that went wrong */
} json_document;

/* A place in a document, as in objects[3].pose: a key, or without one an index, below another place or none. */
typedef struct json_place
{
    const struct json_place *parent;
    const char *key;
    size_t index;
} json_place;

/* Reads a file and checks that it is text as JSON wants it. Says what is wrong and returns the exit code, or 0. */
exit_code document_open(const tool_console *console, const char *path, json_document *out_document);

/* The same with text that was read already and that a zero byte follows; the document takes it over in any case. */
exit_code document_take(const tool_console *console, const char *path, char *text, size_t size,
                        json_document *out_document);
void document_close(json_document *document);

/* Says what is wrong, and where, and returns false, as all functions below do. */
bool document_refuse(json_document *document, const json_place *place, const char *format, ...) TOOL_PRINTF(3, 4);

/* The same for what is no fault of the document. */
bool document_fail(json_document *document, exit_code code, const char *what);

/* The walk. Expects an opening bracket. */
bool walk_into(json_document *document, char bracket);

/* Goes to the next entry, over the comma before it, or over the closing bracket. */
bool walk_on(json_document *document, char closing_bracket, bool is_first, bool *out_is_there);

/* Takes the value at hand, or the key of a member with the colon behind it; release both with cJSON_Delete. NULL when
 * that fails. */
cJSON *walk_value(json_document *document);
cJSON *walk_key(json_document *document);

/* Expects nothing but blanks up to the end. */
bool walk_out(json_document *document);

/* What follows takes values apart; `place` is that of the value. */

/* Sorts the members of an object by `keys`: items[i] gets the one with keys[i], or NULL. Refuses what is no object,
 * keys that come twice, and unknown ones but for those that begin with "x-" or "comment". */
bool take_members(json_document *document, const json_place *place, const cJSON *object, const char *const *keys,
                  size_t count, const cJSON **items);

/* The place of a key among `keys`, or `count` for one to be passed over. */
bool find_key(json_document *document, const json_place *parent, const char *key, const char *const *keys, size_t count,
              size_t *out_index);

bool take_number(json_document *document, const json_place *place, const cJSON *value, double *out_number);
bool take_numbers(json_document *document, const json_place *place, const cJSON *value, double *numbers, size_t count);

/* A whole number from `least` to 2^53. */
bool take_count(json_document *document, const json_place *place, const cJSON *value, uint64_t least,
                uint64_t *out_count);
bool take_bool(json_document *document, const json_place *place, const cJSON *value, bool *out_value);

/* A text that is not empty. It belongs to the value. */
bool take_text(json_document *document, const json_place *place, const cJSON *value, const char **out_text);

/* One of some words, by its place among them. */
bool take_word(json_document *document, const json_place *place, const cJSON *value, const char *const *words,
               size_t count, size_t *out_index);

bool take_array(json_document *document, const json_place *place, const cJSON *value);

#endif
