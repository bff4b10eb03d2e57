/* SPDX-License-Identifier: MIT */
/*
 * Narrow phase of a scene: tests the contacts of a frame, each by contact_test.c. Threads take one contact after the
 * other; each writes only to its contact, so that results do not depend on the thread. A long query is split further by
 * the query itself, through the same task system. A contact tested in the last frame is in the cache of its thread: so
 * the caller takes chunks of the list from the front and all other threads from the back, and most contacts stay with
 * their thread from frame to frame.
 *
 * With a time budget, each contact reached before the deadline gets the remaining time. GRAZE_SCHEDULE_PRIORITY gives
 * each a small number of box tests at first; those that need more are postponed after all others and get four times as
 * many in the next round.
 */
#include <stdatomic.h>

#include "base/budget_monitor.h"
#include "base/clock.h"
#include "base/tasks.h"
#include "base/thread.h"
#include "scene/narrow_phase.h"

enum
{
    FIRST_PIECE = 4096, /* box tests */
    CONTACT_WORK = 64,  /* of a contact beside its query, in box tests */
    MORE_EACH_ROUND = 4,
    PREFETCHED = 8 /* contacts whose objects are prefetched */
};

/* Takes the next chunk, if any. With a deadline chunks are taken in the order of the list. */
static bool take_chunk(grz_narrow_phase_work *w, size_t *out_chunk)
{
    size_t order = atomic_fetch_add_explicit(&w->taken.value, 1, memory_order_relaxed);
    if (order >= w->chunk_count)
        return false;
    if (w->deadline != 0)
        *out_chunk = order;
    else if (grz_thread_self() == w->caller)
        *out_chunk = atomic_fetch_add_explicit(&w->front.value, 1, memory_order_relaxed);
    else
        *out_chunk = w->chunk_count - 1 - atomic_fetch_add_explicit(&w->back.value, 1, memory_order_relaxed);
    return true;
}

/* The world states of a contact may be in the cache of the thread that placed its objects. Such cache lines have a long
   latency, but many can be in flight: so a thread prefetches those of several contacts before it tests the first. */
static void prefetch_objects(const graze_scene *scene, const grz_contact *contact)
{
    if (scene->has_shapes)
    {
        const grz_quick_body *first = &scene->quick.data[contact->a], *second = &scene->quick.data[contact->b];
        __builtin_prefetch(first);
        __builtin_prefetch((const char *)(first + 1) - 1); /* it may begin in one line and end in the next */
        __builtin_prefetch(second);
        __builtin_prefetch((const char *)(second + 1) - 1);
    }
    const char *a = (const char *)&scene->world_states.data[contact->a],
               *b = (const char *)&scene->world_states.data[contact->b];
    for (size_t byte = 0; byte < sizeof(grz_world_state); byte += GRZ_CACHE_LINE_SIZE)
    {
        __builtin_prefetch(a + byte);
        __builtin_prefetch(b + byte);
    }
}

/* For the progress function. */
static void count_contact(grz_narrow_phase_work *w, const grz_contact *contact)
{
    if (!contact->undecided || contact->unknown)
        atomic_fetch_add_explicit(&w->decided, 1, memory_order_relaxed);
    if (grz_thread_self() != w->caller)
        return;
    w->unchecked_work += CONTACT_WORK;
    if (w->unchecked_work >= GRZ_WORK_PER_CHECK)
        grz_narrow_phase_may_continue(w, 0);
}

/* In a long list: the objects of a contact that comes a little later, and the contact of one that comes later still. */
static void prefetch_ahead(const graze_scene *scene, size_t i, size_t end)
{
    if (i + 2 * PREFETCHED >= end)
        return;
    const char *later = (const char *)&scene->contacts.data[scene->list.data[i + 2 * PREFETCHED]];
    for (size_t byte = 0; byte < offsetof(grz_contact, cache) + sizeof(graze_shape_hit); byte += GRZ_CACHE_LINE_SIZE)
        __builtin_prefetch(later + byte);
    prefetch_objects(scene, &scene->contacts.data[scene->list.data[i + PREFETCHED]]);
}

