/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What a query remembers from one pose to the next. Given to graze_pair_any in its options, a cache may save time; it
 * never changes whether something is found. (Which pair is found, when several meet, may differ.)
 *
 * Two things are remembered: the pair of triangles found last, which is tested first the next time, and then those
 * around it; and, after two meshes were found apart, by how much they surely are, and where they stood. As long as
 * neither can have moved by more than that since, they are still apart, which costs about one comparison.
 */
#ifndef GRAZE_CACHE_H
#define GRAZE_CACHE_H

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

/// A cache for one pair of meshes, owned by the caller; a plain struct that holds no memory. It notices when it is used
/// with other meshes, also with new ones at the addresses of old ones, or after vertices moved, and starts anew. One
/// thread at a time may use it. Everything but the counts is private.
struct graze_pair_cache
{
    uint64_t queries;             ///< how often it was asked,
    uint64_t answered_by_gap;     ///< how often the gap gave the answer,
    uint64_t answered_by_witness; ///< and how often the pair found last

    const graze_mesh *mesh_a, *mesh_b;
    uint64_t identity_a[2], identity_b[2];
    graze_pose pose_a, pose_b;      // when it last learned something
    double weights_a[4];            // how far a change of one in a pose's row moves a vertex at most, by column
    double weights_b[4];            //
    double gap_sq;                  // square of a lower bound on the distance at those poses; 0: unknown
    uint32_t witness_a, witness_b;  // triangles that met,
    uint32_t node_a, node_b;        // and where they were in the trees; UINT32_MAX: unknown
    bool collided;                  // at the last query
    bool has_poses;                 // whether the poses are set
    uint32_t queries_since_update;  // queries since it learned
    uint32_t backoff_left, backoff; // queries to go without looking for a gap, and how many the next time
    uint32_t witness_backoff;       // touches not to be tried again,
    uint32_t witness_misses;        // and how many were tried in vain
};

/// An empty cache.
GRAZE_API graze_pair_cache graze_pair_cache_default(void);

GRAZE_END_DECLS

#endif
