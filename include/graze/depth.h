/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Penetration depth of two placed solids: the length of the shortest translation that separates them.
 *
 * After that translation the interiors are disjoint; touching is allowed. The result is a certified interval:
 * - lower bound: the distance from a point of one solid inside the other to the other's surface; a shorter translation
 *   leaves the point inside;
 * - upper bound: the length of a translation after which the exact query confirms that they do not overlap.
 * The bounds need not coincide, not even for convex solids: for two thin crossing bars the deepest point is at most
 * half the thinner bar deep, while the separating translation is as long as both. For thin convex solids `lower` may be
 * a small fraction of the depth; `upper` is mostly within a few percent.
 *
 * A closed mesh bounds a solid (see graze_pair_containment); an open mesh is a surface without interior. For a solid
 * inside another the depth is the translation that takes it out.
 */
#ifndef GRAZE_DEPTH_H
#define GRAZE_DEPTH_H

#include "graze/search.h"

GRAZE_BEGIN_DECLS

struct graze_region; /* graze/region.h */

/// Precomputed topology of a mesh as a solid; without it every query computes it again.
typedef struct graze_body graze_body;

/// Examines a mesh, which must outlive the body and not change. The caller owns *out_body.
/// Fails with BAD_ARGUMENT, TOO_LARGE, OUT_OF_MEMORY, UNFINISHED or CANCELLED.
GRAZE_API graze_status graze_body_create(const graze_context *context, const graze_mesh *mesh,
                                         const graze_budget *budget, graze_body **out_body);
GRAZE_API void graze_body_destroy(graze_body *body);

/// The same of a mesh that is meant to be a surface: it has no inside, even if it is closed.
GRAZE_API graze_status graze_body_create_surface(const graze_context *context, const graze_mesh *mesh,
                                                 const graze_budget *budget, graze_body **out_body);

/// Whether it bounds a solid: there are triangles, and each edge has exactly two of them.
GRAZE_API bool graze_body_is_closed(const graze_body *body);

/// Of every half-edge 3 t + k, which runs from corner k of triangle t to the next one: the other half-edge of its edge,
/// or UINT32_MAX where the edge does not have exactly two triangles, or the triangle has two corners at the same
/// position. Vertices of equal coordinates count as one. Valid as long as the body; NULL for NULL.
GRAZE_API const uint32_t *graze_body_twins(const graze_body *body);

/// Bytes that a body takes, without its mesh; 0 for NULL.
GRAZE_API size_t graze_body_memory_size(const graze_body *body);

/// Options of depth queries. Start from graze_depth_options_default(); NULL means the same.
typedef struct graze_depth_options
{
    size_t struct_size;
    const graze_body *body_a, *body_b; ///< precomputed solids of the meshes; NULL: made for the call
    double relative_error;             ///< how far upper may exceed lower, where that can be reached; 0.01
    uint32_t max_queries; ///< how many translations and points are tried; 0: 600. The interval is valid for any number
                          ///< and narrower for more
    graze_budget budget;  ///< used up: the interval known by then; see graze_depth.unfinished
} graze_depth_options;

GRAZE_INLINE graze_depth_options graze_depth_options_default(void)
{
    graze_depth_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.relative_error = 0.01;
    options.max_queries = 600;
    return options;
}

/// Penetration depth of two meshes.
typedef struct graze_depth
{
    graze_verdict overlap;    ///< whether the interiors overlap, the same as graze_pair_overlap. NO: everything except
                              ///< `counts` is 0. UNKNOWN: `lower` above 0 proves that they do
    graze_pair_counts counts; ///< of the triangles that share a point; exact, unless `unfinished`
    double lower, upper;      ///< the depth lies between these; certified. upper is infinite when no way was found
    bool reached;             ///< converged: upper <= (1 + relative_error) lower
    double translation[3];    ///< adding this to B's translation (in doubles), or subtracting it from A's, separates
                              ///< them; its length is at most `upper`
    bool inside_b;     ///< whether the point below is one of A inside B, else of B inside A; it counts when lower > 0
    double point[3];   ///< the deepest point found, in the world
    double nearest[3]; ///< the closest point of the other surface
    uint32_t triangle_a, triangle_b; ///< the triangles these two lie on; UINT32_MAX for a point in the interior, and
                                     ///< where it is not known
    uint32_t queries;                ///< the cost, in the unit of max_queries
    bool unfinished; ///< the budget was used up before the contacts were counted and the overlap was decided: then
                     ///< overlap is UNKNOWN, counts are 0, and the depth lies between 0 and infinity
} graze_depth;

