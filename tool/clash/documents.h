/* SPDX-License-Identifier: MIT */
/* Files of rules and the baseline of graze clash, and patterns of its command line. */
#ifndef TOOL_CLASH_DOCUMENTS_H
#define TOOL_CLASH_DOCUMENTS_H

#include "graze/clash.h"
#include "scene/inputs.h"
#include "shell/command.h"

/* Reads all rules that an option names, which may be none: then *out_rules is NULL. Prints an error and returns the
 * exit code, or returns 0. */
exit_code clash_read_rules(const tool_request *request, size_t option, graze_clash_rules **out_rules);

/* The same for a baseline, by its path. */
exit_code clash_read_baseline(const tool_console *console, const char *path, graze_clash_baseline **out_baseline);

/* Warns when the pattern of an option, which may be NULL, matches no part. False when out of memory. */
bool clash_warn_unmatched(const graze_clash_report *report, const char *option, const char *pattern,
                          input_warnings *warnings);

#endif
