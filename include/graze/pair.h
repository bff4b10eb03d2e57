/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What one may ask of two placed meshes: whether, where and how they meet. Exact under the contract of graze/pose.h.
 */
#ifndef GRAZE_PAIR_H
#define GRAZE_PAIR_H

#include <stdbool.h>

#include "graze/exact.h"
#include "graze/mesh.h"
#include "graze/pose.h"
#include "graze/tree.h"

GRAZE_BEGIN_DECLS

typedef struct graze_placed_mesh
{
    const graze_mesh *mesh;
    const graze_tree *tree; ///< of this mesh; NULL: the query goes without, which is slow for large meshes
    graze_pose pose;
} graze_placed_mesh;

/// Two triangles that share a point.
typedef struct graze_hit
{
    uint32_t triangle_a, triangle_b;
    uint32_t face_a, face_b; ///< the faces they were cut from
    graze_triangle_contact contact;
} graze_hit;

/// How many pairs of triangles meet, and how.
typedef struct graze_pair_counts
{
    uint64_t pairs; ///< touching + crossing
    uint64_t touching;
    uint64_t crossing;
    uint64_t coplanar; ///< of the touching ones: those that overlap in a common plane
} graze_pair_counts;

/// What a query cost. Filled on request. Unlike answers, it may differ a little from one instruction set to another.
typedef struct graze_stats
{
    uint64_t box_tests;      ///< pairs of boxes
    uint64_t leaf_pairs;     ///< pairs of leaves
    uint64_t triangle_tests; ///< pairs of triangles that boxes and planes did not separate
    uint64_t exact_signs;    ///< signs that the floating-point filter could not settle
} graze_stats;

/// What a pair of meshes remembers from one pose to the next: see graze/cache.h.
typedef struct graze_pair_cache graze_pair_cache;

/// How much a query may cost; zeros mean no limit. It is looked at after 2^14 box tests or 1,000 exact decisions at the
/// latest, so that a little more than that may be done.
typedef struct graze_budget
{
    double seconds;
    uint64_t box_tests;
} graze_budget;

/// Called during a long query, after 2^14 box tests or 1,000 exact decisions at the latest; with several threads, after
/// so many of the thread that asks, and every 10 milliseconds. `share` estimates how much of it is done, from 0 to 1,
/// and never falls. Return false to cancel. Called from the thread that asks, never from two at once.
typedef bool (*graze_progress_function)(void *user, double share);

/// What one may wish for a query beside its answer. Start from graze_pair_options_default(); NULL means the same.
typedef struct graze_pair_options
{
    graze_stats *stats;               ///< gets what the query cost, also when it is not finished; may be NULL
    graze_pair_cache *cache;          ///< may save time, never changes the answer; may be NULL
    graze_budget budget;              ///< when used up the query fails with GRAZE_STATUS_UNFINISHED
    graze_progress_function progress; ///< may be NULL; returning false the query fails with GRAZE_STATUS_CANCELLED
    void *progress_user;
} graze_pair_options;

GRAZE_API graze_pair_options graze_pair_options_default(void);

/// Finds one pair of triangles that share a point, if there is any.
/// Guarantee: exact; touching counts. Which pair is found depends only on the input.
/// @param out_found  whether there is one; *out_hit (may be NULL) is written only then
/// Fails with NOT_FINITE (a pose), BAD_ARGUMENT (a tree of another mesh) or OUT_OF_MEMORY. Thread safety: any number of
/// threads may use the same meshes.
GRAZE_API graze_status graze_pair_any(const graze_context *context, const graze_placed_mesh *a,
                                      const graze_placed_mesh *b, const graze_pair_options *options, bool *out_found,
                                      graze_hit *out_hit);

