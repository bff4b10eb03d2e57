/* SPDX-License-Identifier: MIT */
/*
 * src/scene: many objects at once. May use everything up to src/soft.
 *
 * The interface of a broad phase's method. The caller of a method (broad_phase.c) keeps the exact boxes, the pairs and
 * what became of them; a method only knows *fat* boxes, floats around the exact ones and a little larger, which change
 * seldom. It is told which fat boxes changed and names the pairs of those that overlap. So exactness, events, filters
 * and tags are solved once, for all methods.
 *
 * Floats of fat boxes are finite (what is beyond their range is moved to its end, which keeps overlaps), and lower
 * <= upper. Boxes may be points, planes, coincident, nested, and as large as all floats.
 */
#ifndef GRZ_BROAD_METHOD_H
#define GRZ_BROAD_METHOD_H

#include <stdbool.h>

#include "base/array.h"
#include "graze/broad_phase.h"
#include "simd/f32x4.h"

/* The fourth lanes are 0. */
typedef struct grz_fat_aabb
{
    _Alignas(16) float lower[4];
    float upper[4];
} grz_fat_aabb;

static inline bool grz_fat_aabb_overlap(const grz_fat_aabb *a, const grz_fat_aabb *b)
{
    return f32x4_all_le(f32x4_load(a->lower), f32x4_load(b->upper), f32x4_load(b->lower), f32x4_load(a->upper));
}

/* Flags of a box: its changes since the last update. */
enum
{
    GRZ_BOX_MOVED = 1,      /* also: new */
    GRZ_BOX_REFILTER = 2,   /* the filter is asked about its pairs again */
    GRZ_BOX_REINSERTED = 4, /* its id was removed and inserted again: all pairs it is in belong to the removed box */
    GRZ_BOX_FAT_CHANGED = 8 /* its fat box has changed, or is gone */
};

/* What a method may look at. All arrays are by number of the box, below `limit`. They may move between calls. */
typedef struct grz_aabb_view
{
    const graze_context *context;
    const grz_fat_aabb *fat;
    const grz_fat_aabb *before; /* fat boxes at the last update; empty, lower > upper, for boxes that were not there */
    const uint8_t *present;
    const uint8_t *dirty_flags;         /* GRZ_BOX_FAT_CHANGED exactly for the boxes passed to update as changed */
    const graze_oriented_box *oriented; /* NULL when no box ever was; see has_oriented */
    const uint8_t *has_oriented;
    uint32_t limit;
    size_t count; /* of boxes that are present */
} grz_aabb_view;

/* Whether a box, or one of two, is among those that changed; during an update. */
static inline bool grz_view_changed(const grz_aabb_view *view, uint32_t id)
{
    return (view->dirty_flags[id] & GRZ_BOX_FAT_CHANGED) != 0;
}

static inline bool grz_view_either_changed(const grz_aabb_view *view, uint32_t a, uint32_t b)
{
    return ((view->dirty_flags[a] | view->dirty_flags[b]) & GRZ_BOX_FAT_CHANGED) != 0;
}

/* Takes the pairs a method finds. */
typedef struct grz_pair_sink
{
    const graze_context *context;
    GRZ_ARRAY(uint64_t) pairs; /* a << 32 | b */
    bool failed;               /* out of memory: some are missing */
} grz_pair_sink;

static inline void grz_sink_add_pair(grz_pair_sink *sink, uint32_t a, uint32_t b)
{
    if (!GRZ_PUSH(sink->context, &sink->pairs, (uint64_t)a << 32 | b))
        sink->failed = true;
}

/* Takes the boxes a query finds. */
typedef struct grz_id_sink
{
    const graze_context *context;
    GRZ_ARRAY(uint32_t) ids;
    bool failed;
} grz_id_sink;

static inline void grz_sink_add_id(grz_id_sink *sink, uint32_t id)
{
    if (!GRZ_PUSH(sink->context, &sink->ids, id))
        sink->failed = true;
}

/* A ray for queries: origin + t direction, 0 <= t <= limit. */
typedef struct grz_ray
{
    double origin[3], direction[3], limit;
} grz_ray;

/* Whether the ray meets the box: surely true where it does. */
bool grz_ray_hits_fat_aabb(const grz_ray *ray, const grz_fat_aabb *box);

/* A method: the size of its state, and functions. The state begins with a graze_context; grz_method_create fills that
   in and sets everything else to 0. */
typedef struct grz_broad_method
{
    size_t state_size;
    bool reports_pairs_once; /* no pair twice, in either order */
    bool supports_obb; /* then boxes with an oriented one are passed on at every move, and are as tight as can be */

    /* Frees the memory that the state owns, but not the state. NULL: it owns none. */
    void (*release)(const graze_context *context, void *state);

    /* Brings the structure up to date: `changed`, ascending and without repetition, are the boxes that are new, other
       or gone (as view->present tells) since the last call; after create all are new. For each changed box that is
       present every present box whose fat box overlaps its own is named in the sink, as a pair in either order. Pairs
       that overlapped before (view->before) need not be named; naming a pair twice (unless reports_pairs_once says
       otherwise), or one that does not overlap, is allowed but costs time. A method that takes oriented boxes may leave
       out pairs whose oriented boxes, with the fat box for one that has none, do not share a point; then it must name a
       pair that overlapped before. Returns false when out of memory (in its own structure, or in the sink); then the
       next call is destroy. */
    bool (*update)(void *state, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink);

    /* Names every box whose fat box overlaps `box`, or that the ray meets; others, or one twice, are allowed. Called
       from several threads at once. `box` need not be one that was rounded outward. */
    void (*in_box)(const void *state, const grz_aabb_view *view, const grz_fat_aabb *box, grz_id_sink *sink);
    void (*on_ray)(const void *state, const grz_aabb_view *view, const grz_ray *ray, grz_id_sink *sink);

    /* Bytes that the state owns, without the state itself. NULL: none. */
    size_t (*memory)(const void *state);

    /* Whether every invariant of the structure holds, compared with the view. May be slow. */
    bool (*validate)(const void *state, const grz_aabb_view *view);
} grz_broad_method;

extern const grz_broad_method grz_brute_force_method, grz_sort_and_sweep_method, grz_sweep_and_prune_method,
    grz_hash_grid_method, grz_oriented_grid_method, grz_octree_method, grz_dynamic_bvh_method;

/* An empty state of a method; NULL when out of memory. */
void *grz_method_create(const grz_broad_method *method, const graze_context *context);
void grz_method_destroy(const grz_broad_method *method, void *state);

/* Size of a state in bytes, with what it owns. */
size_t grz_method_memory(const grz_broad_method *method, const void *state);

#endif
