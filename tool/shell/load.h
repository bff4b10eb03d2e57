/* SPDX-License-Identifier: MIT */
/* Loading mesh files, with an error message on failure. */
#ifndef TOOL_SHELL_LOAD_H
#define TOOL_SHELL_LOAD_H

#include "graze/io.h"
#include "graze/tree.h"
#include "shell/console.h"

/* How much of a file is read, on stderr if that is a terminal, once reading takes longer than half a second. */
typedef struct read_progress
{
    uint64_t next; /* by clock_now */
    bool shows, showed;
} read_progress;

read_progress read_progress_start(void);

/* The budget that shows it, for a call that reads; without limits. */
graze_budget read_progress_budget(read_progress *progress);
void read_progress_end(read_progress *progress);

/* Reads a mesh file; "-" is standard input. Prints an error and returns the exit code, or returns 0. */
exit_code load_model(const tool_console *console, const char *path, graze_model **out_model);

/* Builds the tree of a model's mesh, which keeps the context; prints errors likewise. */
exit_code build_tree(const tool_console *console, const graze_context *context, const graze_model *model,
                     graze_tree **out_tree);

/* Reads a stream to its end and appends a zero byte; the caller frees it. NULL when out of memory; ferror tells whether
 * reading failed. */
char *read_stream(FILE *file, size_t *out_size);

/* The same for standard input; NULL on failure, with the message in `error`. */
char *read_standard_input(size_t *out_size, graze_error *error);

/* The name of a format in messages. */
const char *format_name(graze_format format);

#endif
