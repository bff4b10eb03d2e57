/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Broad phase: finds all overlapping pairs among many moving axis-aligned boxes (AABBs), and which pairs began and
 * ended since the last update. Scenes use it; it also works alone, for any objects that have AABBs.
 *
 *     graze_broad_phase *broad;
 *     graze_broad_phase_create(NULL, NULL, &broad);
 *     graze_broad_phase_insert(broad, 7, &box); ... graze_broad_phase_move(broad, 7, &other_box); ...
 *     graze_broad_phase_changes changes;
 *     graze_broad_phase_update(broad, &changes);   // what was inserted, moved and removed counts from here on
 *     graze_broad_phase_destroy(broad);
 *
 * Boxes are closed sets, so touching boxes overlap. The caller chooses their ids. The methods differ in time and memory
 * only: each gives exactly the pairs that comparing every box with every other gives.
 */
#ifndef GRAZE_BROAD_PHASE_H
#define GRAZE_BROAD_PHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "graze/box.h"
#include "graze/context.h"

GRAZE_BEGIN_DECLS

typedef enum graze_broad_phase_method
{
    GRAZE_BROAD_PHASE_AUTO = 0,        ///< chosen by the number of boxes, from measurements
    GRAZE_BROAD_PHASE_BRUTE_FORCE,     ///< every changed box against every other
    GRAZE_BROAD_PHASE_AXIS_SORT,       ///< sort and sweep along one axis, sorted from scratch each update
    GRAZE_BROAD_PHASE_SWEEP_AND_PRUNE, ///< sweep and prune: sorted along three axes, kept sorted (I-COLLIDE)
    GRAZE_BROAD_PHASE_HASH_GRID,       ///< hashed grids, one for each size of boxes
    GRAZE_BROAD_PHASE_ORIENTED_GRID,   ///< hashed grids; oriented boxes are rasterised into cells (Zachmann
                                       ///< 1994, 5.5.1)
    GRAZE_BROAD_PHASE_OCTREE,          ///< octree with octant arrays and box differences (Zachmann, 5.4)
    GRAZE_BROAD_PHASE_BVH, ///< dynamic BVH with eight children a node, refitted and partly rebuilt as boxes move
    GRAZE_BROAD_PHASE_METHOD_COUNT
} graze_broad_phase_method;

/// "auto", "brute", "axis", "sweep", "grid", "oriented-grid", "octree" or "tree"; NULL for what is no method.
GRAZE_API const char *graze_broad_phase_method_name(graze_broad_phase_method method);

/// By name; false when there is none of that name.
GRAZE_API bool graze_broad_phase_method_from_name(const char *name, graze_broad_phase_method *out_method);

/// Whether a pair of boxes is of interest. Called once when the pair becomes a candidate; graze_broad_phase_refilter
/// has it called again.
typedef bool (*graze_broad_phase_filter_function)(void *user, uint32_t a, uint32_t b);

/// Start from graze_broad_phase_def_default().
typedef struct graze_broad_phase_def
{
    size_t struct_size;
    graze_broad_phase_method method;
    graze_broad_phase_filter_function filter; ///< NULL: every pair is of interest
    void *filter_user;
    double margin; ///< fat AABBs: a moving box is enlarged in its direction of motion by this many times its last step
                   ///< (default 16), so that most moves leave the data structure unchanged; 0: off. Does not affect
                   ///< results
} graze_broad_phase_def;

GRAZE_INLINE graze_broad_phase_def graze_broad_phase_def_default(void)
{
    graze_broad_phase_def def;
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    def.margin = 16;
    return def;
}

typedef struct graze_broad_phase graze_broad_phase;

/// Two boxes that overlap, a < b. `tag` is the caller's data: 0 when the pair begins, kept until it ends
/// (graze_broad_phase_set_tag).
typedef struct graze_box_pair
{
    uint32_t a, b;
    uint32_t tag;
} graze_box_pair;

/// What an update found. The arrays belong to the broad phase and live until its next update.
typedef struct graze_broad_phase_changes
{
    const graze_box_pair *ended; ///< overlapped at the last update and no longer do, or lost a box; by (a, b)
    size_t ended_count;
    const uint32_t
        *begun; ///< indices into graze_broad_phase_pairs of pairs that overlap now and did not before; by (a, b)
    size_t begun_count;
    const uint32_t *moved; ///< indices of pairs with a box that moved, the begun ones included; in no special order
    size_t moved_count;
} graze_broad_phase_changes;

/// Makes an empty broad phase; NULL means the defaults. The caller owns *out_broad. Fails with BAD_ARGUMENT (no such
/// method, a margin that is negative or not finite) or OUT_OF_MEMORY.
GRAZE_API graze_status graze_broad_phase_create(const graze_context *context, const graze_broad_phase_def *def,
                                                graze_broad_phase **out_broad);
