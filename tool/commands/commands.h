/* SPDX-License-Identifier: MIT */
/* The subcommands, each in the file of its name (help.c and manual.c: help_command). */
#ifndef TOOL_COMMANDS_COMMANDS_H
#define TOOL_COMMANDS_COMMANDS_H

#include "shell/command.h"

extern const tool_command check_command;
extern const tool_command path_command;
extern const tool_command sweep_command;
extern const tool_command clash_command;
extern const tool_command view_command;
extern const tool_command scene_command;
extern const tool_command info_command;
extern const tool_command tree_command;
extern const tool_command make_command;
extern const tool_command hull_command;
extern const tool_command decompose_command;
extern const tool_command verify_command;
extern const tool_command help_command;

#endif
