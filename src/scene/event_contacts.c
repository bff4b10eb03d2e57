/* SPDX-License-Identifier: MIT */
/*
 * Contacts for solvers that events carry on request: found once for each pair that collides, after the narrow phase,
 * and kept until one of the two moves or they are asked for with other numbers. With a time budget, pairs that are not
 * reached before its end go without.
 */
#include <math.h>

#include "base/bits.h"
#include "base/clock.h"
#include "base/tasks.h"
#include "scene/scene.h"

enum
{
    FEW_MANIFOLDS = 4, /* room for the first search */
    CHUNK = 16         /* contacts per task */
};

void grz_contact_request_take(graze_scene *scene, const graze_update_options *options)
{
    bool same = scene->manifold_request != 0 && grz_bits(scene->manifold_margin) == grz_bits(options->contact_margin) &&
                scene->manifold_points == options->contact_points;
    scene->wants_manifolds = options->contacts;
    if (!options->contacts || same)
        return;
    scene->manifold_margin = options->contact_margin;
    scene->manifold_points = options->contact_points;
    if (++scene->manifold_request == 0) /* after 2^32 other requests */
        scene->manifold_request = 1;
}

typedef struct contact_work
{
    graze_scene *scene;
    const grz_key_value *listed;
    size_t count;
    uint64_t deadline;
    atomic_int status; /* first failure */
} contact_work;

static bool wants_manifolds(const graze_scene *scene, const grz_contact *contact)
{
    unsigned flags = scene->labels.data[contact->a].flags | scene->labels.data[contact->b].flags;
    return contact->colliding && !contact->undecided && !contact->ending && (flags & GRAZE_OBJECT_SENSOR) == 0 &&
           !grz_contact_has_manifolds(scene, contact);
}

static bool make_room(const graze_scene *scene, grz_contact *contact, size_t count)
{
    if (count <= contact->manifold_capacity)
        return true;
    graze_shape_manifold *grown = grz_allocate(&scene->context, count, sizeof *grown);
    if (grown == NULL)
        return false;
    grz_release(&scene->context, contact->manifolds);
    contact->manifolds = grown;
    contact->manifold_capacity = (uint32_t)count;
    return true;
}

/* UNFINISHED where the time is up. */
static graze_status find_manifolds(const contact_work *w, grz_contact *contact)
{
    graze_scene *scene = w->scene;
    graze_placed a, b;
    graze_shape_contact_options options = graze_shape_contact_options_default();
    options.margin = scene->manifold_margin;
    options.most_points = scene->manifold_points;
    if (w->deadline != 0 && w->deadline != UINT64_MAX)
    {
        uint64_t now = grz_clock_now();
        if (now >= w->deadline)
            return GRAZE_STATUS_UNFINISHED;
        options.budget.seconds = (double)(w->deadline - now) * 1e-9;
    }
    if (!grz_scene_as_shape(scene, contact->a, &a) || !grz_scene_as_shape(scene, contact->b, &b))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t count = FEW_MANIFOLDS;;)
    {
        if (count > UINT32_MAX || !make_room(scene, contact, count))
            return GRAZE_STATUS_OUT_OF_MEMORY;
        graze_status status = graze_shape_pair_contacts(&scene->context, &a, &b, &options, contact->manifolds,
                                                        contact->manifold_capacity, &count);
        if (status != GRAZE_STATUS_OK)
            return status;
        if (count > contact->manifold_capacity)
            continue;
        contact->manifold_count = (uint32_t)count;
        contact->manifold_request = scene->manifold_request;
        return status;
    }
}

static void run_chunk(void *argument, size_t chunk)
{
    contact_work *w = argument;
    for (size_t i = chunk * CHUNK; i < w->count && i < (chunk + 1) * CHUNK; i++)
    {
        grz_contact *contact = &w->scene->contacts.data[w->listed[i].value];
        if (!wants_manifolds(w->scene, contact))
            continue;
        graze_status status = find_manifolds(w, contact);
        int none = GRAZE_STATUS_OK;
        if (status != GRAZE_STATUS_OK && status != GRAZE_STATUS_UNFINISHED)
            atomic_compare_exchange_strong(&w->status, &none, (int)status);
    }
}

graze_status grz_find_event_contacts(graze_scene *scene, const grz_key_value *listed, size_t count, uint64_t deadline)
{
    if (!scene->wants_manifolds)
        return GRAZE_STATUS_OK;
    contact_work w = {.scene = scene, .listed = listed, .count = count, .deadline = deadline};
    atomic_init(&w.status, GRAZE_STATUS_OK);
    grz_parallel_for(&scene->context, (count + CHUNK - 1) / CHUNK, run_chunk, &w);
    return (graze_status)atomic_load(&w.status);
}
