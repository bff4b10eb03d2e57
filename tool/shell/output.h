/* SPDX-License-Identifier: MIT */
/* Writes a document to a file or to standard output, with all errors checked. */
#ifndef TOOL_SHELL_OUTPUT_H
#define TOOL_SHELL_OUTPUT_H

#include "shell/console.h"
#include "text/sink.h"

/* Writes a whole document. Returns false when out of memory. */
typedef bool (*output_writer)(const void *user, FILE *out);

/* Writes to a file; "-" is standard output. Prints an error and returns the exit code, or returns 0. */
exit_code output_write(const tool_console *console, const char *path, output_writer write, const void *user);

/* Writes to a file, which is the user pointer. */
bool write_to_file(void *user, const char *bytes, size_t size);

/* A sink without a buffer of its own, so that it may be mixed with stdio. Errors stay with the file. */
grz_sink file_sink(FILE *file);

#endif
