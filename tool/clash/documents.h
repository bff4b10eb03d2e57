/* SPDX-License-Identifier: MIT */
/* What graze clash reads besides meshes: rules, the baseline, patterns and words of its command line; and which files
 * its inputs are. */
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

/* Reads the patterns of an option that repeats. Prints an error and returns the exit code, or returns 0. */
exit_code clash_read_patterns(const tool_request *request, size_t option, const char *out_patterns[REPEAT_LIMIT],
                              size_t *out_count);

/* "any", "new" or "worse"; false for other words. */
bool clash_fail_on_named(const char *word, graze_clash_fail_on *out_fail_on);

/* The files of the inputs for reports, on request with hashes, which take time. The caller frees the list. Prints an
 * error and returns the exit code, or returns 0. */
exit_code clash_note_files(const tool_console *console, const tool_inputs *inputs, bool hashes,
                           graze_clash_input **out_files, size_t *out_count);

/* Adds problems of the inputs and warnings to a report. False when out of memory. */
bool clash_add_problems(const tool_inputs *inputs, const input_warnings *warnings, graze_clash_report *report);

#endif
