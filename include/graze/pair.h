/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Collision queries for two placed meshes (the narrow phase): whether they collide, all colliding pairs of triangles,
 * containment of solids. Exact under the contract of graze/pose.h.
 */
#ifndef GRAZE_PAIR_H
#define GRAZE_PAIR_H

#include <stdbool.h>
#include <string.h>

#include "graze/budget.h"
#include "graze/exact.h"
#include "graze/mesh.h"
#include "graze/pose.h"
#include "graze/tree.h"

GRAZE_BEGIN_DECLS

typedef struct graze_placed_mesh
{
    const graze_mesh *mesh;
    const graze_tree *tree; ///< BVH of this mesh; NULL: sweep over all triangles, slow for large meshes
    graze_pose pose;
} graze_placed_mesh;

/// Two triangles that share a point.
typedef struct graze_hit
{
    uint32_t triangle_a, triangle_b;
    uint32_t face_a, face_b; ///< the faces the triangles came from
    graze_triangle_contact contact;
} graze_hit;

/// How many pairs of triangles share a point, and how.
typedef struct graze_pair_counts
{
    uint64_t pairs; ///< touching + crossing
    uint64_t touching;
    uint64_t crossing;
    uint64_t coplanar; ///< touching pairs that overlap in a common plane, with area
} graze_pair_counts;

/// Cost of a query, filled on request. Unlike answers, it may differ a little from one instruction set to another.
typedef struct graze_stats
{
    uint64_t box_tests;      ///< pairs of boxes
    uint64_t leaf_pairs;     ///< pairs of leaves
    uint64_t triangle_tests; ///< triangle pairs that reached the triangle-triangle test
    uint64_t exact_signs;    ///< predicates the floating-point filter could not certify
} graze_stats;

/// Cache for temporal coherence between two meshes: see graze/cache.h.
typedef struct graze_pair_cache graze_pair_cache;

/// Options of a query. Start from graze_pair_options_default(); NULL means the same.
typedef struct graze_pair_options
{
    size_t struct_size;
    graze_stats *stats;  ///< receives the cost, also of an unfinished query; may be NULL
    graze_budget budget; ///< used up: GRAZE_STATUS_UNFINISHED; cancelled: GRAZE_STATUS_CANCELLED
} graze_pair_options;

