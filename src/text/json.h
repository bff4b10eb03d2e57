/* SPDX-License-Identifier: MIT */
/*
 * JSON reader: memory from the context, no globals, no recursion, independent of locale and rounding mode, errors with
 * their location. (cJSON allocates through global hooks and writes a global on every parse; jansson and
 * json-c have global hooks as well; see docs/decisions/0010-json-readers.md.)
 *
 * A document is one array of values in the order of the text, 16 bytes each; strings and numbers remain in the text. A
 * container's children follow it; `next` leads from a value to its next sibling. Each member of an object is two
 * values, key and value.
 */
#ifndef GRZ_TEXT_JSON_H
#define GRZ_TEXT_JSON_H

#include "base/array.h"
#include "base/budget_monitor.h"
#include "text/name.h"

typedef enum grz_json_kind
{
    GRZ_JSON_NULL,
    GRZ_JSON_FALSE,
    GRZ_JSON_TRUE,
    GRZ_JSON_NUMBER,
    GRZ_JSON_STRING,
    GRZ_JSON_ARRAY,
    GRZ_JSON_OBJECT
} grz_json_kind;

typedef struct grz_json_value
{
    uint32_t kind;
    uint32_t count; /* bytes of a string (as written) or number, elements of an array, members of an object */
    uint32_t start; /* offset of a string's (after the quote) or number's text */
    uint32_t next;  /* index after this value and all within it */
} grz_json_value;

typedef struct grz_json
{
    const char *text;
    GRZ_ARRAY(grz_json_value) values; /* the first is the document */
} grz_json;

/* No value: the result of a query for something missing; valid as an argument of further queries. */
#define GRZ_JSON_NONE UINT32_MAX

/* What is wrong with a text, and where: something else was expected, or else `what` is a sentence about it. At the end
 * of the text the status is TRUNCATED. */
typedef struct grz_json_fault
{
    const char *at;
    const char *expected, *what;
} grz_json_fault;

/* The text that is parsed, from `at`; after a success `at` is behind the value. */
typedef struct grz_json_input
{
    const graze_context *context;
    const char *begin, *at, *end;
    grz_monitor *monitor; /* NULL: no budget */
    grz_json_fault fault; /* of status BAD_FORMAT or TRUNCATED */
} grz_json_input;

/* Parses one value and the white space before it. The text must outlive the document and be below 4 GiB. Values of an
 * earlier document are overwritten; release them in any case. When the budget stops it, the status is OK or an error,
 * and the monitor tells. */
graze_status grz_json_parse(grz_json_input *input, grz_json *json);

/* The same, with nothing but white space after the value. */
graze_status grz_json_parse_all(grz_json_input *input, grz_json *json);
void grz_json_release(const graze_context *context, grz_json *json);

/* The kind; null for no value. */
grz_json_kind grz_json_kind_of(const grz_json *json, uint32_t value);

/* The member of an object; no value if there is none, or `object` is no object. Of duplicate keys the first counts. */
uint32_t grz_json_member(const grz_json *json, uint32_t object, const char *key);

/* Elements of an array, or members of an object (then the item is the key; add 1 for the value):
 *
 *     for (uint32_t item = grz_json_first(json, array); item != GRZ_JSON_NONE; item = grz_json_next(json, array, item))
 */
uint32_t grz_json_first(const grz_json *json, uint32_t container);
uint32_t grz_json_next(const grz_json *json, uint32_t container, uint32_t item);
uint32_t grz_json_count(const grz_json *json, uint32_t container); /* 0 for everything else */

/* A number to the nearest double, possibly infinite; false if the value is no number. */
bool grz_json_number(const grz_json *json, uint32_t value, double *out_number);

/* An integer from 0 to `largest`; false if it is anything else. */
bool grz_json_index(const grz_json *json, uint32_t value, uint64_t largest, uint64_t *out_number);

/* Whether a value is the string `text`, which must need no escapes. */
bool grz_json_is(const grz_json *json, uint32_t value, const char *text);

/* A string as written, with escapes; empty for other kinds. */
grz_name grz_json_raw(const grz_json *json, uint32_t value);

/* A string decoded to UTF-8, without a zero byte at the end, into room for all bytes of it as written. Returns its
 * size.
 */
size_t grz_json_decode_into(grz_name raw, char *out);

/* A string decoded to UTF-8, appended to `out` without a zero byte at the end; zero bytes become question marks. False
 * when out of memory. */
typedef GRZ_ARRAY(char) grz_text;
bool grz_json_decode(const graze_context *context, const grz_json *json, uint32_t value, grz_text *out);

#endif
