/* SPDX-License-Identifier: MIT */
/* Writes JSON as it goes, so that a list of millions costs neither memory nor time.
 * Numbers read back to the same double; what is not finite becomes null, and what is not UTF-8 becomes U+FFFD. */
#ifndef TOOL_SHELL_JSON_WRITER_H
#define TOOL_SHELL_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum
{
    JSON_DEPTH_LIMIT = 8
};

typedef enum json_kind
{
    JSON_OBJECT,       /* in one line */
    JSON_OBJECT_LINES, /* a member a line */
    JSON_ARRAY,
    JSON_ARRAY_LINES
} json_kind;

typedef struct json_writer
{
    FILE *out;
    int depth;
    json_kind kinds[JSON_DEPTH_LIMIT];
    bool filled[JSON_DEPTH_LIMIT];
    bool after_key;
} json_writer;

json_writer json_start(FILE *out);
void json_open(json_writer *writer, json_kind kind);

/* Closes what was opened last; the outermost with a newline. */
void json_close(json_writer *writer);

/* The key of the value that follows. */
void json_key(json_writer *writer, const char *key);

void json_text(json_writer *writer, const char *text);
void json_bool(json_writer *writer, bool value);
void json_null(json_writer *writer);
void json_count(json_writer *writer, uint64_t count);
void json_real(json_writer *writer, double number);
void json_reals(json_writer *writer, const double *numbers, size_t count);

/* The length of the UTF-8 character at `at` (RFC 3629: no overlong forms, no surrogates), or 0 if there is none. */
size_t utf8_length(const unsigned char *at);

/* Writes a double in the fewest digits (15 to 17) that read back to it; needs 32 bytes. */
void print_real(char text[32], double number);

/* Members of an object; a text that is NULL becomes null. */
void json_member_count(json_writer *json, const char *key, uint64_t count);
void json_member_text(json_writer *json, const char *key, const char *text);

#endif
