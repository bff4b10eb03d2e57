/* SPDX-License-Identifier: MIT */
/* Mesh files on their way in, with one clear sentence when that fails. */
#ifndef TOOL_SHELL_LOAD_H
#define TOOL_SHELL_LOAD_H

#include "graze/io.h"
#include "graze/tree.h"
#include "shell/console.h"

/* Reads a mesh file; "-" is standard input. Says what is wrong and returns the exit code, or 0. */
exit_code load_model(const tool_console *console, const char *path, graze_model **out_model);

/* Builds the tree of a model's mesh, which keeps the context; returns an exit code likewise. */
exit_code build_tree(const tool_console *console, const graze_context *context, const graze_model *model,
                     graze_tree **out_tree);

/* All bytes that a stream still gives, with a zero byte after them, to be freed; NULL when memory ends. Whether reading
 * failed, ferror tells. */
char *read_stream(FILE *file, size_t *out_size);

/* The same of standard input, to be freed; NULL when that fails, and `error` says why. */
char *read_standard_input(size_t *out_size, graze_error *error);

/* What the format is called. */
const char *format_name(graze_format format);

#endif
