/* SPDX-License-Identifier: MIT */
/* Queries of a broad phase as of its last update; memory size and validation. */
#include <float.h>
#include <math.h>

#include "base/bits.h"
#include "base/environment.h"
#include "broad/broad_phase.h"

bool grz_broad_is_up_to_date(const graze_broad_phase *broad)
{
    uint64_t dirty_flags = 0;
    for (size_t word = 0; word * 64 < broad->limit; word++)
        dirty_flags |= broad->arrays.dirty_bits[word];
    return dirty_flags == 0 && !broad->out_of_date;
}

graze_status graze_broad_phase_gather(const graze_broad_phase *broad, graze_box_pair *pairs, size_t capacity,
                                      size_t *out_count)
{
    if (broad == NULL || out_count == NULL || (pairs == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    size_t count = broad->candidates.overlapping.count;
    grz_key_value *keyed = grz_allocate(&broad->context, count, 2 * sizeof *keyed);
    if (keyed == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++)
    {
        graze_box_pair pair = broad->candidates.overlapping.data[i];
        keyed[i] = (grz_key_value){(uint64_t)pair.a << 32 | pair.b, pair.tag};
    }
    grz_sort_keyed(keyed, keyed + count, count);
    for (size_t i = 0; i < count && i < capacity; i++)
        pairs[i] = (graze_box_pair){(uint32_t)(keyed[i].key >> 32), (uint32_t)keyed[i].key, (uint32_t)keyed[i].value};
    grz_release(&broad->context, keyed);
    *out_count = count;
    return GRAZE_STATUS_OK;
}

/* All boxes: after a failed update the method may not be queried until the next one. */
static void add_all_ids(const graze_broad_phase *broad, grz_id_sink *sink)
{
    for (uint32_t id = 0; id < broad->limit; id++)
        if (broad->arrays.present[id])
            grz_sink_add_id(sink, id);
}

/* Sorts the reported ids, removes duplicates and ids that fail the exact test, and writes the rest to the output. */
static graze_status output_ids(const graze_broad_phase *broad, grz_id_sink *sink, const grz_tight_aabb *box,
                               const grz_ray *ray, uint32_t *ids, size_t capacity, size_t *out_count)
{
    grz_key_value *keyed = sink->failed ? NULL : grz_allocate(&broad->context, sink->ids.count, 2 * sizeof *keyed);
    if (keyed == NULL)
    {
        grz_release(&broad->context, sink->ids.data);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    size_t named = sink->ids.count, count = 0;
    for (size_t i = 0; i < named; i++)
        keyed[i] = (grz_key_value){sink->ids.data[i], 0};
    grz_sort_keyed(keyed, keyed + named, named);
    for (size_t i = 0; i < named; i++)
    {
        uint32_t id = (uint32_t)keyed[i].key;
        if (i > 0 && keyed[i - 1].key == id)
            continue;
        const grz_tight_aabb *tight = &broad->arrays.tight[id];
        if (ray != NULL ? !grz_ray_hits_tight_aabb(ray, tight) : !grz_tight_aabb_overlap(box, tight))
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

static graze_status find_in_box(const graze_broad_phase *broad, const graze_box *box, uint32_t *ids, size_t capacity,
                                size_t *out_count)
{
    graze_status status = grz_aabb_check(box);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_id_sink sink = {.context = &broad->context};
    grz_tight_aabb tight = grz_tight_aabb_from_box(box);
    grz_fat_aabb fat = grz_fat_aabb_around(&tight);
    grz_aabb_view view = grz_broad_view(broad);
    if (broad->out_of_date)
        add_all_ids(broad, &sink);
    else if (broad->state != NULL)
        broad->method->in_box(broad->state, &view, &fat, &sink);
    return output_ids(broad, &sink, &tight, NULL, ids, capacity, out_count);
}

/* Boxes and rays are tested in the default floating-point environment, as in updates. */
graze_status graze_broad_phase_collide_box(const graze_broad_phase *broad, const graze_box *box, uint32_t *ids,
                                           size_t capacity, size_t *out_count)
{
    if (broad == NULL || box == NULL || out_count == NULL || (ids == NULL && capacity > 0))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = find_in_box(broad, box, ids, capacity, out_count);
    grz_environment_leave_default(&environment);
    return status;
}

static graze_status find_on_ray(const graze_broad_phase *broad, const grz_ray *ray, uint32_t *ids, size_t capacity,
                                size_t *out_count)
{
    grz_id_sink sink = {.context = &broad->context};
    grz_aabb_view view = grz_broad_view(broad);
    if (broad->out_of_date)
        add_all_ids(broad, &sink);
    else if (broad->state != NULL)
        broad->method->on_ray(broad->state, &view, ray, &sink);
    return output_ids(broad, &sink, NULL, ray, ids, capacity, out_count);
}

graze_status graze_broad_phase_cast_ray(const graze_broad_phase *broad, const double origin[3],
                                        const double direction[3], double limit, uint32_t *ids, size_t capacity,
                                        size_t *out_count)
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
    grz_environment_enter_default(&environment);
    graze_status status = find_on_ray(broad, &ray, ids, capacity, out_count);
    grz_environment_leave_default(&environment);
    return status;
}

size_t graze_broad_phase_memory_size(const graze_broad_phase *broad)
{
    if (broad == NULL)
        return 0;
    const grz_candidates *c = &broad->candidates;
    size_t each = sizeof(grz_tight_aabb) + 2 * sizeof(grz_fat_aabb) + 2 + sizeof(grz_pooled_list);
    if (broad->oriented != NULL)
        each += sizeof *broad->oriented + 1;
    size_t size = sizeof *broad + (size_t)broad->capacity * each + broad->capacity / 8;
    size += c->entries.capacity * sizeof *c->entries.data + c->overlapping.capacity * sizeof *c->overlapping.data;
    size += c->candidate_of.capacity * sizeof *c->candidate_of.data;
    size += c->links.pool.capacity * sizeof *c->links.pool.data;
    size += broad->sink.pairs.capacity * sizeof *broad->sink.pairs.data;
    size += (broad->changed.capacity + broad->movers.capacity + broad->classified.capacity + broad->begun.capacity +
             broad->moved.capacity) *
            sizeof(uint32_t);
    size += broad->ended.capacity * sizeof *broad->ended.data + broad->keyed.capacity * sizeof *broad->keyed.data;
    return size + (broad->state != NULL ? grz_method_memory(broad->method, broad->state) : 0);
}

/* Whether a candidate and its list entries agree. */
static bool is_linked(const graze_broad_phase *broad, size_t index)
{
    const grz_candidates *c = &broad->candidates;
    const grz_candidate *candidate = &c->entries.data[index];
    const grz_pooled_list *list_a = &broad->arrays.lists[candidate->a], *list_b = &broad->arrays.lists[candidate->b];
    if (candidate->a >= candidate->b || candidate->at_a >= list_a->count || candidate->at_b >= list_b->count)
        return false;
    grz_list_entry link_a = grz_list_entries(&c->links, list_a)[candidate->at_a];
    grz_list_entry link_b = grz_list_entries(&c->links, list_b)[candidate->at_b];
    if (link_a.other != candidate->b || link_b.other != candidate->a || link_a.candidate != index ||
        link_b.candidate != index)
        return false;
    if (candidate->pair == GRZ_NOT_OVERLAPPING)
        return true;
    const graze_box_pair *pair = &c->overlapping.data[candidate->pair];
    return candidate->pair < c->overlapping.count && c->candidate_of.data[candidate->pair] == index &&
           pair->a == candidate->a && pair->b == candidate->b;
}

/* Whether the fat AABB contains the box, clamped to the range of floats. */
static bool is_in_fat_aabb(const graze_broad_phase *broad, uint32_t id)
{
    grz_tight_aabb box = broad->arrays.tight[id];
    for (int axis = 0; axis < 3; axis++)
    {
        box.lower[axis] = fmax(-FLT_MAX, fmin(FLT_MAX, box.lower[axis]));
        box.upper[axis] = fmax(-FLT_MAX, fmin(FLT_MAX, box.upper[axis]));
    }
    return grz_fat_aabb_contains(&broad->arrays.fat[id], &box);
}

graze_status graze_broad_phase_validate(const graze_broad_phase *broad)
{
    if (broad == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    size_t links = 0, present = 0, overlapping = 0;
    if (broad->out_of_date)
        return GRAZE_STATUS_OK;
    for (uint32_t id = 0; id < broad->limit; id++)
    {
        links += broad->arrays.lists[id].count;
        present += broad->arrays.present[id];
        if (broad->arrays.present[id] && !(broad->arrays.dirty_flags[id] & GRZ_BOX_FAT_CHANGED) &&
            !is_in_fat_aabb(broad, id))
            return GRAZE_STATUS_INTERNAL;
    }
    for (size_t index = 0; index < broad->candidates.entries.count; index++)
    {
        if (!is_linked(broad, index))
            return GRAZE_STATUS_INTERNAL;
        overlapping += broad->candidates.entries.data[index].pair != GRZ_NOT_OVERLAPPING;
    }
    if (links != 2 * broad->candidates.entries.count || present != broad->count ||
        overlapping != broad->candidates.overlapping.count || overlapping != broad->candidates.candidate_of.count)
        return GRAZE_STATUS_INTERNAL;
    grz_aabb_view view = grz_broad_view(broad);
    if (broad->state != NULL && !broad->method->validate(broad->state, &view))
        return GRAZE_STATUS_INTERNAL;
    return GRAZE_STATUS_OK;
}
