/* SPDX-License-Identifier: MIT */
/*
 * Reading JSON documents: the text, locations in it, and one error message when something is wrong.
 *
 * The outermost level is traversed value by value, so that a list of a million objects is never in memory at once.
 * Bytes that are no UTF-8, zero bytes in strings and duplicate keys are refused, which json.h leaves to its callers.
 */
#ifndef GRZ_TEXT_JSON_DOCUMENT_H
#define GRZ_TEXT_JSON_DOCUMENT_H

#include <stdarg.h>

#include "base/arena.h"
#include "base/error.h"
#include "text/json.h"

enum
{
    GRZ_JSON_MESSAGE_SIZE = 800,
    GRZ_JSON_NESTING_LIMIT = 1000 /* levels of a value; json.h itself has no limit, but callers may recurse */
};

/* A value with its strings decoded. */
typedef struct grz_json_node
{
    grz_json_kind kind;
    uint32_t count;   /* elements of an array, members of an object */
    const char *key;  /* of a member of an object; else NULL */
    const char *text; /* of a string; else NULL */
    double number;    /* of a number, possibly infinite */
    uint32_t at;      /* offset in the text: of the bracket, or the first byte after the quote */
    struct grz_json_node *child, *next;
} grz_json_node;

typedef struct grz_json_document
{
    const graze_context *context;
    const char *text; /* terminated by a zero byte */
    size_t size;
    size_t at; /* position of the traversal */
    graze_status status;
    uint64_t line; /* of an error in the text, from 1; GRAZE_NO_INDEX for others, whose message has a location */
    char message[GRZ_JSON_MESSAGE_SIZE]; /* of the first error */
    grz_json json;
    grz_arena kept, current;   /* values until the end, and until the next one */
    grz_monitor *monitor;      /* of the call; NULL: no budget. Set it after opening */
    const grz_json_node *root; /* the whole document as one value, where it is read so, or NULL. Places begin below it:
                                  errors at a place then have the line of its value */
} grz_json_document;

/* A location in a document, as in objects[3].pose: a key, or without one an index, below a parent or none. */
typedef struct grz_json_place
{
    const struct grz_json_place *parent;
    const char *key;
    size_t index;
} grz_json_place;

/* Starts with a text, which is terminated by a zero byte and outlives the document, and checks strings and UTF-8. Close
 * in any case. All functions below return false, or NULL, after an error, of which the document has status and message.
 */
bool grz_json_document_open(const graze_context *context, const char *text, size_t size,
                            grz_json_document *out_document);
void grz_json_document_close(grz_json_document *document);

/* The text of a value that is an object or array, up to and with its closing bracket. */
grz_name grz_json_source(const grz_json_document *document, const grz_json_node *value);

/* An error at a place, or without one. */
bool grz_json_refuse(grz_json_document *document, const grz_json_place *place, const char *format, ...)
    GRZ_PRINTF(3, 4);
bool grz_json_refuse_list(grz_json_document *document, const grz_json_place *place, const char *format,
                          va_list arguments);

/* The same for errors that are no fault of the document. */
bool grz_json_fail(grz_json_document *document, graze_status status, const char *what);
bool grz_json_fail_memory(grz_json_document *document);

/* The traversal. Expects an opening bracket. */
bool grz_json_walk_into(grz_json_document *document, char bracket);

/* Steps to the next entry, over the comma before it, or over the closing bracket. */
bool grz_json_walk_on(grz_json_document *document, char closing_bracket, bool is_first, bool *out_is_there);

/* Parses the current value, which lives until the next one is parsed, or with `keep` as long as the document. */
const grz_json_node *grz_json_walk_value(grz_json_document *document, bool keep);

/* The key of a member, with the colon after it; lives as long as the document. */
const char *grz_json_walk_key(grz_json_document *document);

/* Expects only blanks up to the end. */
bool grz_json_walk_out(grz_json_document *document);

/* The member of an object, or NULL. Of duplicate keys the first counts. */
const grz_json_node *grz_json_find_member(const grz_json_node *object, const char *key);

/* The functions below read values; `place` is the location of the value. */

/* Assigns the members of an object by `keys`: items[i] gets the one with keys[i], or NULL. Refuses values that are no
 * object, duplicate keys, and unknown keys except those that begin with "x-" or "comment". */
bool grz_json_take_members(grz_json_document *document, const grz_json_place *place, const grz_json_node *object,
                           const char *const *keys, size_t count, const grz_json_node **items);

/* The index of a key among `keys`, or `count` for a key to ignore. */
bool grz_json_find_key(grz_json_document *document, const grz_json_place *parent, const char *key,
                       const char *const *keys, size_t count, size_t *out_index);

bool grz_json_take_number(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                          double *out_number);
bool grz_json_take_numbers(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                           double *numbers, size_t count);

/* An integer from `least` to 2^53. */
bool grz_json_take_count(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                         uint64_t least, uint64_t *out_count);
bool grz_json_take_bool(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                        bool *out_value);

/* A string that is not empty. It belongs to the value. */
bool grz_json_take_text(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                        const char **out_text);

/* One of several words, by its index. */
bool grz_json_take_word(grz_json_document *document, const grz_json_place *place, const grz_json_node *value,
                        const char *const *words, size_t count, size_t *out_index);

bool grz_json_take_array(grz_json_document *document, const grz_json_place *place, const grz_json_node *value);

#endif
