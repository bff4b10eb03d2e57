/* SPDX-License-Identifier: MIT */
/* graze sweep PART --tool TOOL --moves FILE: gouges of a tool path. */
#ifndef TOOL_COMMANDS_TOOL_PATH_H
#define TOOL_COMMANDS_TOOL_PATH_H

#include "scene/cutting_tool.h"
#include "scene/gcode.h"
#include "shell/command.h"

/* The words of the command line; NULL: not given. */
typedef struct tool_path_words
{
    const char *part, *tool, *moves, *units, *rapids, *chord_error, *threshold, *budget;
    const char *json; /* a path, or "-" */
    const char *html; /* a path */
    bool tip, surface;
} tool_path_words;

exit_code tool_path_run(const tool_console *console, const tool_path_words *words);

/* What is shown of a tool path that was checked. */
typedef struct tool_path_answer
{
    const tool_path_words *words;
    const graze_mesh *part;
    bool closed;
    const cutting_tool *tool;
    const gcode_program *program;
    const graze_gouge *gouges; /* by move */
    const size_t *counts;      /* of moves, by verdict */
} tool_path_answer;

/* Writes a page with part, tool and gouges on a slider of time, a unit for each move; `user` is a tool_path_answer.
 * Needs the viewer (page/viewer_page.h). False when out of memory. */
bool tool_path_write_page(const void *user, FILE *out);

#endif
