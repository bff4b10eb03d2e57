/* SPDX-License-Identifier: MIT */
/* From parts and rules to findings: which pairs come into question, what each of them is, in any number of threads. */
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
    clash_parts *owner; /* of the parts, which adds trees where they are needed; NULL: parts are as they should be */
    const clash_rules *rules;
    const clash_interest *interest;           /* of scene files; NULL: none */
    bool regions;                             /* make what parts that cross share, for a page to show */
    bool self;                                /* look for parts that cross themselves */
    const volatile sig_atomic_t *interrupted; /* not 0: end with what is known */
    void (*progress)(void *user, uint64_t done, uint64_t all);
    void *progress_user;
} clash_request;

/* Counts what is possible, ignored, culled and to be tested, and looks at some of it to say how many seconds all will
 * take in one thread: estimated. */
exit_code clash_estimate(const clash_request *request, clash_report *report, double *out_seconds);

/* Finds everything; the report's counts, findings, ignored and problems are filled. Release in any case. */
exit_code clash_find(const clash_request *request, clash_report *report);
void clash_report_release(clash_report *report);

#endif
