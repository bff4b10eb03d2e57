/* SPDX-License-Identifier: MIT */
/* Writing shapes: mesh files by their ending, and shape files in JSON. */
#ifndef TOOL_SHELL_SHAPE_OUTPUT_H
#define TOOL_SHELL_SHAPE_OUTPUT_H

#include "graze/mesh.h"
#include "shell/console.h"
#include "text/json_writer.h"

/* What `path` is to hold: a shape file where it ends in .json or is "-", else a mesh file. Prints an error and returns
 * EXIT_USAGE for other endings, or returns 0. */
exit_code shape_output_check(const tool_console *console, const char *path);

/* Writes a hull: as a mesh, or as {"kind":"hull","points":[...]}. Prints an error and returns the exit code, or returns
 * 0. The path has been checked. */
exit_code shape_output_hull(const tool_console *console, const char *path, const graze_mesh *hull);

/* Writes {"kind":"compound","parts":[{"shape":{"kind":"hull","points":[...]}}, ...]} to a shape file. */
exit_code shape_output_hulls(const tool_console *console, const char *path, const graze_mesh *const *hulls,
                             size_t count);

#endif
