/* SPDX-License-Identifier: MIT */
/* Streaming JSON writer, so that lists of millions need no memory. Doubles read back exactly; numbers that are not
 * finite become null, and invalid UTF-8 becomes U+FFFD. */
#ifndef GRZ_TEXT_JSON_WRITER_H
#define GRZ_TEXT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "text/sink.h"

enum
{
    GRZ_JSON_DEPTH_LIMIT = 16
};

typedef enum grz_json_layout
{
    GRZ_JSON_SHORT_OBJECT, /* on one line */
    GRZ_JSON_LONG_OBJECT,  /* one member per line */
    GRZ_JSON_SHORT_ARRAY,
    GRZ_JSON_LONG_ARRAY
} grz_json_layout;

typedef struct grz_json_writer
{
    grz_sink *out;
    int depth;
    grz_json_layout kinds[GRZ_JSON_DEPTH_LIMIT];
    bool filled[GRZ_JSON_DEPTH_LIMIT];
    bool after_key;
} grz_json_writer;

grz_json_writer grz_json_start(grz_sink *out);

/* Continues a document that another writer began: further members of the innermost open object, which is the
 * `depth`-th and not empty. */
grz_json_writer grz_json_continue(grz_sink *out, grz_json_layout outer, int depth);

void grz_json_open(grz_json_writer *writer, grz_json_layout kind);

/* Closes the innermost open object or array; the outermost is followed by a newline. */
void grz_json_close(grz_json_writer *writer);

/* The key of the value that follows. */
void grz_json_put_key(grz_json_writer *writer, const char *key);

void grz_json_put_text(grz_json_writer *writer, const char *text);
void grz_json_put_bool(grz_json_writer *writer, bool value);
void grz_json_put_null(grz_json_writer *writer);
void grz_json_put_count(grz_json_writer *writer, uint64_t count);
void grz_json_put_real(grz_json_writer *writer, double number);
void grz_json_put_reals(grz_json_writer *writer, const double *numbers, size_t count);

/* Members of an object; a NULL text becomes null. */
void grz_json_put_member_count(grz_json_writer *json, const char *key, uint64_t count);
void grz_json_put_member_text(grz_json_writer *json, const char *key, const char *text);

#endif
