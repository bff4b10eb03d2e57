/* SPDX-License-Identifier: MIT */
/*
 * 000 6.3.1, fine grain, which the thesis describes and did not implement: threads take chunks of the edges of one pair
 * and test them with the faces of the other body. It expects static shares to be uneven, as edges near one another are
 * near in the array. How even they are is counted: box tests of the thread that has most, of four that take chunks in
 * turn. Times are those of the clock; see threads.c.
 */
#include <math.h>
#include <stdatomic.h>

#include "literature/bodies.h"
#include "literature/cage.h"
#include "literature/literature.h"
#include "literature/race.h"

enum
{
    PASSES = 3,
    MOST_THREADS = 4
};

/* Edges that threads take, each from the next on. */
typedef struct edge_pool
{
    atomic_size_t next;
    size_t size;
} edge_pool;

static bool take_next(void *user, size_t edge_count, size_t *out_first, size_t *out_end)
{
    edge_pool *pool = user;
    *out_first = atomic_fetch_add(&pool->next, pool->size);
    *out_end = *out_first + pool->size;
    return *out_first < edge_count;
}

/* Edges of one of four threads: every fourth chunk of a size; 0: a quarter of all. */
typedef struct edge_turns
{
    size_t next, size;
} edge_turns;

static bool take_turn(void *user, size_t edge_count, size_t *out_first, size_t *out_end)
{
    edge_turns *turns = user;
    size_t size = turns->size != 0 ? turns->size : (edge_count + MOST_THREADS - 1) / MOST_THREADS;
    *out_first = turns->next * size;
    *out_end = *out_first + size;
    turns->next += MOST_THREADS;
    return *out_first < edge_count;
}

/* A pair that threads share. */
typedef struct shared_pair
{
    graze_placed_method_body placed[2];
    edge_pool edges;
    atomic_int found, failed;
} shared_pair;

static bool goes_on(void *user, double share)
{
    (void)share;
    return atomic_load(&((shared_pair *)user)->found) == 0;
}

static void run_share(void *argument, size_t thread)
{
    (void)thread;
    shared_pair *pair = argument;
    graze_method_options options = graze_method_options_default();
    options.edge_chunks = (graze_edge_chunks){take_next, &pair->edges};
    options.budget.progress = goes_on;
    options.budget.progress_user = pair;
    graze_method_answer answer;
    graze_status status = graze_method_any(NULL, &pair->placed[0], &pair->placed[1], &options, &answer);
    if (status == GRAZE_STATUS_OK && answer.collide == GRAZE_VERDICT_YES)
        atomic_store(&pair->found, 1);
    else if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_CANCELLED)
        atomic_store(&pair->failed, 1);
}

/* The clock's time of the best pass, two bodies in all frames; NaN after a failure or a wrong answer. */
static double fly_shared(const cage_flight *flight, const graze_method_body *body, const graze_tasks *tasks,
                         size_t threads, size_t chunk)
{
    double best = INFINITY;
    for (int pass = 0; pass < PASSES; pass++)
    {
        double from = race_now();
        for (size_t f = 0; f < flight->frames; f++)
        {
            shared_pair pair = {.placed = {{body, *cage_pose(flight, f, 0)}, {body, *cage_pose(flight, f, 1)}},
                                .edges = {.size = chunk}};
            tasks->run(tasks->user, threads, run_share, &pair);
            if (atomic_load(&pair.failed) != 0 || (atomic_load(&pair.found) != 0) != cage_collide(flight, f, 0, 1))
                return NAN;
        }
        best = fmin(best, race_now() - from);
    }
    return best;
}

/* The box tests of one of four threads; NaN after a failure. */
static double count_tests(const graze_placed_method_body placed[2], size_t thread, size_t chunk)
{
    edge_turns turns = {thread, chunk};
    graze_method_counters counters;
    graze_method_options options = graze_method_options_default();
    options.counters = &counters;
    options.edge_chunks = (graze_edge_chunks){take_turn, &turns};
    graze_method_answer answer;
    graze_status status = graze_method_any(NULL, &placed[0], &placed[1], &options, &answer);
    return status == GRAZE_STATUS_OK && answer.guess == GRAZE_VERDICT_NO ? (double)counters.volumes : NAN;
}

/* The share of all box tests that the busiest of four threads has, in percent, where the bodies are apart. */
static double busiest_share(const cage_flight *flight, const graze_method_body *body, size_t chunk)
{
    double busiest = 0, all = 0;
    for (size_t f = 0; f < flight->frames; f++)
    {
        const graze_placed_method_body placed[2] = {{body, *cage_pose(flight, f, 0)}, {body, *cage_pose(flight, f, 1)}};
        double most = 0;
        for (size_t thread = 0; thread < MOST_THREADS && !cage_collide(flight, f, 0, 1); thread++)
        {
            double tests = count_tests(placed, thread, chunk);
            most = fmax(most, tests);
            all += tests;
        }
        busiest += most;
    }
    return 100 * busiest / all;
}

static bool run_size(lit_run *run, uint32_t faces)
{
    static const size_t chunks[] = {0, 1, 8, 64};
    static const char *const note = "6.3.1, which the thesis did not implement";
    graze_mesh *mesh = NULL;
    graze_method_body *body = NULL;
    cage_flight flight = {0};
    bool done = lit_make_body(LIT_SPHERE, faces, &mesh);
    const graze_mesh *meshes[2] = {mesh, mesh};
    done = done && cage_record(meshes, 2, 2, 1, run->quick ? 100 : 2000, CAGE_SURFACES, &flight) &&
           graze_method_body_create(NULL, "edges-faces", mesh, NULL, &body) == GRAZE_STATUS_OK;
    for (int c = 0; done && c < 4; c++)
    {
        double share = busiest_share(&flight, body, chunks[c]);
        done = !isnan(share);
        if (chunks[c] == 0)
            lit_add(run, "000/fine", note, share, "2 x %u faces, quarters, %% of the busiest of 4", (unsigned)faces);
        else
            lit_add(run, "000/fine", note, share, "2 x %u faces, chunks of %zu, %% of the busiest of 4",
                    (unsigned)faces, chunks[c]);
    }
    for (uint32_t threads = 1; done && threads <= MOST_THREADS; threads *= 2)
    {
        graze_pool *pool = NULL;
        done = graze_pool_create(NULL, threads, &pool) == GRAZE_STATUS_OK;
        graze_tasks tasks = done ? graze_pool_tasks(pool) : (graze_tasks){0};
        double alone = done ? fly_shared(&flight, body, &tasks, 1, SIZE_MAX / 2) : NAN;
        for (int c = 1; done && c < 4; c++)
        {
            double ns = fly_shared(&flight, body, &tasks, threads, chunks[c]);
            done = !isnan(ns) && !isnan(alone);
            lit_add(run, "000/fine", note, alone / ns, "2 x %u faces, chunks of %zu, %u threads, speed-up",
                    (unsigned)faces, chunks[c], (unsigned)threads);
        }
        graze_pool_destroy(pool);
    }
    graze_method_body_destroy(body);
    cage_clear(&flight);
    graze_mesh_destroy(mesh);
    return done;
}

bool lit_fine_grain(lit_run *run)
{
    return run_size(run, 132) && run_size(run, 462) && run_size(run, 2000);
}
