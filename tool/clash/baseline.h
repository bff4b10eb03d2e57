/* SPDX-License-Identifier: MIT */
/*
 * Comparison with an earlier JSON report: which findings are new, known or worse, and which are resolved. Findings are
 * identified by their ids.
 *
 * Worse means certainly worse: a stronger verdict (duplicate, contains, crosses, touches, too_close, in this order);
 * for the same verdict, a depth interval above the earlier one, a gap interval below it, or a set of duplicates with
 * more parts. Overlapping intervals prove nothing, so that a tighter bound alone fails no run.
 */
#ifndef TOOL_CLASH_BASELINE_H
#define TOOL_CLASH_BASELINE_H

#include "clash/report.h"

typedef struct clash_baseline clash_baseline;

/* Reads a report. Prints an error and returns the exit code, or returns 0. The caller releases *out_baseline, which is
 * NULL on failure. */
exit_code clash_baseline_load(const tool_console *console, const char *path, clash_baseline **out_baseline);
void clash_baseline_release(clash_baseline *baseline);

/* Whether the earlier run was complete; if not, findings that seem new may be old. */
bool clash_baseline_is_complete(const clash_baseline *baseline);

/* Sets the state of all findings that are not approved, and what the report states about its baseline; texts of the
 * report then belong to the baseline. The caller frees report->resolved. False when out of memory. */
bool clash_baseline_apply(const clash_baseline *baseline, clash_report *report);

#endif
