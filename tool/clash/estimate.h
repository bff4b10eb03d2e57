/* SPDX-License-Identifier: MIT */
/* What graze clash --dry-run writes: parts, counts of pairs, and the estimated time. */
#ifndef TOOL_CLASH_ESTIMATE_H
#define TOOL_CLASH_ESTIMATE_H

#include "clash/output.h"

typedef struct clash_estimate
{
    const graze_clash_report *report; /* of graze_clash_estimate */
    double seconds;                   /* to check, on all threads */
    double seconds_reading;
    unsigned threads;
} clash_estimate;

/* As text for people. */
void clash_write_estimate_text(const clash_estimate *estimate, FILE *out);

/* As JSON (docs/clash-report.md) to a file; "-" is standard output. Prints an error and returns the exit code, or
 * returns 0. */
exit_code clash_write_estimate_json(const tool_console *console, const char *path, const clash_estimate *estimate);

#endif
