/* SPDX-License-Identifier: MIT */
/* How much a command may spend on its answer, and what it did spend: --threads, --budget-ms and --stats. */
#ifndef TOOL_SHELL_EXECUTION_H
#define TOOL_SHELL_EXECUTION_H

#include "graze/pair.h"
#include "graze/tasks.h"
#include "shell/console.h"
#include "shell/json_writer.h"

typedef struct tool_execution
{
    graze_pool *pool;
    graze_context context; /* with the pool's threads, when there are several */
    graze_budget budget;
    uint32_t threads;
} tool_execution;

/* What the options say; texts may be NULL. */
#define THREADS_OPTION                                                                                                 \
    {                                                                                                                  \
        .name = "threads", .value = "N",                                                                               \
        .help = "Work with N threads; 0 means as many as there are processors. Answers and their order do not depend " \
                "on it. Default: 1."                                                                                   \
    }

/* Starts the threads. Says what is wrong and returns the exit code, or 0. */
exit_code execution_open(const tool_console *console, const char *threads, const char *budget_ms,
                         tool_execution *out_execution);
void execution_close(tool_execution *execution);

/* Does `count` tasks, with the context's threads when it has several. */
void run_tasks(const graze_context *context, size_t count, void (*task)(void *argument, size_t index), void *argument);

/* Reads the value of --tolerance: a number from 0. Says what is wrong and returns EXIT_USAGE, or 0. */
exit_code parse_tolerance(const tool_console *console, const char *text, double *out_tolerance);

/* The cost of a query: under the key "stats" of a JSON object. */
void write_stats(json_writer *json, const graze_stats *stats);

#endif
