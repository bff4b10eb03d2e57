/* SPDX-License-Identifier: MIT */
/**
 * @file
 * One mesh against itself: which of its triangles meet beyond what neighbours share by construction.
 *
 * Triangles that share corners share, by construction, those corners and the edge between two of them. Such a pair
 * collides when it meets in more than that: two triangles with one common corner when they share a segment or an area,
 * two with a common edge when one is folded onto the other, two with three common corners always. Every other
 * pair collides when it shares any point. A closed surface that does not cross or touch itself gives nothing.
 *
 * Triangles with repeated corners are counted corner by corner, each paired with one of the other triangle at most:
 * i j i and i k i share two corners, both of them i, and what they share by construction is that point. So they collide
 * when they overlap in a segment; i j i and j i i share three corners, and always collide; i j i and i j k share two,
 * i and j, so that the segment lies on the common edge by construction.
 *
 * What a pose does to the mesh matters only when it has no inverse, so there is none here.
 */
#ifndef GRAZE_SELF_H
#define GRAZE_SELF_H

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

typedef struct graze_self_subject
{
    const graze_mesh *mesh;
    const graze_tree *tree;    ///< of this mesh; NULL: the query goes without, which is slow for large meshes
    bool merge_equal_vertices; ///< corners are common when their coordinates are equal, not only when their indices
                               ///< are: for soups such as STL files, whose triangles name no corner in common
} graze_self_subject;

/// Finds one pair of triangles that collide, if there is any; in each hit triangle_a < triangle_b.
/// Guarantee: exact. Options, results and failures are as for graze_pair_any, and so are those of the following.
GRAZE_API graze_status graze_self_any(const graze_context *context, const graze_self_subject *subject,
                                      const graze_pair_options *options, bool *out_found, graze_hit *out_hit);

/// Counts all pairs.
GRAZE_API graze_status graze_self_count(const graze_context *context, const graze_self_subject *subject,
                                        const graze_pair_options *options, graze_pair_counts *out_counts);

/// Writes the first `capacity` hits in order of (triangle_a, triangle_b), and counts all of them.
GRAZE_API graze_status graze_self_gather(const graze_context *context, const graze_self_subject *subject,
                                         const graze_pair_options *options, graze_hit *hits, size_t capacity,
                                         graze_pair_counts *out_counts);

/// Visits all hits in that order. Stopped by the callback it returns GRAZE_STATUS_CANCELLED.
GRAZE_API graze_status graze_self_visit(const graze_context *context, const graze_self_subject *subject,
                                        const graze_pair_options *options, graze_hit_function visit, void *user);

GRAZE_END_DECLS

#endif
