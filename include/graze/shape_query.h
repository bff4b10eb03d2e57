/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Queries of two placed shapes: whether they collide, distance, tolerance, depth, triangles; ray casts and shape casts.
 * Any kind may meet any other.
 *
 * **Exactness** (see graze/shape.h). Meshes, polytopes, rounded ones (spheres, capsules) and half-spaces are decided
 * exactly against each other. Cylinders, cones and ellipsoids are decided exactly against half-spaces, and otherwise
 * for certain or not at all: GRAZE_VERDICT_UNKNOWN, within a very small width around touching (1e-12 of their size; and
 * where numbers of poses are more than 2^1000 times it). Touching counts as
 * colliding. Swapping the arguments swaps the answer. Distances and depths are certified intervals.
 *
 * **Parts.** Compounds are flattened: their leaves are numbered in depth-first order, from 0. A shape that is no
 * compound has one leaf, number 0.
 *
 * All queries fail with NOT_FINITE, NOT_RIGID or SINGULAR (a pose: see graze_placed_check), BAD_ARGUMENT,
 * OUT_OF_MEMORY, and UNFINISHED or CANCELLED (budget). Thread safety: any number of threads may query the same shapes;
 * a cache belongs to one thread at a time.
 */
#ifndef GRAZE_SHAPE_QUERY_H
#define GRAZE_SHAPE_QUERY_H

#include <math.h>

#include "graze/cache.h"
#include "graze/depth.h"
#include "graze/distance.h"
#include "graze/shape.h"

GRAZE_BEGIN_DECLS

/// No triangle: of a shape that has none, or where a solid is met inside.
#define GRAZE_NO_TRIANGLE UINT32_MAX

/// Temporal coherence for one pair of shapes: a plain struct that owns no memory and may be copied. It may save time
/// and never changes whether shapes collide.
typedef struct graze_shape_cache
{
    graze_pair_cache meshes;
    uint64_t state[96]; ///< private
} graze_shape_cache;

/// An empty cache.
GRAZE_API graze_shape_cache graze_shape_cache_default(void);

/// Options of queries. Start from graze_shape_options_default(); NULL means the same.
typedef struct graze_shape_options
{
    size_t struct_size;
    graze_stats *stats;       ///< receives the cost, also of an unfinished query; may be NULL
    graze_shape_cache *cache; ///< of this pair; may be NULL
    graze_budget budget;
} graze_shape_options;

