/* SPDX-License-Identifier: MIT */
/* A document into a file or to standard output, with every way it can fail. */
#ifndef TOOL_SHELL_OUTPUT_H
#define TOOL_SHELL_OUTPUT_H

#include "shell/console.h"

/* Writes a whole document. False when memory ends. */
typedef bool (*output_writer)(const void *user, FILE *out);

/* Into a file; "-" is standard output. Says what is wrong and returns the exit code, or 0. */
exit_code output_write(const tool_console *console, const char *path, output_writer write, const void *user);

#endif
