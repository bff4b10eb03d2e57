/* SPDX-License-Identifier: MIT */
/**
 * @file
 * How deep two placed bodies are in one another.
 *
 * The depth is the length of the shortest translation of one of them after which they are apart: neither body reaches
 * into the other any more, though they may touch. It is found as a certified interval:
 * - from below by a point of one body inside the other. While a translation is shorter than its distance to the other
 *   surface, the point stays inside;
 * - from above by a translation after which the exact query says that they are apart.
 * The two need not meet, on convex bodies neither: of two thin bars that cross, the deepest point is no deeper than
 * half of the thinner one, while the way out is that of both. On thin convex bodies `lower` may be a small part of the
 * depth, where `upper` mostly is within some per cent of it.
 *
 * A closed mesh bounds a body (see graze_pair_containment); one that is not closed is just a surface, which may lie in
 * a body but holds nothing. For a body within another the depth is the way out.
 */
#ifndef GRAZE_DEPTH_H
#define GRAZE_DEPTH_H

#include "graze/search.h"

GRAZE_BEGIN_DECLS

/// What is to be known of a mesh as a body, found out once. Without, every query does so anew.
typedef struct graze_body graze_body;

/// Examines a mesh, which must outlive the body and not change. The caller owns *out_body.
/// Fails with BAD_ARGUMENT, TOO_LARGE or OUT_OF_MEMORY.
GRAZE_API graze_status graze_body_create(const graze_context *context, const graze_mesh *mesh, graze_body **out_body);
GRAZE_API void graze_body_destroy(graze_body *body);

/// Whether it bounds a body: there are triangles, and each edge has exactly two of them.
GRAZE_API bool graze_body_is_closed(const graze_body *body);

/// What one may wish of a depth. Start from graze_depth_options_default(); NULL means the same.
typedef struct graze_depth_options
{
    const graze_body *body_a, *body_b; ///< of the two meshes, when at hand; NULL: made for the call
    double relative_error;             ///< how far upper may exceed lower, where that can be reached; 0.01
    uint32_t max_queries; ///< how many positions and points may be looked at; 0: 600. The interval is right after any
                          ///< number, and narrower after more.
    double seconds; ///< the same as a time, for everything the call does, which makes the answer depend on the machine;
                    ///< 0: no limit. graze_pair_overlap fails with GRAZE_STATUS_UNFINISHED when it is used up
    graze_progress_function progress; ///< may be NULL; returning false the query fails with GRAZE_STATUS_CANCELLED
    void *progress_user;
} graze_depth_options;

GRAZE_API graze_depth_options graze_depth_options_default(void);

/// How deep two meshes are in one another.
typedef struct graze_depth
{
    graze_verdict overlap;    ///< whether they reach into one another: always what graze_pair_overlap says. NO: but for
                              ///< `counts`, all else is 0. UNKNOWN: `lower` above 0 proves that they do
    graze_pair_counts counts; ///< of the triangles that meet where they stand; exact, unless `unfinished`
    double lower, upper;      ///< the depth lies between these; certified. upper is infinite when no way was found
    bool reached;             ///< whether upper is at most (1 + relative_error) lower
    double translation[3]; ///< moving B's pose by this, in doubles, or A's by its negative, is a way of at most `upper`
    bool inside_b;     ///< whether the point below is one of A inside B, else of B inside A; it counts when lower > 0
    double point[3];   ///< where `lower` was found, in the world; on a surface up to rounding, or within both bodies
    double nearest[3]; ///< the point of the other surface next to it
    uint32_t triangle_a, triangle_b; ///< the triangles these two lie on; UINT32_MAX for a point within
    uint32_t queries;                ///< what it cost, in the unit of max_queries
    bool unfinished; ///< `seconds` were used up before the contacts were counted and the overlap was decided: then
                     ///< overlap is UNKNOWN, counts are 0, and the depth lies between 0 and infinity
} graze_depth;

/// Measures how deep two meshes are in one another.
/// Guarantee: bounded. The depth lies in [lower, upper]. Both are 0 when the meshes are apart or only touch and that
/// could be decided; a depth of two surfaces that bound no bodies is that of the way apart, from 0.
/// Swapping the arguments swaps the answer and negates the translation; threads and instructions do not change it,
/// while with other trees another interval may be found. Fails with NOT_FINITE (a pose), BAD_ARGUMENT (a tree or body
/// of another mesh, an option out of its range), TOO_LARGE, OUT_OF_MEMORY or CANCELLED. Thread safety: any
/// number of threads may use the same meshes and bodies.
GRAZE_API graze_status graze_pair_depth(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, const graze_depth_options *options,
                                        graze_depth *out_depth);

/// Decides whether the insides of two bodies share a point: NO when they are apart or touch from outside. A surface
/// that bounds no body overlaps what it passes through and what it lies in.
/// Guarantee: exact, or UNKNOWN, which is left to meshes that touch, without a plane between them, and that are not
/// closed, cross or touch themselves, or are oriented inconsistently.
/// @param options  only the bodies, seconds and progress count; may be NULL
/// Fails as graze_pair_depth does.
GRAZE_API graze_status graze_pair_overlap(const graze_context *context, const graze_placed_mesh *a,
                                          const graze_placed_mesh *b, const graze_depth_options *options,
                                          graze_verdict *out_overlap);

GRAZE_END_DECLS

#endif