GRAZE_API void graze_broad_phase_destroy(graze_broad_phase *broad);

/// Adds a box under an id that is free; memory grows with the largest id in use. Fails with BAD_ARGUMENT (an id in use,
/// UINT32_MAX, lower > upper), NOT_FINITE or OUT_OF_MEMORY.
GRAZE_API graze_status graze_broad_phase_insert(graze_broad_phase *broad, uint32_t id, const graze_box *box);

/// Replaces a box and removes its oriented box. Fails with BAD_INDEX (no such box),
/// BAD_ARGUMENT or NOT_FINITE.
GRAZE_API graze_status graze_broad_phase_move(graze_broad_phase *broad, uint32_t id, const graze_box *box);

/// The same for many; on failure *out_index (may be NULL) is the first invalid entry; those before it have been moved.
GRAZE_API graze_status graze_broad_phase_move_many(graze_broad_phase *broad, const uint32_t *ids,
                                                   const graze_box *boxes, size_t count, size_t *out_index);

/// Adds an oriented box (OBB) that also bounds the object, until the box moves. A pair then overlaps only if both the
/// AABBs and the OBBs overlap; a box without an OBB uses its AABB as one. Fails with BAD_INDEX, NOT_FINITE or
/// OUT_OF_MEMORY.
GRAZE_API graze_status graze_broad_phase_set_oriented_box(graze_broad_phase *broad, uint32_t id,
                                                          const graze_oriented_box *box);

/// Fails with BAD_INDEX when there is no such box. The id is free at once.
GRAZE_API graze_status graze_broad_phase_remove(graze_broad_phase *broad, uint32_t id);

/// Has the filter called again for all pairs of a box. Fails with BAD_INDEX.
GRAZE_API graze_status graze_broad_phase_refilter(graze_broad_phase *broad, uint32_t id);

/// Brings the pairs up to date with all that happened since the last update. `out_changes` may be NULL.
/// Guarantee: exact. The pairs are exactly those that the filter accepts, whose boxes share a point and, where
/// one has an oriented box, whose oriented boxes share a point as well (graze_broad_phase_set_oriented_box). On
/// OUT_OF_MEMORY nothing is lost: the next update that succeeds catches up. Thread safety: one thread at a time; the
/// context's tasks may be used.
GRAZE_API graze_status graze_broad_phase_update(graze_broad_phase *broad, graze_broad_phase_changes *out_changes);

/// All pairs as of the last update, in a deterministic order that depends only on the sequence of calls; valid until
/// the next update. `out_count` may be NULL.
GRAZE_API const graze_box_pair *graze_broad_phase_pairs(const graze_broad_phase *broad, size_t *out_count);

/// The first `capacity` of them in order of (a, b); *out_count gets how many there are. May fail with OUT_OF_MEMORY.
GRAZE_API graze_status graze_broad_phase_gather(const graze_broad_phase *broad, graze_box_pair *pairs, size_t capacity,
                                                size_t *out_count);

/// Sets the tag of the pair at an index of graze_broad_phase_pairs.
GRAZE_API void graze_broad_phase_set_tag(graze_broad_phase *broad, size_t pair_index, uint32_t tag);

/// The ids of all boxes that share a point with this one, ascending: the first `capacity` of them, and how many there
/// are. To be called after an update: boxes changed since the last update may be missing or still be reported.
/// Guarantee: exact. Fails with BAD_ARGUMENT, NOT_FINITE or OUT_OF_MEMORY. Thread safety: any number of threads, while
/// none changes or updates.
GRAZE_API graze_status graze_broad_phase_collide_box(const graze_broad_phase *broad, const graze_box *box,
                                                     uint32_t *ids, size_t capacity, size_t *out_count);

/// The same for the points origin + t direction, 0 <= t <= limit (which may be INFINITY). Guarantee: bounded.
/// Conservative: every box the ray hits is reported; a box it misses by a few ulps may be reported too.
GRAZE_API graze_status graze_broad_phase_cast_ray(const graze_broad_phase *broad, const double origin[3],
                                                  const double direction[3], double limit, uint32_t *ids,
                                                  size_t capacity, size_t *out_count);

/// How many boxes there are.
GRAZE_API size_t graze_broad_phase_box_count(const graze_broad_phase *broad);

/// The method at work: never AUTO.
GRAZE_API graze_broad_phase_method graze_broad_phase_method_used(const graze_broad_phase *broad);

/// Bytes in use.
GRAZE_API size_t graze_broad_phase_memory_size(const graze_broad_phase *broad);

/// Checks every invariant of the structure, slowly, after an update. Returns GRAZE_STATUS_INTERNAL when one is broken.
/// For tests.
GRAZE_API graze_status graze_broad_phase_validate(const graze_broad_phase *broad);

GRAZE_END_DECLS

#endif
