/* SPDX-License-Identifier: MIT */
/* The option --method of graze check and graze path: methods of the literature by name, and their counters. */
#ifndef TOOL_COMMANDS_METHOD_OPTION_H
#define TOOL_COMMANDS_METHOD_OPTION_H

#include "commands/method_settings.h"
#include "graze/method.h"
#include "shell/command.h"
#include "shell/console.h"
#include "text/json_writer.h"

/* The help of the option. */
#define METHOD_HELP                                                                                                    \
    "Answer by a method of the literature instead of the default engine, for study: kdop-18, rapid, sphere-tree and "  \
    "others (docs/methods.md). Meshes only, and only whether they collide."

/* The method of a name; NULL for no name. Prints an error with all names and returns EXIT_USAGE, or returns 0. */
exit_code method_find(const tool_console *console, const char *name, const graze_method_info **out_method);

/* The body of a file's mesh; the flying one is the second, and is tumbled. Prints an error and returns the exit code,
 * or returns 0. */
exit_code method_prepare(const tool_console *console, const graze_context *context, const graze_method_info *method,
                         const method_settings *settings, bool flying, const char *file, const graze_mesh *mesh,
                         graze_method_body **out_body);

const char *method_guarantee_name(const graze_method_info *method);

/* Adds the cost of a query to a sum. */
void method_add_counters(graze_method_counters *sum, const graze_method_counters *more);

/* The member "stats" of the open JSON object, or lines of text with those that are not 0. */
void method_write_counters(grz_json_writer *json, const graze_method_counters *all);
void method_say_counters(const graze_method_counters *all);

#endif
