/* SPDX-License-Identifier: MIT */
/* Reads text files line by line, without comments. The line buffer has a fixed size, so that no file can claim much
 * memory before its content is checked. */
#ifndef TOOL_SHELL_LINE_READER_H
#define TOOL_SHELL_LINE_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum
{
    LINE_SIZE = 32768, /* room for 24 numbers of more than 1000 digits each */
    LINE_FAULT_SIZE = 400
};

typedef enum line_state
{
    LINE_READ,
    LINE_END,
    LINE_FAULT /* not readable, too long, or binary: `fault` has the message */
} line_state;

typedef struct line_reader
{
    const char *path;
    FILE *file;
    uint64_t number; /* of the current line, from 1 */
    char text[LINE_SIZE];
    char fault[LINE_FAULT_SIZE];
} line_reader;

/* Opens a file; "-" is standard input. On failure returns false, and `fault` has the message. */
bool lines_open(line_reader *reader, const char *path);
void lines_close(line_reader *reader);

/* Reads the next line into `text`, up to its end or a #. A byte order mark at the start of the file is dropped. */
line_state lines_next(line_reader *reader);

/* The name in messages: "standard input" for "-". */
const char *display_name(const char *path);

#endif
