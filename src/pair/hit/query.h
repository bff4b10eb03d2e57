/* SPDX-License-Identifier: MIT */
/*
 * A question about two placed meshes, or about one and itself: what is the same for everybody who works on the answer
 * (grz_query), and what one worker has yet to look at and has found (grz_query_part). Parts share nothing that changes,
 * so that each may be worked on by a thread of its own.
 *
 * Boxes propose pairs of triangles, exact signs decide them. Trees propose where both meshes have one and the poses
 * allow it; otherwise it is the sweep over all boxes, which is right for everything.
 */
#ifndef GRZ_PAIR_HIT_QUERY_H
#define GRZ_PAIR_HIT_QUERY_H

#include "exact/filter_stats.h"
#include "pair/aabb.h"
#include "pair/hit/bvh_traversal.h"
#include "pair/hit/hit_buffer.h"

enum
{
    GRZ_NODE_PAIRS_PER_CHECK =
        4 /* pairs of places between two moments in which a part may pause: at most 256 decisions */
};

typedef struct grz_query
{
    const graze_context *context;
    const graze_placed_mesh *a, *b;    /* as asked */
    const graze_pose *pose_a, *pose_b; /* NULL when it moves nothing, or both are one and drop out */
    bool first_only, buffer_hits;
    bool self;           /* a and b are one mesh: pairs i < j, without what neighbours share by construction */
    bool merge_vertices; /* self: vertices with equal coordinates are one */
    const grz_traversal_hint *hint; /* first_only: where to look first; may be NULL */
    size_t most_buffered;           /* of the hits, in canonical order, as many as that need be kept; 0: all */
    uint64_t first_buffered;        /* from this number on (grz_hit_key), when most_buffered is not 0 */
    bool buffered_only; /* pairs that would not be kept are not decided, nor counted; once some were dropped, others
                       are decided at the end, when it is known which are to be kept */

    /* With trees: B's mesh coordinates in A's mesh frame, what these are off by there, and whether that frame is
     * mirrored. */
    bool uses_trees;
    bool scaled; /* whether those coordinates are not the meshes' own: a power of two apart, see scaled_poses */
    grz_relative_pose relative;
    double frame_error;
    int mirrored;
    grz_tree_transform to_a, to_b; /* between tree coordinates */
    bool shifts; /* poses only translate: B's coordinates and this sum up to A's, where the sums are exact */
    double shift[3];
} grz_query;

typedef struct grz_query_part
{
    const grz_query *query;
    bool done;
    bool out_of_memory;
    grz_traversal traversal; /* with trees, */
    grz_aabb_sweep sweep;    /* or without */
    grz_filter_stats stages;
    uint64_t triangle_tests;
    graze_pair_counts counts;
    graze_hit first;         /* when only the first is asked for: it, if counts.pairs > 0 */
    grz_hit_buffer buffered; /* the hits, when kept, */
    bool decides_candidates; /* and whether pairs are decided that were left for later */
} grz_query_part;

/* Checks the arguments and prepares what all parts need. The caller has set the fields up to merge_vertices and both
   placed meshes. */
graze_status grz_query_start(grz_query *query);

/* The part that has everything to look at. `room` is for GRZ_INLINE_PAIRS, or NULL. False when out of memory, or when
   the monitor (may be NULL) stops it. */
bool grz_query_part_start(grz_query_part *part, const grz_query *query, grz_node_pair *room, grz_monitor *monitor);

/* Works until the end (part->done) or a pause. */
void grz_query_part_advance(grz_query_part *part, const grz_pause *pause);

uint64_t grz_query_part_box_tests(const grz_query_part *part);

/* All it did, in the unit of base/budget_monitor.h. */
uint64_t grz_query_part_work(const grz_query_part *part);

/* Adds what the part cost. */
void grz_query_part_add_stats(const grz_query_part *part, graze_stats *stats);

/* Releases everything; a part that is all zeros may be released too. */
void grz_query_part_end(grz_query_part *part);

/* How two triangles of one mesh meet beyond what they share by construction; found is false when in nothing else. */
graze_triangle_contact grz_self_contact(const graze_mesh *mesh, uint32_t first, uint32_t second, bool merge_vertices,
                                        grz_filter_stats *stages);

#endif