GRAZE_INLINE graze_shape_options graze_shape_options_default(void)
{
    graze_shape_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// Where two shapes meet.
typedef struct graze_shape_hit
{
    uint32_t part_a, part_b;         ///< leaves
    uint32_t triangle_a, triangle_b; ///< of meshes and height fields; else GRAZE_NO_TRIANGLE
    uint32_t face_a, face_b;         ///< the faces they came from; else GRAZE_NO_TRIANGLE
    graze_triangle_contact contact;  ///< of the two triangles, if there are two that share a point; else zeros
    bool has_point;                  ///< whether the point below is set
    double point[3];                 ///< about a common point, in the world; estimated
} graze_shape_hit;

/// Whether two shapes collide.
/// Guarantee: exact; UNKNOWN with curved kinds only.
/// @param out_hit  a place where they do; may be NULL; written only with GRAZE_VERDICT_YES
GRAZE_API graze_status graze_shape_pair_any(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                            const graze_shape_options *options, graze_verdict *out_collide,
                                            graze_shape_hit *out_hit);

/// Options of distances. Start from graze_shape_distance_options_default(); NULL means the same. Limit and errors are
/// those of graze_distance_options.
typedef struct graze_shape_distance_options
{
    size_t struct_size;
    double limit; ///< INFINITY: none
    double relative_error, absolute_error;
    graze_stats *stats;
    graze_shape_cache *cache;
    graze_budget budget;
} graze_shape_distance_options;

GRAZE_INLINE graze_shape_distance_options graze_shape_distance_options_default(void)
{
    graze_shape_distance_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.limit = INFINITY;
    return options;
}

/// The distance of two shapes.
typedef struct graze_shape_distance
{
    bool found;          ///< false: they are farther apart than the limit, or one is empty; then only `lower` counts
    double distance;     ///< about; 0 if and only if the shapes collide, for kinds that are decided exactly
    double lower, upper; ///< the true distance lies between these; certified
    uint32_t part_a, part_b;
    uint32_t triangle_a, triangle_b, face_a, face_b; ///< as in graze_shape_hit
    double point_a[3], point_b[3];                   ///< closest points, in the world; estimated. The same point where
                                                     ///< the shapes collide
} graze_shape_distance;

/// Measures the distance of two shapes: 0 when they share a point, also inside a solid.
/// Guarantee: bounded. The interval is as narrow as that of graze_pair_distance for polytopes; for shapes with a radius
/// the error is relative to the distance of their cores.
GRAZE_API graze_status graze_shape_pair_distance(const graze_context *context, const graze_placed *a,
                                                 const graze_placed *b, const graze_shape_distance_options *options,
                                                 graze_shape_distance *out_distance);

/// Options of tolerance queries. Start from graze_shape_tolerance_options_default(); NULL means the same.
typedef struct graze_shape_tolerance_options
{
    size_t struct_size;
    bool strict; ///< distance < tolerance instead of <=
    graze_stats *stats;
    graze_shape_cache *cache;
    graze_budget budget;
} graze_shape_tolerance_options;

GRAZE_INLINE graze_shape_tolerance_options graze_shape_tolerance_options_default(void)
{
    graze_shape_tolerance_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// Whether two shapes are at most `tolerance` apart; it is finite, not negative, and taken as a real number.
/// Guarantee: exact for meshes, polytopes, rounded ones and half-spaces; UNKNOWN with curved kinds only. Nothing is
/// nearer than 0.
GRAZE_API graze_status graze_shape_pair_tolerance_any(const graze_context *context, const graze_placed *a,
                                                      const graze_placed *b, double tolerance,
                                                      const graze_shape_tolerance_options *options,
                                                      graze_verdict *out_within, graze_shape_hit *out_hit);

/// Options of depths. Start from graze_shape_depth_options_default(); NULL means the same.
typedef struct graze_shape_depth_options
{
    size_t struct_size;
    double relative_error; ///< how far upper may exceed lower, where that can be reached; 0.01
    uint32_t max_queries;  ///< how many translations are tried; 0: 600
    graze_stats *stats;
    graze_shape_cache *cache;
    graze_budget budget;
} graze_shape_depth_options;

GRAZE_INLINE graze_shape_depth_options graze_shape_depth_options_default(void)
{
    graze_shape_depth_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.relative_error = 0.01;
    options.max_queries = 600;
    return options;
}

/// How deep two shapes are in each other.
typedef struct graze_shape_depth
{
    graze_verdict overlap; ///< whether their interiors share a point, see below. NO: all numbers are 0
    double lower, upper;   ///< way out: the length of the shortest translation after which interiors are disjoint, lies
                           ///< between these; certified. INFINITY: no way out is known
    double translation[3]; ///< added to B's translation it separates them, up to its rounding, where upper is finite;
                           ///< its length is about `upper`
    uint32_t part_a, part_b; ///< the two leaves that are deepest in each other, of compounds
    double depth_lower,
        depth_upper; ///< depth of the deepest common point below the surface of the shape in which it is deeper (of
                     ///< solids) lies between these; certified
    bool has_point;  ///< whether the point below is set: a common point at least about `depth_lower` deep
    double point[3];
} graze_shape_depth;

/// Measures the way out, and bounds the depth of the deepest common point.
/// Guarantee: bounded. What each kind gives:
/// - meshes with meshes and polytopes: as graze_pair_interference; two polytopes: the way out by EPA, and from it
/// bounds
///   of the depth;
/// - convex cores with a radius: the way out is exact up to rounding while the cores are apart, else as that of the
///   cores and both radii;
/// - a half-space and anything bounded: the way out along its normal, up to rounding;
/// - cylinder, cone, ellipsoid, compounds, meshes with a shape that has a radius: a certified interval that may be
///   wide: its upper end is the shortest of some translations that certainly separate them.
/// Interiors of things that have none (surfaces, points, flat hulls) are the sets themselves, as in graze_pair_overlap:
/// UNKNOWN where that leaves it open, and with curved kinds.
GRAZE_API graze_status graze_shape_pair_depth(const graze_context *context, const graze_placed *a,
                                              const graze_placed *b, const graze_shape_depth_options *options,
                                              graze_shape_depth *out_depth);

/// How many hits there are. Pairs of leaves count where one of them at least has triangles (a mesh or height field). Of
/// two such leaves, hits are pairs of triangles that share a point. Where the other leaf has none, hits are single
/// triangles that share a point with it, whose own triangle is GRAZE_NO_TRIANGLE.
typedef struct graze_shape_counts
{
    bool has_triangles; ///< whether there is any leaf with triangles
    uint64_t hits;
    uint64_t touching, crossing; ///< of pairs of triangles
    uint64_t coplanar;           ///< touching pairs that overlap in a common plane, with area
    uint64_t unknown;            ///< triangles of which it is not known whether they meet a curved shape; not in `hits`
} graze_shape_counts;

/// Counts the triangles that collide.
/// Guarantee: exact, but for `unknown`.
GRAZE_API graze_status graze_shape_pair_count(const graze_context *context, const graze_placed *a,
                                              const graze_placed *b, const graze_shape_options *options,
                                              graze_shape_counts *out_counts);

/// Writes the first `capacity` hits in order of (part_a, part_b, triangle_a, triangle_b), and counts all.
GRAZE_API graze_status graze_shape_pair_gather(const graze_context *context, const graze_placed *a,
                                               const graze_placed *b, const graze_shape_options *options,
                                               graze_shape_hit *hits, size_t capacity, graze_shape_counts *out_counts);

/// Called for every hit, in that order; return false to stop.
typedef bool (*graze_shape_hit_function)(void *user, const graze_shape_hit *hit);

/// Visits all hits. Stopped by the callback it returns GRAZE_STATUS_CANCELLED.
GRAZE_API graze_status graze_shape_pair_visit(const graze_context *context, const graze_placed *a,
                                              const graze_placed *b, const graze_shape_options *options,
                                              graze_shape_hit_function visit, void *user);

/// Where a ray first meets a shape.
typedef struct graze_shape_ray_hit
{
    uint32_t part;
    uint32_t triangle, face; ///< of meshes and height fields; else GRAZE_NO_TRIANGLE
    double t;                ///< the point is origin + t direction; 0 where the origin lies in the shape
    double t_lower, t_upper; ///< the true t lies between these
    double point[3];
} graze_shape_ray_hit;

/// Finds the first point of origin + t direction, 0 <= t <= limit, in the shape; `limit` may be INFINITY.
/// Guarantee: whether there is one is exact; UNKNOWN with curved kinds only. t is bounded.
/// @param out_hit  may be NULL; written only with GRAZE_VERDICT_YES
GRAZE_API graze_status graze_shape_cast_ray(const graze_context *context, const graze_placed *placed,
                                            const double origin[3], const double direction[3], double limit,
                                            const graze_shape_options *options, graze_verdict *out_found,
                                            graze_shape_ray_hit *out_hit);

/// Where a moving shape first meets another one.
typedef struct graze_shape_cast_hit
{
    uint32_t part_a, part_b;         ///< leaves
    uint32_t triangle_a, triangle_b; ///< of meshes and height fields; else GRAZE_NO_TRIANGLE
    uint32_t face_a, face_b;
    double t;                ///< B is then at start + t (end - start); 0 where they meet at the start
    double t_lower, t_upper; ///< the true t lies between these, within [0, 1]
    double point[3];         ///< about a common point then, on A, in the world; estimated
    double normal[3]; ///< about the direction from A to B there, of unit length; zeros where they meet at the start
} graze_shape_cast_hit;

/// Finds the first contact of B with A while B moves straight, without turning, from its pose to the translation `to`;
/// both ends count. Each part of a compound moves straight from its pose in the world at the start to that at the end
/// (each rounded once, see graze_shape_create_compound).
/// Guarantee: whether there is one is exact for the shapes at face value, as are both ends; UNKNOWN with curved kinds
/// only, where they graze within the width of certain answers. t is bounded; the interval is narrow where shapes then
/// enter each other, and may reach to the end of the contact where they only graze. Of two meshes, each triangle of B
/// that comes near A is compared on its own: costly where both are large.
/// @param out_hit  may be NULL; written only with GRAZE_VERDICT_YES
/// Fails also with NOT_FINITE where `to` is not finite. The options' cache is not used.
GRAZE_API graze_status graze_shape_pair_cast(const graze_context *context, const graze_placed *a, const graze_placed *b,
                                             const double to[3], const graze_shape_options *options,
                                             graze_verdict *out_found, graze_shape_cast_hit *out_hit);

GRAZE_END_DECLS

#endif