/// Measures the penetration depth of two meshes.
/// Guarantee: bounded. The depth lies in [lower, upper]. Both are 0 when the meshes are disjoint or only touch and that
/// could be decided; for two open meshes the lower bound is 0 and the upper bound is a separating translation.
/// Swapping the arguments swaps the answer and negates the translation; threads and instructions do not change it,
/// while with other trees another interval may be found. Fails with NOT_FINITE (a pose), BAD_ARGUMENT (a tree or body
/// of another mesh, an option out of range), TOO_LARGE, OUT_OF_MEMORY or CANCELLED. Thread safety: any number of
/// threads may use the same meshes and bodies.
GRAZE_API graze_status graze_pair_depth(const graze_context *context, const graze_placed_mesh *a,
                                        const graze_placed_mesh *b, const graze_depth_options *options,
                                        graze_depth *out_depth);

/// The deepest common point of two solids: of all points that both hold, one that lies deepest below the surface of
/// one of them. CAD calls its depth the interference: a pin of radius 10.02 in a bore of radius 10 has 0.02, whereas
/// its penetration depth (above) is the way out of the bore. The depth of the deepest point is at most that.
typedef struct graze_deepest_point
{
    graze_verdict overlap; ///< whether the interiors overlap, the same as graze_pair_overlap
    double lower, upper;   ///< the largest depth lies between these; certified. 0 and 0 where they do not overlap
    bool reached;          ///< upper <= (1 + relative_error) lower, or upper <= lower + absolute_error
    bool inside_b;         ///< the depth is that below B's surface, else below A's
    double point[3];       ///< a common point of that depth (at least `lower`), in the world; it counts when lower > 0
    double nearest[3];     ///< the closest point of that surface
    uint32_t cells;        ///< the cost, in the unit of max_cells
} graze_deepest_point;

/// Options of deepest points. Start from graze_deepest_options_default(); NULL means the same.
typedef struct graze_deepest_options
{
    size_t struct_size;
    const graze_body *body_a, *body_b; ///< precomputed solids of the meshes; NULL: made for the call
    double relative_error;             ///< how far upper may exceed lower, as a share of lower; 0.01 by default
    double absolute_error;             ///< the same as a distance; the larger of both counts. 0 by default
    uint32_t max_cells;                ///< how many pieces of surfaces and space are examined; 0: 50,000
    graze_budget budget;               ///< used up: the interval known by then
} graze_deepest_options;

GRAZE_INLINE graze_deepest_options graze_deepest_options_default(void)
{
    graze_deepest_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.relative_error = 0.01;
    return options;
}

/// Finds the deepest common point of two solids. An open mesh is a surface: its points in the other solid count.
/// Guarantee: bounded. Swapping the arguments swaps the answer. Fails as graze_pair_depth does; a budget that ends
/// before the overlap is decided: GRAZE_STATUS_UNFINISHED. Thread safety: as graze_pair_depth.
GRAZE_API graze_status graze_pair_deepest_point(const graze_context *context, const graze_placed_mesh *a,
                                                const graze_placed_mesh *b, const graze_deepest_options *options,
                                                graze_deepest_point *out_deepest);

