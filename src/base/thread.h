/* SPDX-License-Identifier: MIT */
/*
 * A thread of one's own, and a signal to wake it with: posting a signal never waits; waiting for it takes all posts
 * since the last wait at once.
 */
#ifndef GRZ_BASE_THREAD_H
#define GRZ_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "graze/context.h"

/* A thread that signals to the process do not interrupt, with room on its stack for any query: some systems give 128
   KiB, which is not enough. False when the system gives none. */
bool grz_thread_create(void *(*run)(void *argument), void *argument, pthread_t *out_thread);

typedef struct grz_thread grz_thread;

/* Starts run(argument) in such a thread. NULL when the system gives none, or there is no memory. */
grz_thread *grz_thread_start(const graze_context *context, void (*run)(void *argument), void *argument);

/* Waits for its end. */
void grz_thread_join(grz_thread *thread);

/* A number that tells the calling thread from all others that run. */
uint64_t grz_thread_self(void);

typedef struct grz_signal grz_signal;

grz_signal *grz_signal_create(const graze_context *context);
void grz_signal_destroy(grz_signal *signal);
void grz_signal_post(grz_signal *signal);
void grz_signal_wait(grz_signal *signal);

#endif
