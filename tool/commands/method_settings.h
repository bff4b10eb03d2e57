/* SPDX-License-Identifier: MIT */
/* The option --method-options of graze check and graze path: parameters of a method's bodies and queries. */
#ifndef TOOL_COMMANDS_METHOD_SETTINGS_H
#define TOOL_COMMANDS_METHOD_SETTINGS_H

#include "graze/method.h"
#include "shell/command.h"
#include "shell/console.h"

#define METHOD_OPTIONS_HELP                                                                                            \
    "Parameters of --method, as name=value,...: leaf, axis, point, candidates, degree, build, tumbling, order, "       \
    "depth, samples, seed, probability, checks, edges, vertices, flags (docs/methods.md). tumbling is of the second "  \
    "file, "                                                                                                           \
    "leaf of both."

typedef struct method_settings
{
    graze_method_parameters parameters; /* without flying */
    graze_traversal_order order;
} method_settings;

/* Reads name=value,... of a method, by its name; NULL means the defaults. Prints an error that names what there is and
   returns EXIT_USAGE, or returns 0. */
exit_code method_settings_read(const tool_console *console, const char *method, const char *text, method_settings *out);

#endif
