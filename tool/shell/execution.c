/* SPDX-License-Identifier: MIT */
/* Threads, time budgets and query statistics; see execution.h. */
#include "shell/execution.h"

#include "shell/parse_numbers.h"

static exit_code open_pool(const tool_console *console, const char *text, tool_execution *execution)
{
    uint64_t count = 1;
    if (text != NULL && (!parse_count(text, &count) || count > 1024))
        return report_error(console, EXIT_USAGE, "--threads takes a number of threads from 0 to 1024, not '%s'", text);
    execution->threads = (uint32_t)count;
    if (count == 1)
        return 0;
    graze_status status = graze_pool_create(NULL, (uint32_t)count, &execution->pool);
    if (status != GRAZE_STATUS_OK)
        return report_error(console, exit_code_of(status), "no %s threads: %s", text, graze_status_text(status));
    execution->context.tasks = graze_pool_tasks(execution->pool);
    execution->threads = execution->context.tasks.concurrency;
    return 0;
}

exit_code execution_open(const tool_console *console, const char *threads, const char *budget_ms,
                         tool_execution *out_execution)
{
    *out_execution = (tool_execution){.context = graze_context_default()};
    if (budget_ms != NULL)
    {
        char fault[FAULT_SIZE];
        double milliseconds = 0;
        size_t count = 0;
        if (!parse_numbers(budget_ms, &milliseconds, 1, &count, fault) || count != 1 || !(milliseconds > 0))
            return report_error(console, EXIT_USAGE, "--budget-ms takes a number of milliseconds above 0, not '%s'",
                                budget_ms);
        out_execution->budget.seconds = milliseconds / 1000;
        if (!(out_execution->budget.seconds > 0)) /* underflow of the division */
            out_execution->budget.seconds = 1e-9;
    }
    return open_pool(console, threads, out_execution);
}

void execution_close(tool_execution *execution)
{
    graze_pool_destroy(execution->pool);
    execution->pool = NULL;
}

void run_tasks(const graze_context *context, size_t count, void (*task)(void *argument, size_t index), void *argument)
{
    if (context->tasks.run != NULL && context->tasks.concurrency > 1)
        context->tasks.run(context->tasks.user, count, task, argument);
    else
        for (size_t i = 0; i < count; i++)
            task(argument, i);
}

exit_code parse_tolerance(const tool_console *console, const char *text, double *out_tolerance)
{
    char fault[FAULT_SIZE];
    double number = 0;
    size_t count = 0;
    if (!parse_numbers(text, &number, 1, &count, fault) || count != 1 || number < 0)
        return report_error(console, EXIT_USAGE, "--tolerance takes a finite distance, 0 or more, not '%s'", text);
    *out_tolerance = number;
    return 0;
}

void write_stats(grz_json_writer *json, const graze_stats *stats)
{
    grz_json_put_key(json, "stats");
    grz_json_open(json, GRZ_JSON_SHORT_OBJECT);
    grz_json_put_key(json, "box_tests");
    grz_json_put_count(json, stats->box_tests);
    grz_json_put_key(json, "leaf_pairs");
    grz_json_put_count(json, stats->leaf_pairs);
    grz_json_put_key(json, "triangle_tests");
    grz_json_put_count(json, stats->triangle_tests);
    grz_json_put_key(json, "exact_signs");
    grz_json_put_count(json, stats->exact_signs);
    grz_json_close(json);
}