GRAZE_INLINE graze_pair_options graze_pair_options_default(void)
{
    graze_pair_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// Options of the queries that can use a cache. Start from graze_any_options_default(); NULL means the same.
typedef struct graze_any_options
{
    size_t struct_size;
    graze_stats *stats;      ///< receives the cost, also of an unfinished query; may be NULL
    graze_pair_cache *cache; ///< may save time, never changes whether a hit is found; may be NULL
    graze_budget budget;     ///< used up: GRAZE_STATUS_UNFINISHED; cancelled: GRAZE_STATUS_CANCELLED
} graze_any_options;

GRAZE_INLINE graze_any_options graze_any_options_default(void)
{
    graze_any_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// Finds one pair of triangles that share a point, if there is any.
/// Guarantee: exact; touching counts. Which pair is found depends only on the input and, with a cache, on earlier
/// queries.
/// @param out_found  whether there is one; *out_hit (may be NULL) is written only then
/// Fails with NOT_FINITE (a pose), BAD_ARGUMENT (a tree of another mesh), OUT_OF_MEMORY, UNFINISHED or CANCELLED
/// (options). Thread safety: any number of threads may use the same meshes; a cache belongs to one thread at a time.
GRAZE_API graze_status graze_pair_any(const graze_context *context, const graze_placed_mesh *a,
                                      const graze_placed_mesh *b, const graze_any_options *options, bool *out_found,
                                      graze_hit *out_hit);

/// The same query by two algorithms in parallel: a search for a hit and a search for a separation (Zachmann 1994, 6.5).
/// The first to finish cancels the other. Seldom faster (docs/decisions/0005); kept for comparison. Without threads or
/// trees it is graze_pair_any.
GRAZE_API graze_status graze_pair_any_dual(const graze_context *context, const graze_placed_mesh *a,
                                           const graze_placed_mesh *b, const graze_any_options *options,
                                           bool *out_found, graze_hit *out_hit);

/// Counts all pairs of triangles that share a point.
GRAZE_API graze_status graze_pair_count(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, const graze_pair_options *options,
                                        graze_pair_counts *out_counts);

/// Writes the first `capacity` hits in order of (triangle_a, triangle_b), and counts all of them: never a silent cut.
/// Memory is bounded by the capacity.
GRAZE_API graze_status graze_pair_gather(const graze_context *context, const graze_placed_mesh *a,
                                         const graze_placed_mesh *b, const graze_pair_options *options, graze_hit *hits,
                                         size_t capacity, graze_pair_counts *out_counts);

/// Called for every hit in order of (triangle_a, triangle_b); return false to stop.
typedef bool (*graze_hit_function)(void *user, const graze_hit *hit);

/// Visits all hits. Stopped by the callback it returns GRAZE_STATUS_CANCELLED. Hits are computed in batches of growing
/// size, so that memory is proportional to the hits visited; beyond about 65,536 hits each batch traverses both trees
/// again. When a budget ends, or the progress function cancels, some hits may have been visited already: always the
/// first in order.
GRAZE_API graze_status graze_pair_visit(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, const graze_pair_options *options,
                                        graze_hit_function visit, void *user);

/// Constructs the intersection of the two triangles of a hit: a point, a segment or a convex polygon, in the world.
/// Guarantee: bounded, as graze_triangle_intersection. Fails with BAD_INDEX, BAD_ARGUMENT or NOT_FINITE.
GRAZE_API graze_status graze_hit_intersection(const graze_placed_mesh *a, const graze_placed_mesh *b,
                                              const graze_hit *hit, graze_intersection *out_intersection);

typedef enum graze_containment
{
    GRAZE_CONTAINMENT_NONE = 0, ///< neither solid lies in the other
    GRAZE_CONTAINMENT_A_IN_B,   ///< also when each lies in the other
    GRAZE_CONTAINMENT_B_IN_A,   ///< whether A lies in B as well is then not known, or it does not
    GRAZE_CONTAINMENT_UNKNOWN   ///< could not be decided: graze_pair_containment says when
} graze_containment;

/// Relation of the two solids that the closed meshes bound.
typedef struct graze_solid_answer
{
    bool collide; ///< whether the solids share a point: the surfaces do, or a part of one solid lies in the other
    graze_containment containment; ///< whether all of one lies in the other
} graze_solid_answer;

/// Decides whether two solids collide and whether one contains the other. A mesh that is not closed bounds no solid and
/// contains nothing for sure. Inside means: for an oriented mesh, a winding number that is not zero; for another closed
/// one, an odd number of crossings of a ray.
/// Guarantee: exact, or UNKNOWN when (1) the mesh that would be the container is not closed; (2) the surfaces touch and
/// the container is not convex; (3) the surfaces are disjoint, a shell of the container lies inside the other solid,
/// and the container is self-intersecting, has a singular pose, or has 256 or more such shells.
/// Options and failures are those of graze_pair_count.
GRAZE_API graze_status graze_pair_containment(const graze_context *context, const graze_placed_mesh *a,
                                              const graze_placed_mesh *b, const graze_pair_options *options,
                                              graze_solid_answer *out_answer);

/// Facts about two placed meshes that the caller has computed already. NULL: not known.
typedef struct graze_known_pair
{
    const struct graze_body *body_a, *body_b; ///< of the meshes; see graze_body_create
    const graze_pair_counts *counts;          ///< of all their hits, as of graze_pair_count
} graze_known_pair;

/// The same with known facts, which must be true: with wrong counts the answer may be wrong. With counts and bodies
/// neither mesh is traversed for hits or examined again. `known` and `options` may be NULL. Fails with
/// BAD_ARGUMENT also for a body of another mesh, or of one whose vertices moved since.
GRAZE_API graze_status graze_pair_containment_known(const graze_context *context, const graze_placed_mesh *a,
                                                    const graze_placed_mesh *b, const graze_known_pair *known,
                                                    const graze_pair_options *options, graze_solid_answer *out_answer);

/// Where a point lies with respect to the solid that a closed placed mesh bounds. Degenerate ray hits (edges, vertices,
/// coplanar faces) are decided exactly. Fails with BAD_ARGUMENT when the mesh is not closed, NOT_FINITE, OUT_OF_MEMORY,
/// UNFINISHED or CANCELLED.
GRAZE_API graze_status graze_point_in_mesh(const graze_context *context, const graze_placed_mesh *mesh,
                                           const double point[3], const graze_budget *budget,
                                           graze_location *out_location);

GRAZE_END_DECLS

#endif
