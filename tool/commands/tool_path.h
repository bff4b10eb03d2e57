/* SPDX-License-Identifier: MIT */
/* graze sweep PART --tool TOOL --moves FILE: gouges of a tool path. */
#ifndef TOOL_COMMANDS_TOOL_PATH_H
#define TOOL_COMMANDS_TOOL_PATH_H

#include "shell/command.h"

/* The words of the command line; NULL: not given. */
typedef struct tool_path_words
{
    const char *part, *tool, *moves, *units, *rapids, *chord_error, *threshold, *budget;
    const char *json; /* a path, or "-" */
    bool tip, surface;
} tool_path_words;

exit_code tool_path_run(const tool_console *console, const tool_path_words *words);

#endif
