/* SPDX-License-Identifier: MIT */
/* graze info: meshes (info.c) and shapes (info_shape.c). */
#ifndef TOOL_COMMANDS_INFO_H
#define TOOL_COMMANDS_INFO_H

#include "graze/shape.h"
#include "shell/console.h"
#include "text/json_writer.h"

/* Describes the shape of a file, as a JSON object or as text. */
void info_write_shape(grz_json_writer *json, const char *path, const graze_shape *shape);
void info_say_shape(const tool_console *console, const char *path, const graze_shape *shape);

#endif