static void test_chunk(grz_narrow_phase_work *w, size_t chunk)
{
    graze_scene *scene = w->scene;
    size_t first = chunk * w->chunk, end = first + w->chunk < scene->list.count ? first + w->chunk : scene->list.count;
    bool at_once = w->chunk_count > 1;
    for (size_t i = first; i < end && at_once; i++)
        prefetch_objects(scene, &scene->contacts.data[scene->list.data[i]]);
    for (size_t i = first; i < end; i++)
    {
        grz_contact *contact = &scene->contacts.data[scene->list.data[i]];
        if (!at_once)
            prefetch_ahead(scene, i, end);
        bool known = contact->queued == GRZ_TESTED_AHEAD;
        if (!w->again && !known)
            grz_contact_begin_test(scene, contact);
        graze_status status = known ? GRAZE_STATUS_OK : grz_contact_test(w, contact);
        if (w->budget->progress != NULL)
            count_contact(w, contact);
        contact->queued = contact->undecided && !contact->unknown ? GRZ_QUEUED : GRZ_NOT_QUEUED;
        if (contact->unknown)
            atomic_store_explicit(&w->unknown, true, memory_order_relaxed);
        scene->pair_keys.data[i] = grz_pair_key(contact);
        scene->outcomes.data[i] = (uint8_t)((grz_contact_has_event(scene, contact) ? GRZ_OUTCOME_EVENT : 0) |
                                            (contact->colliding ? GRZ_OUTCOME_COLLIDES : 0));
        int none = GRAZE_STATUS_OK;
        if (status != GRAZE_STATUS_OK)
            atomic_store_explicit(&w->undecided, true, memory_order_relaxed);
        if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNFINISHED)
            atomic_compare_exchange_strong(&w->status, &none, (int)status);
    }
}

/* Loop of one thread over chunks; taking each as a task would need a lock. */
static void test_chunks(void *argument, size_t index)
{
    (void)index;
    size_t chunk;
    while (take_chunk(argument, &chunk))
        test_chunk(argument, chunk);
}

/* Removes decided contacts from the list, and those that cannot be decided. */
static void keep_undecided(grz_narrow_phase_work *w)
{
    graze_scene *scene = w->scene;
    size_t kept = 0;
    for (size_t i = 0; i < scene->list.count && atomic_load(&w->undecided); i++)
        if (scene->contacts.data[scene->list.data[i]].queued == GRZ_QUEUED)
            scene->list.data[kept++] = scene->list.data[i];
    scene->list.count = kept;
}

/* Tests all contacts in the list; those left undecided stay in it. */
static void run_all(grz_narrow_phase_work *w)
{
    graze_scene *scene = w->scene;
    size_t threads = w->budget->box_tests > 0 ? 1 : grz_concurrency(&scene->context), count = scene->list.count;
    /* Small chunks, for load balance; but not so many that taking them costs time. */
    w->chunk = threads > 1 && count >= GRZ_FEW_FOR_THREADS ? count / (64 * threads) + 1 : (count > 0 ? count : 1);
    w->chunk_count = (count + w->chunk - 1) / w->chunk;
    atomic_store(&w->taken.value, 0);
    atomic_store(&w->front.value, 0);
    atomic_store(&w->back.value, 0);
    atomic_store(&w->undecided, false);
    grz_parallel_for(&scene->context, w->chunk_count < threads ? w->chunk_count : threads, test_chunks, w);
    scene->wants_support_tables = scene->wants_support_tables || atomic_load(&w->wants_support_tables);
    atomic_store(&w->wants_support_tables, false);
    if (scene->wants_support_tables && w->deadline == 0)
        grz_scene_build_support_tables(scene, 0);
    keep_undecided(w);
    scene->last_queue_count = scene->list.count == 0 && !atomic_load(&w->unknown) ? count : 0;
    w->again = true;
}

static bool has_box_tests_left(const grz_narrow_phase_work *w)
{
    return w->budget->box_tests == 0 || w->box_tests < w->budget->box_tests;
}

graze_status grz_narrow_phase(graze_scene *scene, const graze_update_options *options, uint64_t deadline)
{
    grz_narrow_phase_work w = {.scene = scene,
                               .deadline = deadline,
                               .budget = &options->budget,
                               .all = scene->list.count,
                               .caller = grz_thread_self()};
    atomic_init(&w.status, GRAZE_STATUS_OK);
    atomic_init(&w.decided, 0);
    atomic_init(&w.cancelled, false);
    atomic_init(&w.unknown, false);
    if (scene->wants_support_tables && deadline != 0) /* wanted by the last frame, which had no time left */
        grz_scene_build_support_tables(scene, deadline);
    bool in_pieces = deadline != 0 && options->schedule == GRAZE_SCHEDULE_PRIORITY;
    if (in_pieces)
        w.piece = FIRST_PIECE;
    run_all(&w);
    while (in_pieces && scene->list.count > 0 && grz_clock_now() < deadline && has_box_tests_left(&w) &&
           atomic_load(&w.status) == GRAZE_STATUS_OK)
    {
        w.piece *= MORE_EACH_ROUND;
        run_all(&w);
    }
    return (graze_status)atomic_load(&w.status);
}
