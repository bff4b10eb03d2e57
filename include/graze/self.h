/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Self-collision (self-intersection): pairs of triangles of one mesh that intersect in more than their common vertices
 * and edge.
 *
 * Two triangles with one common vertex collide when they share a segment or an area; with a common edge, when one is
 * folded onto the other; with three common vertices, always; all others, when they share any point. A closed surface
 * that does not touch itself gives none.
 *
 * Triangles with repeated corners are counted corner by corner, each paired with one of the other triangle at most:
 * i j i and i k i share two corners, both of them i, and what they share by construction is that point. So they collide
 * when they overlap in a segment; i j i and j i i share three corners, and always collide; i j i and i j k share two,
 * i and j, so that the segment lies on the common edge by construction.
 *
 * There is no pose: an invertible one changes nothing.
 */
#ifndef GRAZE_SELF_H
#define GRAZE_SELF_H

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

typedef struct graze_self_subject
{
    const graze_mesh *mesh;
    const graze_tree *tree;    ///< BVH of this mesh; NULL: sweep over all triangles, slow for large meshes
    bool merge_equal_vertices; ///< corners are common when their coordinates are equal, not only when their indices
                               ///< are: for soups such as STL files, whose triangles name no corner in common
} graze_self_subject;

/// Finds one pair of triangles that collide, if there is any; in each hit triangle_a < triangle_b.
/// Guarantee: exact. Results and failures are as for graze_pair_any, and so are those of the following.
GRAZE_API graze_status graze_self_any(const graze_context *context, const graze_self_subject *subject,
                                      const graze_pair_options *options, bool *out_found, graze_hit *out_hit);

/// Counts all pairs.
GRAZE_API graze_status graze_self_count(const graze_context *context, const graze_self_subject *subject,
                                        const graze_pair_options *options, graze_pair_counts *out_counts);

/// Writes the first `capacity` hits in order of (triangle_a, triangle_b), and the full count.
GRAZE_API graze_status graze_self_gather(const graze_context *context, const graze_self_subject *subject,
                                         const graze_pair_options *options, graze_hit *hits, size_t capacity,
                                         graze_pair_counts *out_counts);

/// Visits all hits in that order. Stopped by the callback it returns GRAZE_STATUS_CANCELLED.
GRAZE_API graze_status graze_self_visit(const graze_context *context, const graze_self_subject *subject,
                                        const graze_pair_options *options, graze_hit_function visit, void *user);

GRAZE_END_DECLS

#endif
