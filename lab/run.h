/* SPDX-License-Identifier: MIT */
/*
 * Running workloads: making the case, asking for agreement, then for time, engine by engine.
 */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include "report.h"

typedef struct lab_options
{
    bool quick;
    double seconds;    /* that a pass of a slow engine may take; 0: 1.5, or 0.2 when quick */
    const char *peers; /* names and patterns with commas between; "none"; "all"; "contenders"; NULL: the contenders when
                          quick, otherwise all */
} lab_options;

/* Whether a text fits a pattern in which * stands for anything. */
bool lab_matches(const char *pattern, const char *text);

/* Whether a name fits one of several patterns with commas between. */
bool lab_is_among(const char *patterns, const char *name);

/* How long a pass may take, in nanoseconds. */
double lab_pass_budget(const lab_options *options);

/* Runs those questions of a workload and prints their tables; false, after saying so, when something failed. */
bool lab_run_workload(const lab_workload *workload, unsigned questions, const lab_options *options, lab_report *report);

/* The workload's name with its question. */
void lab_workload_name(const lab_workload *workload, lab_question question, char out_name[96]);

#endif
