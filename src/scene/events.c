/* SPDX-License-Identifier: MIT */
/*
 * Events and undecided pairs of an update, sorted by object indices, so that they do not depend on threads and their
 * timing. The pairs to report are listed from the outcomes that the narrow phase stored; only contacts with an event
 * are read, with the labels of their objects.
 */
#include <string.h>

#include "scene/query.h"

enum
{
    FETCHED = 8 /* contacts and labels that are prefetched */
};

bool grz_shape_hit_witness(const graze_shape_hit *hit, graze_hit *out_witness)
{
    if (hit->triangle_a == GRAZE_NO_TRIANGLE || hit->triangle_b == GRAZE_NO_TRIANGLE)
        return false;
    *out_witness = (graze_hit){.triangle_a = hit->triangle_a,
                               .triangle_b = hit->triangle_b,
                               .face_a = hit->face_a,
                               .face_b = hit->face_b,
                               .contact = hit->contact};
    return true;
}

static void add_contacts(const graze_scene *scene, const grz_contact *contact, graze_event *event)
{
    event->has_contacts = !event->sensor && grz_contact_has_manifolds(scene, contact);
    if (event->has_contacts)
    {
        event->contacts = contact->manifolds;
        event->contact_count = contact->manifold_count;
    }
}

/* When within the step of a continuous update. */
static void add_times(const graze_scene *scene, const grz_contact *contact, graze_event *event)
{
    bool tested = contact->stepped == scene->frame;
    event->has_time = !contact->ending && (tested || event->kind == GRAZE_EVENT_STAY);
    event->has_end_time = event->has_time && !contact->colliding;
    event->time_lower = event->has_time && tested ? contact->first[0] : 0;
    event->time_upper = event->has_time && tested ? contact->first[1] : 0;
    event->end_lower = event->has_end_time ? contact->last[0] : 0;
    event->end_upper = event->has_end_time ? contact->last[1] : 0;
}

/* Field by field into its place, since a copy of what was just written in smaller pieces would wait for it. */
static void make_event(const graze_scene *scene, const grz_contact *contact, graze_event *event)
{
    const grz_label *a = &scene->labels.data[contact->a], *b = &scene->labels.data[contact->b];
    bool now = contact->colliding && !contact->ending;
    const grz_pair_rule *rule = scene->rules.pairs.count > 0 ? grz_interest_rule(scene, contact->a, contact->b) : NULL;
    bool passed = !contact->reported && !contact->colliding; /* or it would not be listed */
    event->kind = passed              ? GRAZE_EVENT_PASS
                  : !now              ? GRAZE_EVENT_END
                  : contact->reported ? GRAZE_EVENT_STAY
                                      : GRAZE_EVENT_BEGIN;
    event->a.index = contact->a;
    event->a.generation = a->generation;
    event->b.index = contact->b;
    event->b.generation = b->generation;
    event->user_a = a->user;
    event->user_b = b->user;
    event->user_pair = rule != NULL ? rule->user_pair : NULL;
    event->sensor = ((a->flags | b->flags) & GRAZE_OBJECT_SENSOR) != 0;
    event->frame = contact->ending ? scene->frame : contact->frame;
    event->shape_hit = now && contact->of_shapes && contact->has_witness ? &contact->shape_hit : NULL;
    event->has_witness = (now || passed) && contact->has_witness && !contact->of_shapes;
    event->has_time = event->has_end_time = false;
    event->time_lower = event->time_upper = event->end_lower = event->end_upper = 0;
    event->has_contacts = false;
    event->contacts = NULL;
    event->contact_count = 0;
    if (event->shape_hit != NULL)
        event->has_witness = grz_shape_hit_witness(&contact->shape_hit, &event->witness);
    else if (event->has_witness)
        event->witness = contact->witness;
    if (!event->has_witness)
        memset(&event->witness, 0, sizeof event->witness);
    if (now && scene->wants_manifolds)
        add_contacts(scene, contact, event);
    if (scene->stepping)
        add_times(scene, contact, event);
}

static void remember_undecided(graze_scene *scene, uint32_t index)
{
    const grz_contact *contact = &scene->contacts.data[index];
    scene->postponed.data[scene->postponed.count++] = index;
    scene->undecided.data[scene->undecided.count++] =
        (graze_undecided_pair){.a = grz_scene_handle(scene, contact->a),
                               .b = grz_scene_handle(scene, contact->b),
                               .collided = contact->colliding,
                               .lower = contact->lower,
                               .since = contact->since,
                               .importance = contact->importance,
                               .reason = !contact->unknown  ? GRAZE_UNDECIDED_BUDGET
                                         : contact->settled ? GRAZE_UNDECIDED_MOTION
                                                            : GRAZE_UNDECIDED_CURVED};
}

/* Contacts to report, by pair key, in scene->keyed, which has room for them. */
typedef struct event_list
{
    grz_key_value *keyed;
    size_t count, events, colliding;
} event_list;

