/* SPDX-License-Identifier: MIT */
/*
 * Runs workloads: makes the case, checks agreement, then measures time, engine by engine.
 */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include "report.h"

typedef struct lab_options
{
    bool quick;
    double seconds;    /* for a pass of a slow engine; 0: 1.5, or 0.2 if quick */
    const char *peers; /* names and patterns separated by commas; "none"; "all"; "contenders"; NULL: the contenders if
                          quick, otherwise all */
} lab_options;

/* Whether a text matches a pattern in which * matches anything. */
bool lab_matches(const char *pattern, const char *text);

/* Whether a name matches one of several patterns separated by commas. */
bool lab_is_among(const char *patterns, const char *name);

/* The time limit of a pass, in nanoseconds. */
double lab_pass_budget(const lab_options *options);

/* Runs these questions of a workload and prints their tables; prints errors and returns false when something failed. */
bool lab_run_workload(const lab_workload *workload, unsigned questions, const lab_options *options, lab_report *report);

/* The workload's name with its question. */
void lab_workload_name(const lab_workload *workload, lab_question question, char out_name[96]);

#endif
