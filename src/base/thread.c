/* SPDX-License-Identifier: MIT */
/* Threads and signals by POSIX; see thread.h. */
#define _POSIX_C_SOURCE 200809L
#include "base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

#include "base/memory.h"

#define STACK_BYTES ((size_t)1 << 20)

bool grz_thread_create(void *(*run)(void *argument), void *argument, pthread_t *out_thread)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    size_t stack = 0;
    if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < STACK_BYTES)
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(out_thread, &attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failure == 0;
}

struct grz_thread
{
    graze_context context;
    pthread_t thread;
    void (*run)(void *argument);
    void *argument;
};

static void *start(void *argument)
{
    grz_thread *thread = argument;
    thread->run(thread->argument);
    return NULL;
}

grz_thread *grz_thread_start(const graze_context *context, void (*run)(void *argument), void *argument)
{
    grz_thread *thread = grz_allocate(context, 1, sizeof *thread);
    if (thread == NULL)
        return NULL;
    *thread = (grz_thread){.context = grz_context_copy(context), .run = run, .argument = argument};
    if (grz_thread_create(start, thread, &thread->thread))
        return thread;
    grz_release(context, thread);
    return NULL;
}

void grz_thread_join(grz_thread *thread)
{
    graze_context context = thread->context;
    pthread_join(thread->thread, NULL);
    grz_release(&context, thread);
}

uint64_t grz_thread_self(void)
{
    pthread_t self = pthread_self();
    uint64_t number = 0;
    memcpy(&number, &self, sizeof self < sizeof number ? sizeof self : sizeof number);
    return number;
}

struct grz_signal
{
    graze_context context;
    sem_t posts;
};

grz_signal *grz_signal_create(const graze_context *context)
{
    grz_signal *signal = grz_allocate(context, 1, sizeof *signal);
    if (signal == NULL)
        return NULL;
    signal->context = grz_context_copy(context);
    if (sem_init(&signal->posts, 0, 0) == 0)
        return signal;
    grz_release(context, signal);
    return NULL;
}

void grz_signal_destroy(grz_signal *signal)
{
    if (signal == NULL)
        return;
    graze_context context = signal->context;
    sem_destroy(&signal->posts);
    grz_release(&context, signal);
}

void grz_signal_post(grz_signal *signal)
{
    sem_post(&signal->posts);
}

void grz_signal_wait(grz_signal *signal)
{
    while (sem_wait(&signal->posts) != 0 && errno == EINTR)
        ;
    while (sem_trywait(&signal->posts) == 0)
        ;
}
