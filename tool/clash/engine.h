/* SPDX-License-Identifier: MIT */
/* From parts and rules to findings: broad phase, separating planes and narrow phase, on any number of threads. */
#ifndef TOOL_CLASH_ENGINE_H
#define TOOL_CLASH_ENGINE_H

#include <signal.h>

#include "clash/interest.h"
#include "clash/parts.h"
#include "clash/report.h"
#include "clash/rules.h"

typedef struct clash_request
{
    const tool_console *console;
    const graze_context *context;
    const clash_part *parts;
    size_t part_count;
    clash_parts *owner; /* owner of the parts, which builds the trees that are needed; NULL: the parts are complete */
    const clash_rules *rules;
    const clash_interest *interest; /* of scene files; NULL: none */
    bool regions;                   /* compute the intersection of crossing parts as geometry, for the report page */
    bool self;                      /* test parts for self-intersection */
    const volatile sig_atomic_t *interrupted; /* not 0: stop with the results so far */
    void (*progress)(void *user, uint64_t done, uint64_t all);
    void *progress_user;
} clash_request;

/* Counts possible, ignored, culled and remaining pairs, and runs a sample of them to estimate the seconds that all take
 * on one thread. */
exit_code clash_estimate(const clash_request *request, clash_report *report, double *out_seconds);

/* Finds all clashes; fills counts, findings, ignored entries and problems of the report. Release in any case. */
exit_code clash_find(const clash_request *request, clash_report *report);
void clash_report_release(clash_report *report);

#endif
