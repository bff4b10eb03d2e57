/* SPDX-License-Identifier: MIT */
/*
 * Parallel for of clash detection: every task runs in the default floating-point environment, as the calls of
 * graze/clash.h do, whatever the environment of its thread. Bounds of parts are compared throughout, which no error
 * bound could make right where denormals are taken for zero; see docs/environments.md.
 */
#ifndef GRZ_CLASH_PARALLEL_H
#define GRZ_CLASH_PARALLEL_H

#include "base/environment.h"
#include "base/tasks.h"

typedef struct grz_clash_task
{
    grz_task_function function;
    void *argument;
} grz_clash_task;

static inline void grz_clash_run_task(void *user, size_t index)
{
    const grz_clash_task *task = user;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    task->function(task->argument, index);
    grz_environment_leave_default(&environment);
}

static inline void grz_clash_parallel_for(const graze_context *context, size_t count, grz_task_function function,
                                          void *argument)
{
    grz_clash_task task = {function, argument};
    grz_parallel_for(context, count, grz_clash_run_task, &task);
}

#endif
