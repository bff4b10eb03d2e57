/* SPDX-License-Identifier: MIT */
/* Options shared by commands that run queries: --threads, --budget-ms and --stats. */
#ifndef TOOL_SHELL_EXECUTION_H
#define TOOL_SHELL_EXECUTION_H

#include "graze/pair.h"
#include "graze/tasks.h"
#include "shell/console.h"
#include "text/json_writer.h"

typedef struct tool_execution
{
    graze_pool *pool;
    graze_context context; /* runs tasks in the pool, if there are several threads */
    graze_budget budget;
    uint32_t threads;
} tool_execution;

/* The option --threads, for the tables of commands that have it. */
#define THREADS_OPTION                                                                                                 \
    {                                                                                                                  \
        .name = "threads", .value = "N",                                                                               \
        .help = "Work with N threads; 0 means as many as there are processors. Answers and their order do not depend " \
                "on it. Default: 1."                                                                                   \
    }

/* Parses both texts (NULL: not given) and starts the threads. Prints an error and returns the exit code, or returns
 * 0. */
exit_code execution_open(const tool_console *console, const char *threads, const char *budget_ms,
                         tool_execution *out_execution);
void execution_close(tool_execution *execution);

/* Runs `count` tasks, in parallel if the context has several threads. */
void run_tasks(const graze_context *context, size_t count, void (*task)(void *argument, size_t index), void *argument);

/* Parses the value of --tolerance, a number of at least 0. Prints an error and returns EXIT_USAGE, or returns 0. */
exit_code parse_tolerance(const tool_console *console, const char *text, double *out_tolerance);

/* Writes the statistics of a query as member "stats" of the open JSON object. */
void write_stats(grz_json_writer *json, const graze_stats *stats);

#endif
