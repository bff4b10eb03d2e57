/* SPDX-License-Identifier: MIT */
/*
 * Narrow phase of a scene ahead of its turn: while the caller places objects and runs the broad phase, free threads
 * begin with the contacts of the last frame, each once both of its objects are placed.
 */
#include <stdatomic.h>

#include "base/tasks.h"
#include "base/thread.h"
#include "scene/narrow_phase.h"

enum
{
    MOST_DEFERRED = 64,    /* contacts that a thread holds until their objects are placed */
    MOST_IDLE_POLLS = 2000 /* polls without success after which a thread stops */
};

/* Work done ahead, while the broad phase runs. */
typedef struct ahead_work
{
    grz_narrow_phase_work w;
    graze_status (*first)(void *argument);
    void *argument;
    graze_status status;         /* result of first */
    const atomic_size_t *placed; /* objects placed so far */
    atomic_bool done;            /* first has returned */
    grz_work_counter taken;      /* contacts taken, from the end of the list of the last frame */
} ahead_work;

/* Contacts of the last frame that a thread has taken to test ahead, as soon as their objects are placed. */
typedef struct deferred_list
{
    uint32_t contacts[MOST_DEFERRED], needs[MOST_DEFERRED]; /* needs: how many objects must be placed */
    size_t count;
} deferred_list;

/* Whether a contact of the last frame is to be tested in this one if its boxes still overlap: one of its objects moved.
   Meshes of removed objects may be destroyed. */
static bool is_due(const graze_scene *scene, const grz_contact *contact)
{
    return contact->a != GRZ_NO_OBJECT && !contact->ending && !contact->undecided &&
           (scene->placed_ranks.data[contact->a] | scene->placed_ranks.data[contact->b]) != 0 &&
           !scene->shapes.data[contact->a].removed && !scene->shapes.data[contact->b].removed;
}

/* Tests a contact that is due and whose objects are placed. */
static void test_pair_ahead(ahead_work *a, grz_contact *contact)
{
    graze_scene *scene = a->w.scene;
    if (!grz_has_geometry(&scene->shapes.data[contact->a]) || !grz_has_geometry(&scene->shapes.data[contact->b]))
        return;
    grz_contact_begin_test(scene, contact);
    if (grz_contact_test(&a->w, contact) == GRAZE_STATUS_OK)
        contact->queued = GRZ_TESTED_AHEAD;
}

/* Takes contacts from the end of the list of the last frame, while there is room. Returns whether there may be more. */
static bool take_deferred(ahead_work *a, deferred_list *deferred)
{
    graze_scene *scene = a->w.scene;
    while (deferred->count < MOST_DEFERRED)
    {
        size_t taken = atomic_fetch_add_explicit(&a->taken.value, 1, memory_order_relaxed);
        if (taken >= scene->last_queue_count)
            return false;
        uint32_t place = scene->list.data[scene->last_queue_count - 1 - taken];
        const grz_contact *contact = &scene->contacts.data[place];
        if (!is_due(scene, contact))
            continue;
        uint32_t rank_a = scene->placed_ranks.data[contact->a], rank_b = scene->placed_ranks.data[contact->b];
        deferred->contacts[deferred->count] = place;
        deferred->needs[deferred->count++] = rank_a > rank_b ? rank_a : rank_b;
    }
    return true;
}

/* Tests those whose objects are placed by now. Returns whether there were any. */
static bool test_deferred(ahead_work *a, deferred_list *deferred)
{
    size_t kept = 0, count = deferred->count, placed = atomic_load_explicit(a->placed, memory_order_acquire);
    for (size_t i = 0; i < count && !atomic_load_explicit(&a->done, memory_order_relaxed); i++)
    {
        if (deferred->needs[i] <= placed)
            test_pair_ahead(a, &a->w.scene->contacts.data[deferred->contacts[i]]);
        else
        {
            deferred->contacts[kept] = deferred->contacts[i];
            deferred->needs[kept++] = deferred->needs[i];
        }
    }
    deferred->count = kept;
    return kept < count;
}

/* Polling is bounded: tasks may run one after the other, and then the caller would never be reached. */
static void run_ahead(void *argument, size_t index)
{
    ahead_work *a = argument;
    if (index == 0)
    {
        a->status = a->first(a->argument);
        atomic_store(&a->done, true);
        return;
    }
    deferred_list deferred = {.count = 0};
    bool more = true;
    for (size_t looks = 0; looks < MOST_IDLE_POLLS && (more || deferred.count > 0) && !atomic_load(&a->done);)
    {
        more = more && take_deferred(a, &deferred);
        if (test_deferred(a, &deferred))
            looks = 0;
        else
        {
            grz_cpu_pause();
            looks++;
        }
    }
}

/*
 * The result of a contact does not change once its objects are placed, so it can be computed before the broad phase
 * decides whether their boxes still overlap: if they do not, it is dropped. Not with a time budget, undecided contacts,
 * or a failed update before.
 */
graze_status grz_narrow_phase_ahead(graze_scene *scene, uint64_t deadline, const atomic_size_t *placed,
                                    graze_status (*first)(void *argument), void *argument)
{
    size_t threads = grz_concurrency(&scene->context);
    /* shortcut: looked-at-ahead */
    if (threads == 1 || deadline != 0 || scene->stepping || scene->promises.count > 0 || scene->out_of_sync ||
        scene->postponed.count > 0 || scene->last_queue_count < GRZ_FEW_FOR_THREADS)
        return first(argument);
    ahead_work a = {.w = {.scene = scene}, .first = first, .argument = argument, .placed = placed};
    grz_parallel_for(&scene->context, threads, run_ahead, &a);
    scene->wants_support_tables = scene->wants_support_tables || atomic_load(&a.w.wants_support_tables);
    return a.status;
}

void grz_narrow_phase_discard_ahead(graze_scene *scene)
{
    for (size_t i = 0; i < scene->contacts.count; i++)
        if (scene->contacts.data[i].queued == GRZ_TESTED_AHEAD)
            scene->contacts.data[i].queued = GRZ_NOT_QUEUED;
    scene->last_queue_count = 0;
}
