/* SPDX-License-Identifier: MIT */
/*
 * An earlier JSON report as the measure of a new one: which findings are new, known or worse, and which are gone. They
 * are told apart by their ids.
 *
 * Worse is what certainly is: a stronger verdict (duplicate, contains, crosses, touches, too_close, in this order); for
 * the same verdict, a depth that is now above the whole interval of then, a gap below it, or a set of duplicates with
 * more parts. Intervals that overlap prove nothing, so that a bound that merely became tighter fails nobody.
 */
#ifndef TOOL_CLASH_BASELINE_H
#define TOOL_CLASH_BASELINE_H

#include "clash/report.h"

typedef struct clash_baseline clash_baseline;

/* Reads a report. Says what is wrong and returns the exit code, or 0. The caller releases *out_baseline, which is NULL
 * on failure. */
exit_code clash_baseline_load(const tool_console *console, const char *path, clash_baseline **out_baseline);
void clash_baseline_release(clash_baseline *baseline);

/* Whether the run that it tells of was complete; if not, what seems new may be old. */
bool clash_baseline_is_complete(const clash_baseline *baseline);

/* Sets the state of all findings that are not approved, and what the report says of its baseline; texts of the report
 * then belong to the baseline. The caller frees report->resolved. False when memory ends. */
bool clash_baseline_apply(const clash_baseline *baseline, clash_report *report);

#endif
