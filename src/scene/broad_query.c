/* SPDX-License-Identifier: MIT */
/* Questions to a broad phase as of its last update. */
#include <float.h>
#include <math.h>

#include "base/environment.h"
#include "math/bits.h"
#include "scene/broad.h"

bool grz_broad_is_settled(const graze_broad *broad)
{
    uint64_t news = 0;
    for (size_t word = 0; word * 64 < broad->limit; word++)
        news |= broad->arrays.news_bits[word];
    return news == 0 && !broad->behind;
}

graze_status graze_broad_gather(const graze_broad *broad, graze_box_pair *pairs, size_t capacity, size_t *out_count)
{
    if (broad == NULL || out_count == NULL || (pairs == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    size_t count = broad->candidates.meeting.count;
    grz_keyed *keyed = grz_allocate(&broad->context, count, 2 * sizeof *keyed);
    if (keyed == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++)
    {
        graze_box_pair pair = broad->candidates.meeting.data[i];
        keyed[i] = (grz_keyed){(uint64_t)pair.a << 32 | pair.b, pair.tag};
    }
    grz_sort_keyed(keyed, keyed + count, count);
    for (size_t i = 0; i < count && i < capacity; i++)
        pairs[i] = (graze_box_pair){(uint32_t)(keyed[i].key >> 32), (uint32_t)keyed[i].key, (uint32_t)keyed[i].value};
    grz_release(&broad->context, keyed);
    *out_count = count;
    return GRAZE_STATUS_OK;
}

/* After an update that failed: the method is not to be asked until the next one. */
static void name_all(const graze_broad *broad, grz_id_sink *sink)
{
    for (uint32_t id = 0; id < broad->limit; id++)
        if (broad->arrays.present[id])
            grz_sink_id(sink, id);
}

/* Sorts what a method named, once each, leaves out what the exact test does not want, and hands it over. */
static graze_status hand_over(const graze_broad *broad, grz_id_sink *sink, const grz_tight_box *box, const grz_ray *ray,
                              uint32_t *ids, size_t capacity, size_t *out_count)
{
    grz_keyed *keyed = sink->failed ? NULL : grz_allocate(&broad->context, sink->ids.count, 2 * sizeof *keyed);
    if (keyed == NULL)
    {
        grz_release(&broad->context, sink->ids.data);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    size_t named = sink->ids.count, count = 0;
    for (size_t i = 0; i < named; i++)
        keyed[i] = (grz_keyed){sink->ids.data[i], 0};
    grz_sort_keyed(keyed, keyed + named, named);
    for (size_t i = 0; i < named; i++)
    {
        uint32_t id = (uint32_t)keyed[i].key;
        if (i > 0 && keyed[i - 1].key == id)
            continue;
        const grz_tight_box *tight = &broad->arrays.tight[id];
        if (ray != NULL ? !grz_ray_meets_tight(ray, tight) : !grz_tight_overlap(box, tight))
            continue;
        if (count < capacity)
            ids[count] = id;
        count++;
    }
    grz_release(&broad->context, keyed);
    grz_release(&broad->context, sink->ids.data);
    *out_count = count;
    return GRAZE_STATUS_OK;
}

static graze_status find_in_box(const graze_broad *broad, const graze_box *box, uint32_t *ids, size_t capacity,
                                size_t *out_count)
{
    graze_status status = grz_box_check(box);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_id_sink sink = {.context = &broad->context};
    grz_tight_box tight = grz_box_tight(box);
    grz_fat_box fat = grz_box_fat(&tight);
    grz_boxes_view view = grz_broad_view(broad);
    if (broad->behind)
        name_all(broad, &sink);
    else if (broad->state != NULL)
        broad->method->in_box(broad->state, &view, &fat, &sink);
    return hand_over(broad, &sink, &tight, NULL, ids, capacity, out_count);
}

/* Boxes and rays are compared in the usual environment, as in updates. */
graze_status graze_broad_in_box(const graze_broad *broad, const graze_box *box, uint32_t *ids, size_t capacity,
                                size_t *out_count)
{
    if (broad == NULL || box == NULL || out_count == NULL || (ids == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_other(&environment);
    graze_status status = find_in_box(broad, box, ids, capacity, out_count);
    grz_environment_leave_other(&environment);
    return status;
}

static graze_status find_on_ray(const graze_broad *broad, const grz_ray *ray, uint32_t *ids, size_t capacity,
                                size_t *out_count)
{
    grz_id_sink sink = {.context = &broad->context};
    grz_boxes_view view = grz_broad_view(broad);
    if (broad->behind)
        name_all(broad, &sink);
    else if (broad->state != NULL)
        broad->method->on_ray(broad->state, &view, ray, &sink);
    return hand_over(broad, &sink, NULL, ray, ids, capacity, out_count);
}

graze_status graze_broad_on_ray(const graze_broad *broad, const double origin[3], const double direction[3],
                                double limit, uint32_t *ids, size_t capacity, size_t *out_count)
{
    if (broad == NULL || origin == NULL || direction == NULL || out_count == NULL || (ids == NULL && capacity > 0) ||
        !(limit >= 0) || grz_is_less(limit, 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_ray ray = {.limit = limit};
    for (int axis = 0; axis < 3; axis++)
    {
        if (!isfinite(origin[axis]) || !isfinite(direction[axis]))
            return GRAZE_STATUS_NOT_FINITE;
        ray.origin[axis] = origin[axis];
        ray.direction[axis] = direction[axis];
    }
    grz_environment environment;
    grz_environment_enter_other(&environment);
    graze_status status = find_on_ray(broad, &ray, ids, capacity, out_count);
    grz_environment_leave_other(&environment);
    return status;
}

size_t graze_broad_memory(const graze_broad *broad)
{
    if (broad == NULL)
        return 0;
    const grz_candidates *c = &broad->candidates;
    size_t each = sizeof(grz_tight_box) + 2 * sizeof(grz_fat_box) + 2 + sizeof(grz_link_list);
    if (broad->oriented != NULL)
        each += sizeof *broad->oriented + 1;
    size_t size = sizeof *broad + (size_t)broad->capacity * each + broad->capacity / 8;
    size += c->near.capacity * sizeof *c->near.data + c->meeting.capacity * sizeof *c->meeting.data;
    size += c->candidate_of.capacity * sizeof *c->candidate_of.data;
    size += c->links.pool.capacity * sizeof *c->links.pool.data;
    size += broad->sink.pairs.capacity * sizeof *broad->sink.pairs.data;
    size += (broad->changed.capacity + broad->movers.capacity + broad->verdict.capacity + broad->begun.capacity +
             broad->moved.capacity) *
            sizeof(uint32_t);
    size += broad->ended.capacity * sizeof *broad->ended.data + broad->keyed.capacity * sizeof *broad->keyed.data;
    return size + (broad->state != NULL ? broad->method->memory(broad->state) : 0);
}

/* Whether a candidate and the lists it is in agree. */
static bool is_linked(const graze_broad *broad, size_t place)
{
    const grz_candidates *c = &broad->candidates;
    const grz_candidate *candidate = &c->near.data[place];
    const grz_link_list *list_a = &broad->arrays.lists[candidate->a], *list_b = &broad->arrays.lists[candidate->b];
    if (candidate->a >= candidate->b || candidate->at_a >= list_a->count || candidate->at_b >= list_b->count)
        return false;
    grz_link link_a = grz_links_of(&c->links, list_a)[candidate->at_a];
    grz_link link_b = grz_links_of(&c->links, list_b)[candidate->at_b];
    if (link_a.other != candidate->b || link_b.other != candidate->a || link_a.candidate != place ||
        link_b.candidate != place)
        return false;
    if (candidate->pair == GRZ_NO_PAIR)
        return true;
    const graze_box_pair *pair = &c->meeting.data[candidate->pair];
    return candidate->pair < c->meeting.count && c->candidate_of.data[candidate->pair] == place &&
           pair->a == candidate->a && pair->b == candidate->b;
}

/* Whether a box lies in its fat one, as far as floats reach. */
static bool is_held(const graze_broad *broad, uint32_t id)
{
    grz_tight_box box = broad->arrays.tight[id];
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = fmax(-FLT_MAX, fmin(FLT_MAX, box.lower[axis]));
        box.upper[axis] = fmax(-FLT_MAX, fmin(FLT_MAX, box.upper[axis]));
    }
    return grz_fat_holds(&broad->arrays.fat[id], &box);
}

graze_status graze_broad_validate(const graze_broad *broad)
{
    if (broad == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    size_t links = 0, present = 0, meeting = 0;
    if (broad->behind)
        return GRAZE_STATUS_OK;
    for (uint32_t id = 0; id < broad->limit; id++)
    {
        links += broad->arrays.lists[id].count;
        present += broad->arrays.present[id];
        if (broad->arrays.present[id] && !(broad->arrays.news[id] & GRZ_BOX_CHANGED) && !is_held(broad, id))
            return GRAZE_STATUS_INTERNAL;
    }
    for (size_t place = 0; place < broad->candidates.near.count; place++)
    {
        if (!is_linked(broad, place))
            return GRAZE_STATUS_INTERNAL;
        meeting += broad->candidates.near.data[place].pair != GRZ_NO_PAIR;
    }
    if (links != 2 * broad->candidates.near.count || present != broad->count ||
        meeting != broad->candidates.meeting.count || meeting != broad->candidates.candidate_of.count)
        return GRAZE_STATUS_INTERNAL;
    grz_boxes_view view = grz_broad_view(broad);
    if (broad->state != NULL && !broad->method->validate(broad->state, &view))
        return GRAZE_STATUS_INTERNAL;
    return GRAZE_STATUS_OK;
}
