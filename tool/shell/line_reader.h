/* SPDX-License-Identifier: MIT */
/* Text files line by line, without comments. A line is held in a buffer of fixed size, so that no file can ask for
 * much memory before it has shown that it is what it should be. */
#ifndef TOOL_SHELL_LINE_READER_H
#define TOOL_SHELL_LINE_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum
{
    LINE_SIZE = 32768, /* 24 numbers of more than 1000 digits each */
    LINE_FAULT_SIZE = 400
};

typedef enum line_state
{
    LINE_READ,
    LINE_END,
    LINE_FAULT /* not readable, too long, or binary: `fault` says so */
} line_state;

typedef struct line_reader
{
    const char *path;
    FILE *file;
    uint64_t number; /* of the line at hand, from 1 */
    char text[LINE_SIZE];
    char fault[LINE_FAULT_SIZE];
} line_reader;

/* Opens a file; "-" is standard input. False when that fails: `fault` says why. */
bool lines_open(line_reader *reader, const char *path);
void lines_close(line_reader *reader);

/* Reads the next line into `text`, up to its end or to a #. A byte order mark at the very beginning is dropped. */
line_state lines_next(line_reader *reader);

/* The name for messages: "-" is called standard input. */
const char *display_name(const char *path);

#endif
