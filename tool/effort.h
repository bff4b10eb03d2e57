/* SPDX-License-Identifier: MIT */
/* How much a command may spend on its answer, and what it did spend: --threads, --budget-ms and --stats. */
#ifndef TOOL_EFFORT_H
#define TOOL_EFFORT_H

#include "console.h"
#include "graze/pair.h"
#include "graze/tasks.h"
#include "json.h"

typedef struct tool_effort
{
    graze_pool *pool;
    graze_context context; /* with the pool's threads, when there are several */
    graze_budget budget;
    uint32_t threads;
} tool_effort;

/* What the options say; texts may be NULL. */
#define EFFORT_THREADS_OPTION                                                                                          \
    {                                                                                                                  \
        .name = "threads", .value = "N",                                                                               \
        .help = "Work with N threads; 0 means as many as there are processors. Answers and their order do not depend " \
                "on it. Default: 1."                                                                                   \
    }

/* Starts the threads. Says what is wrong and returns the exit code, or 0. */
exit_code effort_open(const tool_console *console, const char *threads, const char *budget_ms, tool_effort *out_effort);
void effort_close(tool_effort *effort);

/* Does `count` tasks, with the context's threads when it has several. */
void run_tasks(const graze_context *context, size_t count, void (*task)(void *argument, size_t index), void *argument);

/* Reads the value of --tolerance: a number from 0. Says what is wrong and returns EXIT_USAGE, or 0. */
exit_code parse_tolerance(const tool_console *console, const char *text, double *out_tolerance);

/* The cost of a query: under the key "stats" of a JSON object. */
void write_stats(json_writer *json, const graze_stats *stats);

#endif
