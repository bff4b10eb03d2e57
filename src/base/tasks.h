/* SPDX-License-Identifier: MIT */
/* Parallel for, on the threads of the context; sequential when it has none. */
#ifndef GRZ_BASE_TASKS_H
#define GRZ_BASE_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include "graze/context.h"

typedef void (*grz_task_function)(void *argument, size_t index);

/* How many tasks may run at once; at least 1. */
uint32_t grz_concurrency(const graze_context *context);

/* Calls task(argument, index) for every index below count, in any order, and returns when all are done. */
void grz_parallel_for(const graze_context *context, size_t count, grz_task_function task, void *argument);

/* Hint to the processor that this is a spin-wait loop. */
static inline void grz_cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
