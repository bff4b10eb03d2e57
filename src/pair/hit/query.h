/* SPDX-License-Identifier: MIT */
/*
 * A query about two placed meshes, or about one mesh and itself: what all threads read (grz_query), and the state of
 * one worker, which node pairs it has yet to test and which hits it has found (grz_query_part). Parts share no mutable
 * state, so each may run on a thread of its own.
 *
 * Bounding volumes propose candidate pairs of triangles, exact predicates decide them (decide_pairs.h). Candidates come
 * from a traversal of both trees where both meshes have one and the poses allow it; otherwise from a sweep over the
 * boxes of all triangles, which works for every input.
 */
#ifndef GRZ_PAIR_HIT_QUERY_H
#define GRZ_PAIR_HIT_QUERY_H

#include "exact/filter_stats.h"
#include "pair/aabb.h"
#include "pair/fixed_cache.h"
#include "pair/hit/bvh_traversal.h"
#include "pair/hit/hit_buffer.h"

enum
{
    GRZ_NODE_PAIRS_PER_CHECK = 4 /* node pairs between two checks whether to pause: at most 256 triangle tests */
};

typedef struct grz_query
{
    const graze_context *context;
    const graze_placed_mesh *a, *b;    /* the arguments */
    const graze_pose *pose_a, *pose_b; /* NULL when it is the identity, or both are equal and drop out */
    bool first_only, buffer_hits;
    bool self;           /* a and b are one mesh: pairs i < j, without what neighbours share by construction */
    bool merge_vertices; /* self: vertices with equal coordinates are one */
    const grz_traversal_hint *hint; /* first_only: leaves to test first; may be NULL */
    size_t most_buffered;           /* buffer only the first hits, in canonical order, this many; 0: all */
    uint64_t first_buffered;        /* from this key on (grz_hit_key), when most_buffered is not 0 */
    bool buffered_only; /* pairs that would not be buffered are neither decided nor counted; once hits were dropped, the
                           other pairs are decided at the end, when it is known which will be buffered */

    /* With trees: the transform from B's mesh frame to A's, the error bound of a transformed coordinate, and the
       handedness of A's frame: -1 is a mirror image. */
    bool uses_trees;
    bool scaled; /* whether mesh coordinates are scaled by powers of two, see grz_scaled_poses */
    grz_relative_pose relative;
    double frame_error;
    int mirrored;
    grz_tree_transform to_a, to_b; /* between tree coordinates */
    bool shifts; /* poses only translate: B's coordinates plus `shift` are A's, where the sums are exact */
    double shift[3];
} grz_query;

/* How pairs are decided many at a time (contact_lanes.h). */
typedef struct grz_contact_lanes
{
    bool started, usable;
    grz_contact_frame frame;
} grz_contact_lanes;

typedef struct grz_query_part
{
    const grz_query *query;
    bool done;
    bool out_of_memory;
    grz_traversal traversal; /* with trees */
    grz_aabb_sweep sweep;    /* without trees */
    grz_filter_stats stages;
    uint64_t triangle_tests;
    graze_pair_counts counts;
    graze_hit first;         /* with first_only: the hit, if counts.pairs > 0 */
    grz_hit_buffer buffered; /* the hits, with buffer_hits */
    bool decides_candidates; /* whether postponed pairs are being decided */
    grz_contact_lanes lanes;
    grz_fixed_cache fixed; /* with trees: triangles of pairs that the double filter leaves uncertain */
} grz_query_part;

/* Checks the arguments and sets up what all parts need. The caller has set the fields before `uses_trees`, except the
   poses. */
graze_status grz_query_start(grz_query *query);

/* The same for a query whose caller proposes the pairs (src/pair/method): without trees. *out_usable: whether pairs can
   be decided in A's frame, by grz_decide_in_frame; else by grz_decide_in_world. */
graze_status grz_query_start_in_frame(grz_query *query, bool *out_usable);

/* Starts the part that covers the whole query. `room` holds GRZ_INLINE_PAIRS, or is NULL. False when out of memory, or
   when the monitor (may be NULL) stops it. */
bool grz_query_part_start(grz_query_part *part, const grz_query *query, grz_node_pair *room, grz_monitor *monitor);

/* Runs until the end (part->done) or a pause. */
void grz_query_part_advance(grz_query_part *part, const grz_pause *pause);

uint64_t grz_query_part_box_tests(const grz_query_part *part);

/* All work done so far, in the unit of base/budget_monitor.h. */
uint64_t grz_query_part_work(const grz_query_part *part);

/* Adds the costs of the part. */
void grz_query_part_add_stats(const grz_query_part *part, graze_stats *stats);

/* Releases everything; a part that is all zeros may be released too. */
void grz_query_part_end(grz_query_part *part);

/* The contact of two triangles of one mesh, without what they share by construction; found is false when they share
   nothing else. */
graze_triangle_contact grz_self_contact(const graze_mesh *mesh, uint32_t first, uint32_t second, bool merge_vertices,
                                        grz_fixed_cache *fixed, grz_filter_stats *stages);

#endif
