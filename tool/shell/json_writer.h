/* SPDX-License-Identifier: MIT */
/* Streaming JSON writer, so that lists of millions need no memory. Doubles read back exactly; numbers that are not
 * finite become null, and invalid UTF-8 becomes U+FFFD. */
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
    JSON_OBJECT,       /* on one line */
    JSON_OBJECT_LINES, /* one member per line */
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

/* Closes the innermost open object or array; the outermost is followed by a newline. */
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

/* Writes a double with the fewest digits (15 to 17) that read back exactly; needs 32 bytes. */
void print_real(char text[32], double number);

/* Members of an object; a NULL text becomes null. */
void json_member_count(json_writer *json, const char *key, uint64_t count);
void json_member_text(json_writer *json, const char *key, const char *text);

#endif