/// The same answer by two ways at once, on two threads of the context's tasks: one that is quick to find a hit, and one
/// that is quick to prove a gap (Zachmann, 6.5). The first to know ends the other. Trees rule out hits so fast that
/// this seldom pays (docs/decisions/0005): for comparison. Without threads or trees it is graze_pair_any.
GRAZE_API graze_status graze_pair_any_dual(const graze_context *context, const graze_placed_mesh *a,
                                           const graze_placed_mesh *b, const graze_pair_options *options,
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

/// Visits all hits. Stopped by the callback it returns GRAZE_STATUS_CANCELLED. Hits are found and visited in runs that
/// become longer, so that memory is bounded by what was visited; where there are more than some 65,536, both meshes are
/// gone over again for each run. So when a budget ends, or the progress function cancels, some hits may have been
/// visited already: always the first in order.
GRAZE_API graze_status graze_pair_visit(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, const graze_pair_options *options,
                                        graze_hit_function visit, void *user);

/// Constructs what the two triangles of a hit share: a point, a segment or a convex polygon, in the world.
/// Guarantee: bounded, as graze_triangle_intersection. Fails with BAD_INDEX, BAD_ARGUMENT or NOT_FINITE.
GRAZE_API graze_status graze_hit_intersection(const graze_placed_mesh *a, const graze_placed_mesh *b,
                                              const graze_hit *hit, graze_intersection *out_intersection);

typedef enum graze_containment
{
    GRAZE_CONTAINMENT_NONE = 0, ///< neither body lies in the other
    GRAZE_CONTAINMENT_A_IN_B,   ///< also when each lies in the other
    GRAZE_CONTAINMENT_B_IN_A,
    GRAZE_CONTAINMENT_UNKNOWN ///< could not be decided: graze_pair_containment says when
} graze_containment;

/// What the meshes mean as solids: the closed bodies their surfaces bound.
typedef struct graze_solid_answer
{
    bool collide; ///< whether the bodies share a point: surfaces meet, or a part of one lies in the other
    graze_containment containment; ///< whether all of one lies in the other
} graze_solid_answer;

/// Decides how two bodies lie to each other. A mesh that is not closed bounds no body and contains nothing for sure.
/// Inside means: for an oriented mesh, a winding number that is not zero; for another closed one, an odd
/// number of crossings of a ray.
/// Guarantee: exact, or UNKNOWN: where the one that would contain the other is not closed; where surfaces touch and the
/// container is not convex; and, where they lie apart, when a shell of the container lies in the other body and its
/// surface meets itself, its pose has no inverse, or there are some hundred such shells at which no body ends.
GRAZE_API graze_status graze_pair_containment(const graze_context *context, const graze_placed_mesh *a,
                                              const graze_placed_mesh *b, graze_solid_answer *out_answer);

/// The same with options, of which the cache does not count: budgets and cancelling are those of graze_pair_count.
GRAZE_API graze_status graze_pair_containment_with_options(const graze_context *context, const graze_placed_mesh *a,
                                                           const graze_placed_mesh *b,
                                                           const graze_pair_options *options,
                                                           graze_solid_answer *out_answer);

/// What is known of two placed meshes already, so that a query need not find it out again. NULL: not known.
typedef struct graze_known_pair
{
    const struct graze_body *body_a, *body_b; ///< of the two meshes; see graze_body_create
    const graze_pair_counts *counts;          ///< of all their hits where they stand, as graze_pair_count says
} graze_known_pair;

/// The same given what is known, which must be true: with wrong counts the answer may be wrong. With counts and bodies
/// neither mesh is traversed for hits or examined again. `known` and `options` may be NULL. Fails with
/// BAD_ARGUMENT also for a body of another mesh, or of one whose vertices moved since.
GRAZE_API graze_status graze_pair_containment_known(const graze_context *context, const graze_placed_mesh *a,
                                                    const graze_placed_mesh *b, const graze_known_pair *known,
                                                    const graze_pair_options *options, graze_solid_answer *out_answer);

/// Where a point lies with respect to the body that a closed placed mesh bounds. Every singular case of the ray is
/// decided exactly. Fails with BAD_ARGUMENT when the mesh is not closed.
GRAZE_API graze_status graze_point_in_mesh(const graze_context *context, const graze_placed_mesh *mesh,
                                           const double point[3], graze_location *out_location);

GRAZE_END_DECLS

#endif