static void add_to_events(graze_scene *scene, size_t index, event_list *list)
{
    const grz_contact *contact = &scene->contacts.data[index];
    bool event = !contact->undecided && grz_contact_has_event(scene, contact);
    if (event || contact->undecided)
        list->keyed[list->count++] = (grz_key_value){grz_pair_key(contact), index};
    list->events += event;
}

/* All contacts were tested and decided. */
static void list_outcomes(graze_scene *scene, size_t count, event_list *list)
{
    const uint8_t *outcomes = scene->outcomes.data;
    size_t before = list->count;
    for (size_t i = 0; i < count; i++)
    {
        list->keyed[list->count] = (grz_key_value){scene->pair_keys.data[i], scene->list.data[i]};
        list->count += (outcomes[i] & GRZ_OUTCOME_EVENT) != 0;
        list->colliding += (outcomes[i] & GRZ_OUTCOME_COLLIDES) != 0;
    }
    list->events += list->count - before;
}

static event_list list_events(graze_scene *scene, size_t box_pairs)
{
    event_list list = {.keyed = scene->keyed.data};
    /* Ended contacts come first: after a failed update there may be a new contact of the same objects. */
    for (size_t i = 0; i < scene->ending.count; i++)
    {
        const grz_contact *contact = &scene->contacts.data[scene->ending.data[i]];
        if (contact->reported)
            list.keyed[list.count++] = (grz_key_value){grz_pair_key(contact), scene->ending.data[i]};
    }
    list.events = list.count;
    /* shortcut: all-contacts-decided */
    if (scene->last_queue_count + scene->asleep_count == box_pairs) /* all were decided, or sleep */
    {
        list_outcomes(scene, scene->last_queue_count, &list);
        return list;
    }
    for (size_t i = 0; i < scene->contacts.count; i++)
    {
        const grz_contact *contact = &scene->contacts.data[i];
        if (contact->a == GRZ_NO_OBJECT || contact->ending)
            continue;
        list.colliding += contact->colliding && !contact->undecided;
        add_to_events(scene, i, &list);
    }
    return list;
}

/* Prefetches the data of an event: a contact, which may be in the cache of another thread, and two labels. */
static void prefetch(const graze_scene *scene, grz_key_value listed)
{
    const grz_contact *contact = &scene->contacts.data[listed.value];
    __builtin_prefetch(contact);
    __builtin_prefetch(&contact->witness);
    __builtin_prefetch(&scene->labels.data[listed.key >> 32]);
    __builtin_prefetch(&scene->labels.data[(uint32_t)listed.key]);
}

/* Writes the events of all listed contacts. Returns how many are passes. */
static size_t make_events(graze_scene *scene, const event_list *list)
{
    size_t passes = 0;
    for (size_t i = 0; i < list->count; i++)
    {
        grz_contact *contact = &scene->contacts.data[list->keyed[i].value];
        prefetch(scene, list->keyed[i + FETCHED < list->count ? i + FETCHED : i]);
        make_event(scene, contact, &scene->events.data[i]);
        passes += scene->events.data[i].kind == GRAZE_EVENT_PASS;
        if (contact->reported != contact->colliding)
            contact->reported = contact->colliding;
    }
    scene->events.count = list->count;
    return passes;
}

/* Moves undecided pairs from the sorted list to scene->undecided. Returns how many cannot be decided. */
static size_t extract_undecided(graze_scene *scene, event_list *list)
{
    size_t kept = 0, unknown = 0;
    for (size_t i = 0; i < list->count; i++)
    {
        const grz_contact *contact = &scene->contacts.data[list->keyed[i].value];
        if (!contact->ending && contact->undecided)
        {
            remember_undecided(scene, (uint32_t)list->keyed[i].value);
            unknown += contact->unknown;
        }
        else
            list->keyed[kept++] = list->keyed[i];
    }
    list->count = kept;
    return unknown;
}

graze_status grz_report_events(graze_scene *scene, uint64_t deadline, graze_frame *frame)
{
    const graze_context *context = &scene->context;
    if (!GRZ_RESERVE(context, &scene->keyed, 2 * scene->contacts.count))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    event_list list = list_events(scene, frame->box_pairs);
    if (!GRZ_RESERVE(context, &scene->events, list.events) ||
        !GRZ_RESERVE(context, &scene->undecided, list.count - list.events))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    graze_status status = grz_find_event_contacts(scene, list.keyed, list.count, deadline);
    if (status != GRAZE_STATUS_OK)
        return status;

    frame->colliding = list.colliding;
    if (list.count > 0) /* otherwise the array may be NULL, to which nothing can be added */
        grz_sort_keyed(list.keyed, list.keyed + list.count, list.count);
    scene->undecided.count = scene->postponed.count = 0;
    if (list.count > list.events)
        frame->unknown_count = extract_undecided(scene, &list);
    frame->pass_count = make_events(scene, &list);
    return GRAZE_STATUS_OK;
}