/// Options of interference queries. Start from graze_interference_options_default(); NULL means the same.
typedef struct graze_interference_options
{
    size_t struct_size;
    const graze_body *body_a, *body_b; ///< precomputed solids of the meshes; NULL: made for the call
    double relative_error;             ///< of both intervals and the volume, where that can be reached; 0.01 by default
    double absolute_error;             ///< of the depth of the deepest point, as a distance; the larger one counts. 0
    uint32_t max_cells;                ///< as in graze_deepest_options
    uint32_t max_queries;              ///< how many translations are tried; 0: 600
    bool region;                       ///< whether the contact region is wanted; false by default
    bool volume;                       ///< whether the common volume is wanted; false by default
    graze_budget budget;               ///< used up: the intervals known by then; see graze_depth.unfinished
    bool contacts_only; ///< whether overlap, counts and region suffice: then depth and way out of solids that overlap
                        ///< are not searched for, but said to lie between 0 and infinity. false by default
    bool pieces;        ///< whether the connected pieces of the common space are wanted: of solids that
                        ///< overlap the region is then made in any case, with its `overlaps`
    graze_containment containment; ///< what is known of graze_pair_containment: the common volume is that of the inner
                                   ///< solid then. NONE by default: nothing
} graze_interference_options;

GRAZE_INLINE graze_interference_options graze_interference_options_default(void)
{
    graze_interference_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.relative_error = 0.01;
    return options;
}

/// All there is to know of two solids that overlap or touch, from one search for their contacts.
typedef struct graze_interference
{
    graze_deepest_point deepest; ///< the interference depth, as graze_pair_deepest_point
    graze_depth way_out;         ///< the separating translation, as graze_pair_depth, and the counts of contacts; its
                         ///< lower bound is the sum of a common point's depths in both solids, at most twice the
                         ///< interference depth, and `point` the deepest point
    struct graze_region *region; ///< the contact region, if wanted, as graze_region_create makes it; the caller
                                 ///< destroys it. NULL if not, and when `way_out.unfinished`. With pieces where they
                                 ///< are wanted: components that a path of common points certainly connects belong to
                                 ///< one, up to the rounding of the region's points
    double volume, volume_error; ///< the common volume lies within the error of this value, if wanted, for bodies that
                                 ///< do not meet themselves; 0 and 0 if not, when they do not overlap, and for open
                                 ///< meshes. The error is infinite where nothing could be found out
} graze_interference;

/// Measures how two meshes interfere: graze_pair_deepest_point, graze_pair_depth and graze_region_create at the cost of
/// one search for contacts, and their common volume. Guarantee: bounded, as of these. Swapping the arguments swaps the
/// answer and negates the translation. Fails as graze_pair_depth does. Thread safety: as graze_pair_depth.
GRAZE_API graze_status graze_pair_interference(const graze_context *context, const graze_placed_mesh *a,
                                               const graze_placed_mesh *b, const graze_interference_options *options,
                                               graze_interference *out_interference);

/// Options of overlap queries. Start from graze_overlap_options_default(); NULL means the same.
typedef struct graze_overlap_options
{
    size_t struct_size;
    const graze_body *body_a, *body_b; ///< precomputed solids of the meshes; NULL: made for the call
    graze_budget budget;               ///< used up: GRAZE_STATUS_UNFINISHED; cancelled: GRAZE_STATUS_CANCELLED
} graze_overlap_options;

GRAZE_INLINE graze_overlap_options graze_overlap_options_default(void)
{
    graze_overlap_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// Decides whether the interiors of two solids share a point: NO when they are disjoint or touch from outside. An open
/// mesh overlaps what it passes through and what it lies in. Triangles without area bound nothing: a spike of a solid
/// that reaches into another touches it. Only such a piece that lies wholly inside the other counts, as an open mesh
/// does. So does a closed mesh without volume: one that a singular pose flattens, or a face and the same face turned
/// over. Surfaces that cross always overlap, also where the surface of a self-intersecting mesh has the same winding
/// number on both sides. Guarantee: exact, or UNKNOWN: only when the meshes touch, no plane separates them, and one is
/// not closed, self-intersecting, inconsistently oriented, flattened, or has triangles without area. Fails as
/// graze_pair_depth does, or with UNFINISHED.
GRAZE_API graze_status graze_pair_overlap(const graze_context *context, const graze_placed_mesh *a,
                                          const graze_placed_mesh *b, const graze_overlap_options *options,
                                          graze_verdict *out_overlap);

GRAZE_END_DECLS

#endif
