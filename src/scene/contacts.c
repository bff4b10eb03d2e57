/* SPDX-License-Identifier: MIT */
/*
 * Contacts: the pairs of objects whose boxes overlap. The tag of a box pair is the index of its contact + 1. Normally
 * contacts follow the begun and ended pairs of the broad phase; after an update that failed in between, all pairs are
 * visited.
 */
#include <string.h>

#include "scene/scene.h"

/* Reserves `more` contacts, in all lists they may be in. False when out of memory. */
static bool make_room(graze_scene *scene, size_t more)
{
    size_t most = scene->contacts.count + more;
    return most < GRZ_NO_OBJECT && GRZ_RESERVE(&scene->context, &scene->contacts, most) &&
           GRZ_RESERVE(&scene->context, &scene->ending, most) && GRZ_RESERVE(&scene->context, &scene->list, most) &&
           GRZ_RESERVE(&scene->context, &scene->outcomes, most) &&
           GRZ_RESERVE(&scene->context, &scene->pair_keys, most) &&
           GRZ_RESERVE(&scene->context, &scene->postponed, most);
}

/* Memory is reserved. */
static uint32_t add_contact(graze_scene *scene, uint32_t a, uint32_t b)
{
    uint32_t index = scene->free_contact;
    if (index != GRZ_NO_OBJECT)
        scene->free_contact = scene->contacts.data[index].b;
    else
        index = (uint32_t)scene->contacts.count++;
    scene->contacts.data[index] = (grz_contact){.a = a, .b = b, .undecided = true, .since = scene->frame};
    return index;
}

static void queue_contact(graze_scene *scene, uint32_t index)
{
    grz_contact *contact = &scene->contacts.data[index];
    if (contact->queued == GRZ_QUEUED)
        return;
    contact->queued = GRZ_QUEUED;
    scene->list.data[scene->list.count++] = index;
}

static void end_contact(graze_scene *scene, uint32_t index)
{
    scene->contacts.data[index].ending = true;
    scene->ending.data[scene->ending.count++] = index;
}

/* An unfinished search is valid only for the poses it began with. */
static void cancel_search(grz_contact *contact)
{
    graze_search_destroy(contact->search);
    contact->search = NULL;
}

void grz_contact_clear(const graze_scene *scene, grz_contact *contact)
{
    cancel_search(contact);
    grz_release(&scene->context, contact->shape_cache);
    grz_release(&scene->context, contact->manifolds);
    contact->cache = graze_pair_cache_default();
    contact->shape_cache = NULL;
    memset(contact->separating_axis, 0, sizeof contact->separating_axis);
    contact->manifolds = NULL;
    contact->manifold_count = contact->manifold_capacity = contact->manifold_request = 0;
}

static void queue_moved(graze_scene *scene, uint32_t tag)
{
    cancel_search(&scene->contacts.data[tag - 1]);
    queue_contact(scene, tag - 1);
}

/* Applies the changes reported by the broad phase. False when out of memory. */
static bool apply_changes(graze_scene *scene, const graze_broad_phase_changes *changes)
{
    size_t pair_count;
    const graze_box_pair *pairs = graze_broad_phase_pairs(scene->broad, &pair_count);
    if (!make_room(scene, changes->begun_count))
        return false;
    for (size_t i = 0; i < changes->ended_count; i++)
        end_contact(scene, changes->ended[i].tag - 1);
    for (size_t i = 0; i < changes->begun_count; i++)
    {
        graze_box_pair pair = pairs[changes->begun[i]];
        graze_broad_phase_set_tag(scene->broad, changes->begun[i], add_contact(scene, pair.a, pair.b) + 1);
    }
    /* If the last frame decided all contacts, there are no unfinished searches and no contact is queued twice: so
       contacts, which may be in the cache of other threads, need not be read here. */
    /* shortcut: resumed-searches */
    bool untouched = scene->postponed.count == 0;
    for (size_t i = 0; i < changes->moved_count; i++)
    {
        uint32_t tag = pairs[changes->moved[i]].tag;
        if (scene->promises.count > 0 && grz_contact_sleeps(scene, &scene->contacts.data[tag - 1]))
            scene->asleep_count++;
        else if (untouched)
            scene->list.data[scene->list.count++] = tag - 1;
        else
            queue_moved(scene, tag);
    }
    return true;
}

