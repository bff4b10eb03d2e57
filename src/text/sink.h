/* SPDX-License-Identifier: MIT */
/*
 * Output of text: bytes go to a function of the caller, at once or through a buffer. After a write that failed nothing
 * more is written.
 */
#ifndef GRZ_TEXT_SINK_H
#define GRZ_TEXT_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct grz_sink
{
    bool (*write)(void *user, const char *bytes, size_t size); /* false: it failed */
    void *user;
    char *buffer; /* NULL: none */
    size_t capacity, used;
    bool failed;
} grz_sink;

enum
{
    GRZ_SINK_BUFFER = 4096
};

/* A sink with a buffer, whose end grz_sink_flush writes. */
grz_sink grz_sink_buffered(bool (*write)(void *user, const char *bytes, size_t size), void *user,
                           char buffer[GRZ_SINK_BUFFER]);

/* Writes what is in the buffer. Returns whether no write failed. */
bool grz_sink_flush(grz_sink *sink);

void grz_sink_bytes(grz_sink *sink, const char *bytes, size_t size);
void grz_sink_text(grz_sink *sink, const char *text);
void grz_sink_byte(grz_sink *sink, char byte);

/* Formats up to 511 bytes; longer texts are cut. */
void grz_sink_format(grz_sink *sink, const char *format, ...) GRZ_PRINTF(2, 3);

#endif
