/* SPDX-License-Identifier: MIT */
/* Boxes of a broad phase: insert, move, remove and refilter between updates; see broad_phase.h. */
#include "broad/broad_phase.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/environment.h"
#include "base/struct_size.h"

enum
{
    CACHE_LINE_SIZE = 64,
    LEAST_CAPACITY = 64
};

graze_status graze_broad_phase_create(const graze_context *context, const graze_broad_phase_def *def,
                                      graze_broad_phase **out_broad)
{
    GRZ_FULL_STRUCT(graze_broad_phase_def, def);
    if (!def_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_broad_phase_def wanted = def != NULL ? *def : graze_broad_phase_def_default();
    if (out_broad == NULL || graze_broad_phase_method_name(wanted.method) == NULL || !(wanted.margin >= 0) ||
        !isfinite(wanted.margin))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_broad_phase *broad = grz_allocate_zeroed(context, 1, sizeof *broad);
    if (broad == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    broad->context = grz_context_copy(context);
    broad->def = wanted;
    broad->used = grz_broad_choose_method(wanted.method, GRAZE_BROAD_PHASE_AUTO, 0);
    broad->method = grz_broad_method_of(broad->used);
    *out_broad = broad;
    return GRAZE_STATUS_OK;
}

static void release_arrays(const graze_context *context, grz_broad_arrays *arrays)
{
    grz_release(context, arrays->tight_memory);
    grz_release(context, arrays->fat);
    grz_release(context, arrays->before);
    grz_release(context, arrays->present);
    grz_release(context, arrays->dirty_flags);
    grz_release(context, arrays->dirty_bits);
    grz_release(context, arrays->lists);
}

void graze_broad_phase_destroy(graze_broad_phase *broad)
{
    if (broad == NULL)
        return;
    graze_context context = broad->context;
    if (broad->state != NULL)
        grz_method_destroy(broad->method, broad->state);
    release_arrays(&context, &broad->arrays);
    grz_release(&context, broad->oriented);
    grz_release(&context, broad->has_oriented);
    grz_candidates_release(&context, &broad->candidates);
    grz_release(&context, broad->sink.pairs.data);
    grz_release(&context, broad->changed.data);
    grz_release(&context, broad->marks.data);
    grz_release(&context, broad->movers.data);
    grz_release(&context, broad->classified.data);
    grz_release(&context, broad->ended.data);
    grz_release(&context, broad->begun.data);
    grz_release(&context, broad->moved.data);
    grz_release(&context, broad->keyed.data);
    grz_release(&context, broad);
}

/* Allocates arrays for `capacity` ids, all empty. False when out of memory, with nothing to release. */
static bool allocate_arrays(const graze_context *context, size_t capacity, grz_broad_arrays *out_arrays)
{
    grz_broad_arrays arrays = {.tight_memory = grz_allocate(context, capacity + 1, sizeof *arrays.tight),
                               .fat = grz_allocate_zeroed(context, capacity, sizeof *arrays.fat),
                               .before = grz_allocate_zeroed(context, capacity, sizeof *arrays.before),
                               .present = grz_allocate_zeroed(context, capacity, 1),
                               .dirty_flags = grz_allocate_zeroed(context, capacity, 1),
                               .dirty_bits = grz_allocate_zeroed(context, capacity / 64 + 1, sizeof(uint64_t)),
                               .lists = grz_allocate_zeroed(context, capacity, sizeof *arrays.lists)};
    if (arrays.tight_memory == NULL || arrays.fat == NULL || arrays.before == NULL || arrays.present == NULL ||
        arrays.dirty_flags == NULL || arrays.dirty_bits == NULL || arrays.lists == NULL)
    {
        release_arrays(context, &arrays);
        return false;
    }
    uintptr_t address = (uintptr_t)arrays.tight_memory;
    size_t skip = (CACHE_LINE_SIZE - address % CACHE_LINE_SIZE) % CACHE_LINE_SIZE;
    arrays.tight = (grz_tight_aabb *)(void *)((char *)arrays.tight_memory + skip);
    *out_arrays = arrays;
    return true;
}

static void copy_arrays(const grz_broad_arrays *from, size_t count, grz_broad_arrays *to)
{
    if (count == 0)
        return;
    memcpy(to->tight, from->tight, count * sizeof *to->tight);
    memcpy(to->fat, from->fat, count * sizeof *to->fat);
    memcpy(to->before, from->before, count * sizeof *to->before);
    memcpy(to->present, from->present, count);
    memcpy(to->dirty_flags, from->dirty_flags, count);
    memcpy(to->dirty_bits, from->dirty_bits, (count / 64 + 1) * sizeof *to->dirty_bits);
    memcpy(to->lists, from->lists, count * sizeof *to->lists);
}

/* OBBs are allocated separately, since most broad phases have none. */
static bool grow_oriented(graze_broad_phase *broad, size_t capacity, size_t count)
{
    graze_oriented_box *oriented = grz_allocate(&broad->context, capacity, sizeof *oriented);
    uint8_t *has = grz_allocate_zeroed(&broad->context, capacity, 1);
    if (oriented == NULL || has == NULL)
    {
        grz_release(&broad->context, oriented);
        grz_release(&broad->context, has);
        return false;
    }
    if (broad->oriented != NULL && count > 0)
    {
        memcpy(oriented, broad->oriented, count * sizeof *oriented);
        memcpy(has, broad->has_oriented, count);
    }
    grz_release(&broad->context, broad->oriented);
    grz_release(&broad->context, broad->has_oriented);
    broad->oriented = oriented;
    broad->has_oriented = has;
    return true;
}

bool grz_broad_reserve(graze_broad_phase *broad, uint32_t id)
{
    if (id < broad->capacity)
        return true;
    size_t capacity = (size_t)id + 1 + id / 2;
    if (capacity < LEAST_CAPACITY)
        capacity = LEAST_CAPACITY;
    if (capacity > UINT32_MAX)
        capacity = UINT32_MAX;
    grz_broad_arrays arrays;
    if (!allocate_arrays(&broad->context, capacity, &arrays))
        return false;
    if (broad->oriented != NULL && !grow_oriented(broad, capacity, broad->capacity))
    {
        release_arrays(&broad->context, &arrays);
        return false;
    }
    copy_arrays(&broad->arrays, broad->capacity, &arrays);
    release_arrays(&broad->context, &broad->arrays);
    broad->arrays = arrays;
    broad->capacity = (uint32_t)capacity;
    return true;
}

static inline void mark_dirty(graze_broad_phase *broad, uint32_t id, unsigned dirty_flags)
{
    broad->arrays.dirty_flags[id] = (uint8_t)(broad->arrays.dirty_flags[id] | dirty_flags);
    broad->arrays.dirty_bits[id / 64] |= UINT64_C(1) << id % 64;
}

static inline bool has_box(const graze_broad_phase *broad, uint32_t id)
{
    return id < broad->limit && broad->arrays.present[id] != 0;
}

/* grz_aabb_check in the default floating-point environment: with denormals flushed to zero an inverted box may seem
   valid. */
static graze_status check(const graze_box *box)
{
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = grz_aabb_check(box);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status graze_broad_phase_insert(graze_broad_phase *broad, uint32_t id, const graze_box *box)
{
    if (broad == NULL || box == NULL || id == UINT32_MAX || has_box(broad, id))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = check(box);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!grz_broad_reserve(broad, id))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    grz_broad_arrays *arrays = &broad->arrays;
    arrays->tight[id] = grz_tight_aabb_from_box(box);
    arrays->fat[id] = grz_fat_aabb_around(&arrays->tight[id]);
    arrays->before[id] = grz_fat_aabb_empty();
    arrays->present[id] = 1;
    if (broad->limit <= id)
        broad->limit = id + 1;
    broad->count++;
    mark_dirty(broad, id,
               GRZ_BOX_MOVED | GRZ_BOX_FAT_CHANGED | (arrays->lists[id].count > 0 ? GRZ_BOX_REINSERTED : 0u));
    return GRAZE_STATUS_OK;
}

/* Between 0.5 and 1.5 times the margin, so that boxes that began to move together do not leave their fat boxes in the
   same update, which spreads the work over updates. (Knuth's linear congruential generator.) */
static inline double jittered_margin(graze_broad_phase *broad)
{
    broad->jitter_state = broad->jitter_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return broad->def.margin * (0.5 + 0x1p-32 * (double)(broad->jitter_state >> 32));
}

/* Moves a box that is present to coordinates that were checked. */
static inline void move(graze_broad_phase *broad, uint32_t id, const grz_tight_aabb *box)
{
    grz_tight_aabb *tight = &broad->arrays.tight[id];
    grz_fat_aabb *fat = &broad->arrays.fat[id];
    bool was_oriented = broad->has_oriented != NULL && broad->has_oriented[id];
    /* shortcut: same-box */
    if (grz_tight_aabb_equal(tight, box) && !was_oriented)
        return;
    unsigned dirty_flags = GRZ_BOX_MOVED;
    /* shortcut: fat-box-contains */
    if (!grz_fat_aabb_contains(fat, box))
    {
        *fat = broad->def.margin > 0 ? grz_fat_aabb_around_moving(box, tight, jittered_margin(broad))
                                     : grz_fat_aabb_around(box);
        dirty_flags |= GRZ_BOX_FAT_CHANGED;
    }
    if (was_oriented)
    {
        broad->has_oriented[id] = 0;
        dirty_flags |= GRZ_BOX_FAT_CHANGED;
    }
    *tight = *box;
    mark_dirty(broad, id, dirty_flags);
}

/* Called in the default floating-point environment: boxes that differ by denormal numbers are different. */
static inline graze_status check_and_move(graze_broad_phase *broad, uint32_t id, const graze_box *box)
{
    if (!has_box(broad, id))
        return GRAZE_STATUS_BAD_INDEX;
    if (!grz_aabb_is_valid(box))
        return grz_aabb_check(box);
    grz_tight_aabb tight = grz_tight_aabb_from_box(box);
    move(broad, id, &tight);
    return GRAZE_STATUS_OK;
}

graze_status grz_broad_move(graze_broad_phase *broad, uint32_t id, const graze_box *box)
{
    return check_and_move(broad, id, box);
}

graze_status graze_broad_phase_move(graze_broad_phase *broad, uint32_t id, const graze_box *box)
{
    if (broad == NULL || box == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = check_and_move(broad, id, box);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status graze_broad_phase_move_many(graze_broad_phase *broad, const uint32_t *ids, const graze_box *boxes,
                                         size_t count, size_t *out_index)
{
    if (broad == NULL || (count > 0 && (ids == NULL || boxes == NULL)))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = GRAZE_STATUS_OK;
    size_t next = 0;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    while (next < count && status == GRAZE_STATUS_OK)
    {
        status = check_and_move(broad, ids[next], &boxes[next]);
        next++;
    }
    grz_environment_leave_default(&environment);
    if (status != GRAZE_STATUS_OK && out_index != NULL)
        *out_index = next - 1;
    return status;
}

graze_status graze_broad_phase_set_oriented_box(graze_broad_phase *broad, uint32_t id, const graze_oriented_box *box)
{
    if (broad == NULL || box == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!has_box(broad, id))
        return GRAZE_STATUS_BAD_INDEX;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(box->centre[axis]) || !isfinite(box->axes[axis][k]))
                return GRAZE_STATUS_NOT_FINITE;
    if (broad->oriented == NULL && !grow_oriented(broad, broad->capacity, 0))
        return GRAZE_STATUS_OUT_OF_MEMORY;
    broad->oriented[id] = *box;
    broad->has_oriented[id] = 1;
    mark_dirty(broad, id, GRZ_BOX_MOVED | (broad->method->supports_obb ? GRZ_BOX_FAT_CHANGED : 0u));
    return GRAZE_STATUS_OK;
}

graze_status graze_broad_phase_remove(graze_broad_phase *broad, uint32_t id)
{
    if (broad == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!has_box(broad, id))
        return GRAZE_STATUS_BAD_INDEX;
    broad->arrays.present[id] = 0;
    if (broad->has_oriented != NULL)
        broad->has_oriented[id] = 0;
    broad->count--;
    mark_dirty(broad, id, GRZ_BOX_MOVED | GRZ_BOX_FAT_CHANGED);
    return GRAZE_STATUS_OK;
}

void grz_broad_mark_moved(graze_broad_phase *broad, uint32_t id)
{
    mark_dirty(broad, id, GRZ_BOX_MOVED);
}

graze_status graze_broad_phase_refilter(graze_broad_phase *broad, uint32_t id)
{
    if (broad == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!has_box(broad, id))
        return GRAZE_STATUS_BAD_INDEX;
    /* shortcut: filter-asked-once */
    broad->arrays.before[id] = grz_fat_aabb_empty(); /* so that all its pairs are reported */
    mark_dirty(broad, id, GRZ_BOX_MOVED | GRZ_BOX_FAT_CHANGED | GRZ_BOX_REFILTER);
    broad->needs_refilter = true;
    return GRAZE_STATUS_OK;
}

const graze_box_pair *graze_broad_phase_pairs(const graze_broad_phase *broad, size_t *out_count)
{
    if (out_count != NULL)
        *out_count = broad != NULL ? broad->candidates.overlapping.count : 0;
    return broad != NULL ? broad->candidates.overlapping.data : NULL;
}

void graze_broad_phase_set_tag(graze_broad_phase *broad, size_t address, uint32_t tag)
{
    if (broad != NULL && address < broad->candidates.overlapping.count)
        broad->candidates.overlapping.data[address].tag = tag;
}

size_t graze_broad_phase_box_count(const graze_broad_phase *broad)
{
    return broad != NULL ? broad->count : 0;
}

graze_broad_phase_method graze_broad_phase_method_used(const graze_broad_phase *broad)
{
    return broad != NULL ? broad->used : GRAZE_BROAD_PHASE_AUTO;
}
