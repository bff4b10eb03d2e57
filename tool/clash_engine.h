/* SPDX-License-Identifier: MIT */
/* From parts and rules to findings: which pairs come into question, what each of them is, in any number of threads. */
#ifndef TOOL_CLASH_ENGINE_H
#define TOOL_CLASH_ENGINE_H

#include <signal.h>

#include "clash.h"
#include "clash_interest.h"
#include "clash_rules.h"

typedef struct clash_request
{
    const tool_console *console;
    const graze_context *context;
    const clash_part *parts;
    size_t part_count;
    const clash_rules *rules;
    const clash_interest *interest;           /* of scene files; NULL: none */
    bool self;                                /* look for parts that cross themselves */
    const volatile sig_atomic_t *interrupted; /* not 0: end with what is known */
    void (*progress)(void *user, uint64_t done, uint64_t all);
    void *progress_user;
} clash_request;

/* Counts what is possible, ignored and culled, without looking at a mesh. */
exit_code clash_count(const clash_request *request, clash_report *report);

/* Finds everything; the report's counts, findings, ignored and problems are filled. Release in any case. */
exit_code clash_find(const clash_request *request, clash_report *report);
void clash_report_release(clash_report *report);

#endif
