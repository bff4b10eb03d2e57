/* SPDX-License-Identifier: MIT */
/*
 * src/broad: broad phases over boxes that move; knows no mesh. See README.md.
 *
 * The interface of a broad-phase method. Its caller (update.c) owns the tight boxes, the candidate pairs and their
 * classification; a method sees only *fat* boxes: float AABBs around the tight ones, enlarged so that they change
 * seldom. It gets the ids of the changed fat boxes and reports overlapping pairs. So exactness, begin and end of pairs,
 * filters and tags are implemented once, for all methods.
 *
 * Fat boxes are finite (coordinates outside the range of floats are clamped to it, which preserves overlaps), and lower
 * <= upper. Boxes may be points, flat, identical, nested, and as large as all floats.
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

/* What a method may read. All arrays are indexed by box id, below `limit`. They may be reallocated between calls. */
typedef struct grz_aabb_view
{
    const graze_context *context;
    const grz_fat_aabb *fat;
    const grz_fat_aabb
        *before; /* fat boxes at the last update; empty, lower > upper, if inserted or refiltered since, or it failed */
    const uint8_t *present;
    const uint8_t *dirty_flags;         /* GRZ_BOX_FAT_CHANGED exactly for the boxes passed to update as changed */
    const graze_oriented_box *oriented; /* NULL if no box has one; see has_oriented */
    const uint8_t *has_oriented;
    uint32_t limit;
    size_t count; /* boxes that are present */
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

/* Receives the pairs that a method reports. */
typedef struct grz_pair_sink
{
    const graze_context *context;
    GRZ_ARRAY(uint64_t) pairs; /* a << 32 | b */
    bool failed;               /* out of memory: pairs are missing */
} grz_pair_sink;

static inline void grz_sink_add_pair(grz_pair_sink *sink, uint32_t a, uint32_t b)
{
    if (!GRZ_PUSH(sink->context, &sink->pairs, (uint64_t)a << 32 | b))
        sink->failed = true;
}

/* Receives the box ids that a query reports. */
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

/* Whether the ray hits the box; conservative: never false for a hit. */
bool grz_ray_hits_fat_aabb(const grz_ray *ray, const grz_fat_aabb *box);

/* A method: the size of its state, and functions. The state begins with a graze_context; grz_method_create fills that
   in and sets everything else to 0. */
typedef struct grz_broad_method
{
    size_t state_size;
    bool reports_pairs_once; /* no duplicate pairs, in either order */
    bool supports_obb;       /* boxes that have an OBB then count as changed at every move */

    /* Frees the memory that the state owns, but not the state. NULL: it owns none. */
    void (*release)(const graze_context *context, void *state);

    /* Updates the structure. `changed`, ascending and without duplicates, are the boxes inserted, changed or removed
       (see view->present) since the last call; after creation all boxes are new. Reports to the sink, for each changed
       box that is present, every present box whose fat box overlaps its own, in either order. Pairs that overlapped
       before (view->before) may be left out; duplicates (unless reports_pairs_once) and pairs that do not overlap are
       allowed, but cost time. A method with supports_obb may leave out pairs whose OBBs (the fat box, for a box without
       OBB) are disjoint; then it must report pairs that overlapped before. Returns false when out of memory (in its own
       structure or in the sink); then only grz_method_destroy may follow. */
    bool (*update)(void *state, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink);

    /* Reports every box whose fat box overlaps `box`, or is hit by the ray; others and duplicates are allowed. Called
       from several threads at once. `box` need not be rounded outward. */
    void (*in_box)(const void *state, const grz_aabb_view *view, const grz_fat_aabb *box, grz_id_sink *sink);
    void (*on_ray)(const void *state, const grz_aabb_view *view, const grz_ray *ray, grz_id_sink *sink);

    /* Bytes that the state owns, without the state itself. NULL: none. */
    size_t (*memory)(const void *state);

    /* Whether all invariants of the structure hold, compared with the view. May be slow. */
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
