/* SPDX-License-Identifier: MIT */
/*
 * A thread, and a signal to wake it: posting a signal never blocks; one wait takes all posts since the last wait.
 */
#ifndef GRZ_BASE_THREAD_H
#define GRZ_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "graze/context.h"

/* Creates a thread that process signals do not interrupt, with a stack large enough for any query: some systems give
   128 KiB, which is not enough. False when the system gives none. */
bool grz_thread_create(void *(*run)(void *argument), void *argument, pthread_t *out_thread);

typedef struct grz_thread grz_thread;

/* Starts run(argument) in such a thread. NULL when the system gives none or memory is short. */
grz_thread *grz_thread_start(const graze_context *context, void (*run)(void *argument), void *argument);

/* Waits until the thread ends. */
void grz_thread_join(grz_thread *thread);

/* An identifier that no other running thread has. */
uint64_t grz_thread_self(void);

typedef struct grz_signal grz_signal;

grz_signal *grz_signal_create(const graze_context *context);
void grz_signal_destroy(grz_signal *signal);
void grz_signal_post(grz_signal *signal);
void grz_signal_wait(grz_signal *signal);

#endif
