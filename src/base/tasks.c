/* SPDX-License-Identifier: MIT */
/*
 * The built-in thread pool; see graze/tasks.h.
 *
 * A call of `run` is a job on its caller's stack, in a list that the workers search. Every thread takes one index at a
 * time under the pool's lock; tasks are meant to be large enough for that. The caller takes indices of its own job
 * only, and then waits for those that workers are still running. So a thread waits only for tasks that are running,
 * never for some that have yet to be started: nested calls and calls from many threads cannot block one another.
 *
 * Before it sleeps a thread spins for SPIN_NS: a frame of a scene is a few calls in a row, and waking a thread takes 5
 * us on a bare machine and 50 on a virtual one, as long as a small call. Not much longer, as spinning takes time from
 * other programs on a busy machine; and not where there are more threads than processors, as these would keep each
 * other from working.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/tasks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"
#include "graze/tasks.h"

enum
{
    MOST_THREADS = 1024,
    SPIN_NS = 20000,
    SPINS_PER_CLOCK_READ = 64 /* between two reads of the clock */
};

typedef struct job
{
    grz_task_function task;
    void *argument;
    size_t count, next;     /* indices in all, and the next to take */
    atomic_size_t finished; /* tasks done; written under the lock */
    struct job *previous_job, *next_job;
} job;

struct graze_pool
{
    graze_context context;
    pthread_mutex_t lock;
    pthread_cond_t work;     /* there is a job, or the pool is being destroyed */
    pthread_cond_t finished; /* some job is finished */
    job *first, *last;       /* jobs with indices to take, the oldest first */
    atomic_size_t open_jobs; /* their number; written under the lock, as is `ends` */
    atomic_bool ends;
    bool spins; /* threads spin before they sleep */
    uint32_t worker_count;
    pthread_t workers[]; /* one less than the threads that work, as callers work too */
};

uint32_t grz_concurrency(const graze_context *context)
{
    return context == NULL || context->tasks.run == NULL || context->tasks.concurrency == 0
               ? 1
               : context->tasks.concurrency;
}

void grz_parallel_for(const graze_context *context, size_t count, grz_task_function task, void *argument)
{
    if (count > 1 && grz_concurrency(context) > 1)
    {
        context->tasks.run(context->tasks.user, count, task, argument);
        return;
    }
    for (size_t i = 0; i < count; i++)
        task(argument, i);
}

static void append(graze_pool *pool, job *j)
{
    j->previous_job = pool->last;
    j->next_job = NULL;
    if (pool->last != NULL)
        pool->last->next_job = j;
    else
        pool->first = j;
    pool->last = j;
    atomic_fetch_add(&pool->open_jobs, 1);
}

static void unlink_job(graze_pool *pool, job *j)
{
    if (j->previous_job != NULL)
        j->previous_job->next_job = j->next_job;
    else
        pool->first = j->next_job;
    if (j->next_job != NULL)
        j->next_job->previous_job = j->previous_job;
    else
        pool->last = j->previous_job;
    atomic_fetch_sub(&pool->open_jobs, 1);
}

/* Runs one task of a job that has indices left. The lock is held before and after. After the last index the job may no
   longer exist on return. */
static void run_one_task(graze_pool *pool, job *j)
{
    size_t index = j->next++;
    if (j->next == j->count)
        unlink_job(pool, j);
    pthread_mutex_unlock(&pool->lock);
    j->task(j->argument, index);
    pthread_mutex_lock(&pool->lock);
    if (atomic_fetch_add(&j->finished, 1) + 1 == j->count)
        pthread_cond_broadcast(&pool->finished);
}

static bool has_work(graze_pool *pool)
{
    return atomic_load(&pool->open_jobs) > 0 || atomic_load(&pool->ends);
}

/* Spins without the lock until there is a job or SPIN_NS have passed. */
static void spin_for_work(graze_pool *pool)
{
    uint64_t start = grz_clock_now();
    do
        for (int i = 0; i < SPINS_PER_CLOCK_READ && !has_work(pool); i++)
            grz_cpu_pause();
    while (!has_work(pool) && grz_clock_now() - start < SPIN_NS);
}

/* Spins until the job is finished or SPIN_NS have passed. */
static void spin_for_end(job *j)
{
    uint64_t start = grz_clock_now();
    do
        for (int i = 0; i < SPINS_PER_CLOCK_READ && atomic_load(&j->finished) < j->count; i++)
            grz_cpu_pause();
    while (atomic_load(&j->finished) < j->count && grz_clock_now() - start < SPIN_NS);
}

static void *work(void *user)
{
    graze_pool *pool = user;
    bool looked = !pool->spins;
    pthread_mutex_lock(&pool->lock);
    while (!atomic_load(&pool->ends))
    {
        if (pool->first != NULL)
        {
            run_one_task(pool, pool->first);
            looked = !pool->spins;
        }
        else if (!looked)
        {
            pthread_mutex_unlock(&pool->lock);
            spin_for_work(pool);
            pthread_mutex_lock(&pool->lock);
            looked = true;
        }
        else
            pthread_cond_wait(&pool->work, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void run(void *user, size_t count, grz_task_function task, void *argument)
{
    graze_pool *pool = user;
    if (count == 0)
        return;
    job j = {.task = task, .argument = argument, .count = count};
    pthread_mutex_lock(&pool->lock);
    append(pool, &j);
    if (count > 2)
        pthread_cond_broadcast(&pool->work);
    else if (count == 2)
        pthread_cond_signal(&pool->work);
    while (j.next < j.count)
        run_one_task(pool, &j);
    if (pool->spins && atomic_load(&j.finished) < j.count)
    {
        pthread_mutex_unlock(&pool->lock);
        spin_for_end(&j);
        /* The worker that finished last no longer uses the job once it releases the lock. */
        pthread_mutex_lock(&pool->lock);
    }
    while (atomic_load(&j.finished) < j.count)
        pthread_cond_wait(&pool->finished, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* Stops the workers that were started and releases the pool. */
static void dismantle(graze_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->ends, true);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->worker_count; i++)
        pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    graze_context context = pool->context;
    grz_release(&context, pool);
}

static bool start_workers(graze_pool *pool, uint32_t count)
{
    while (pool->worker_count < count && grz_thread_create(work, pool, &pool->workers[pool->worker_count]))
        pool->worker_count++;
    return pool->worker_count == count;
}

static uint32_t processor_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : (uint32_t)count;
}

graze_status graze_pool_create(const graze_context *context, uint32_t thread_count, graze_pool **out_pool)
{
    if (thread_count > MOST_THREADS || out_pool == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    uint32_t workers = (thread_count == 0 ? processor_count() : thread_count) - 1;
    graze_pool *pool = grz_allocate_zeroed(context, 1, sizeof *pool + workers * sizeof pool->workers[0]);
    if (pool == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    pool->context = grz_context_copy(context);
    pool->spins = workers < processor_count();
    if (pthread_mutex_init(&pool->lock, NULL) != 0)
    {
        grz_release(context, pool);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    bool conditions = pthread_cond_init(&pool->work, NULL) == 0;
    conditions = pthread_cond_init(&pool->finished, NULL) == 0 && conditions;
    if (!conditions || !start_workers(pool, workers))
    {
        dismantle(pool);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    *out_pool = pool;
    return GRAZE_STATUS_OK;
}

void graze_pool_destroy(graze_pool *pool)
{
    if (pool != NULL)
        dismantle(pool);
}

graze_tasks graze_pool_tasks(graze_pool *pool)
{
    if (pool == NULL)
        return (graze_tasks){0};
    return (graze_tasks){run, pool->worker_count + 1, pool};
}
