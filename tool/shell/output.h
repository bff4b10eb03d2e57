/* SPDX-License-Identifier: MIT */
/* Writes a document to a file or to standard output, with all errors checked. */
#ifndef TOOL_SHELL_OUTPUT_H
#define TOOL_SHELL_OUTPUT_H

#include "shell/console.h"

/* Writes a whole document. Returns false when out of memory. */
typedef bool (*output_writer)(const void *user, FILE *out);

/* Writes to a file; "-" is standard output. Prints an error and returns the exit code, or returns 0. */
exit_code output_write(const tool_console *console, const char *path, output_writer write, const void *user);

#endif