/* Visits all contacts and pairs: ends contacts without a pair, adds contacts for pairs without one, and queues all.
   False when out of memory. */
static bool resynchronise(graze_scene *scene)
{
    size_t pair_count;
    const graze_box_pair *pairs = graze_broad_phase_pairs(scene->broad, &pair_count);
    if (!make_room(scene, pair_count))
        return false;
    for (size_t i = 0; i < scene->contacts.count; i++)
        scene->contacts.data[i].seen = false;
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].tag != 0)
            scene->contacts.data[pairs[i].tag - 1].seen = true;
    for (size_t i = 0; i < scene->contacts.count; i++)
    {
        const grz_contact *contact = &scene->contacts.data[i];
        if (contact->a != GRZ_NO_OBJECT && !contact->seen && !contact->ending)
            end_contact(scene, (uint32_t)i);
    }
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].tag == 0)
            graze_broad_phase_set_tag(scene->broad, i, add_contact(scene, pairs[i].a, pairs[i].b) + 1);
    for (size_t i = 0; i < pair_count; i++)
        queue_moved(scene, pairs[i].tag);
    return true;
}

bool grz_contacts_update(graze_scene *scene, const graze_broad_phase_changes *changes)
{
    for (size_t i = 0; i < scene->list.count; i++)
        scene->contacts.data[scene->list.data[i]].queued = GRZ_NOT_QUEUED;
    scene->list.count = scene->asleep_count = 0;
    /* shortcut: incremental-contacts */
    if (scene->out_of_sync ? !resynchronise(scene) : !apply_changes(scene, changes))
        return false;
    for (size_t i = 0; i < scene->postponed.count; i++) /* left undecided by the last frame */
    {
        uint32_t index = scene->postponed.data[i];
        const grz_contact *contact = &scene->contacts.data[index];
        if (contact->a != GRZ_NO_OBJECT && contact->undecided && !contact->ending)
            queue_contact(scene, index);
    }
    return true;
}

void grz_contacts_remove_ended(graze_scene *scene)
{
    for (size_t i = 0; i < scene->ending.count; i++)
    {
        uint32_t index = scene->ending.data[i];
        grz_contact *contact = &scene->contacts.data[index];
        grz_contact_clear(scene, contact);
        *contact = (grz_contact){.a = GRZ_NO_OBJECT, .b = scene->free_contact};
        scene->free_contact = index;
    }
    scene->ending.count = 0;
}

size_t grz_contacts_memory(const graze_scene *scene)
{
    size_t size = scene->contacts.capacity * sizeof *scene->contacts.data;
    size += (scene->ending.capacity + scene->list.capacity + scene->postponed.capacity) * sizeof(uint32_t);
    size += scene->outcomes.capacity * sizeof *scene->outcomes.data;
    size += scene->pair_keys.capacity * sizeof *scene->pair_keys.data;
    for (size_t i = 0; i < scene->contacts.count; i++)
    {
        const grz_contact *contact = &scene->contacts.data[i];
        if (contact->a == GRZ_NO_OBJECT)
            continue;
        size += graze_search_memory_size(contact->search) + contact->manifold_capacity * sizeof *contact->manifolds;
        size += contact->shape_cache != NULL ? sizeof *contact->shape_cache : 0;
    }
    return size;
}

void grz_contacts_release(graze_scene *scene)
{
    for (size_t i = 0; i < scene->contacts.count; i++)
        if (scene->contacts.data[i].a != GRZ_NO_OBJECT)
            grz_contact_clear(scene, &scene->contacts.data[i]);
    grz_release(&scene->context, scene->contacts.data);
    grz_release(&scene->context, scene->ending.data);
    grz_release(&scene->context, scene->list.data);
    grz_release(&scene->context, scene->outcomes.data);
    grz_release(&scene->context, scene->pair_keys.data);
    grz_release(&scene->context, scene->postponed.data);
}
