/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Distance and closest points of two placed meshes, and tolerance queries: which pairs of triangles are within a
 * tolerance. Distances are in world units. Meshes are surfaces: one inside another, without contact, has a positive
 * distance. Both agree with graze/pair.h where the distance is 0. Poses may scale, shear
 * or be singular; trees make rigid ones fast.
 */
#ifndef GRAZE_DISTANCE_H
#define GRAZE_DISTANCE_H

#include <math.h>

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

/// Options of distance queries. Start from graze_distance_options_default(); NULL means the same.
typedef struct graze_distance_options
{
    size_t struct_size;
    double limit; ///< upper limit of interest: a larger distance is not computed, only reported as not found; INFINITY:
                  ///< no limit
    double relative_error; ///< allowed relative error e: the reported distance is at most 1 + e times the minimum; 0:
                           ///< the minimum
    graze_stats *stats;    ///< receives the cost, also of an unfinished query; may be NULL
    graze_budget budget;   ///< used up: GRAZE_STATUS_UNFINISHED; cancelled: GRAZE_STATUS_CANCELLED
    double absolute_error; ///< allowed width of [lower, upper]; the larger error counts. The search ends at the first
                           ///< pair that is certainly no farther apart than this: lower is then 0, and meshes that meet
                           ///< may have a small positive distance. 0: none
} graze_distance_options;

GRAZE_INLINE graze_distance_options graze_distance_options_default(void)
{
    graze_distance_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.limit = INFINITY;
    return options;
}

/// The distance of two meshes.
typedef struct graze_distance
{
    bool found;          ///< false: they are farther apart than the limit, or one is empty; then only `lower` counts
    double distance;     ///< between the closest points below; 0 if and only if the meshes share a point
    double lower, upper; ///< the true distance lies between these
    uint32_t triangle_a, triangle_b; ///< the triangles the points lie on
    uint32_t face_a, face_b;         ///< and the faces they came from
    double point_a[3], point_b[3];   ///< in the world
} graze_distance;

/// Measures the distance of two placed meshes.
/// Guarantee: bounded. The true distance lies in [lower, upper]; 0 is reported exactly when the meshes share a point.
/// With relative error e: upper <= (1 + e) lower, up to rounding. With absolute error e: upper - lower <= e, up to
/// rounding, and 0 is not told from distances up to e. Without both: upper - lower is at most 2^-33
/// of the distance, except near overflow and underflow, and mostly far less. The closest points
/// lie on their triangles within the same error. Not found: the true distance is at least `lower`, which is the limit,
/// up to rounding. Swapping the arguments swaps the answer; with default limit and errors the result does not
/// depend on trees or instruction set, except for which triangle pair is reported when the meshes collide. Fails with
/// NOT_FINITE (a pose), BAD_ARGUMENT (a tree of another mesh, a negative or undefined option), OUT_OF_MEMORY,
/// UNFINISHED or CANCELLED (options). Thread safety: any number of threads may use the same meshes.
GRAZE_API graze_status graze_pair_distance(const graze_context *context, const graze_placed_mesh *a,
                                           const graze_placed_mesh *b, const graze_distance_options *options,
                                           graze_distance *out_distance);

/// Two triangles within a tolerance.
typedef struct graze_proximity
{
    uint32_t triangle_a, triangle_b;
    uint32_t face_a, face_b; ///< the faces the triangles came from
    bool meet;               ///< whether they share a point
    double lower, upper;     ///< their distance lies between these
} graze_proximity;

/// Options of tolerance queries. Start from graze_tolerance_options_default(); NULL means the same.
typedef struct graze_tolerance_options
{
    size_t struct_size;
    bool strict;         ///< distance < tolerance instead of <=
    graze_stats *stats;  ///< receives the cost, also of an unfinished query; may be NULL
    graze_budget budget; ///< used up: GRAZE_STATUS_UNFINISHED; cancelled: GRAZE_STATUS_CANCELLED
} graze_tolerance_options;

GRAZE_INLINE graze_tolerance_options graze_tolerance_options_default(void)
{
    graze_tolerance_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    return options;
}

/// Finds one pair of triangles at most `tolerance` apart, if there is any; the tolerance is finite, not negative, and
/// taken as an exact real number.
/// Guarantee: exact, also when distance and tolerance differ by less than one ulp; with a tolerance of 0 the answer is
/// that of graze_pair_any, or nothing if it is strict.
/// @param out_found  whether there is one; *out_proximity (may be NULL) is written only then
/// Fails as graze_pair_distance does.
GRAZE_API graze_status graze_pair_tolerance_any(const graze_context *context, const graze_placed_mesh *a,
                                                const graze_placed_mesh *b, double tolerance,
                                                const graze_tolerance_options *options, bool *out_found,
                                                graze_proximity *out_proximity);

/// Counts all pairs of triangles at most `tolerance` apart.
GRAZE_API graze_status graze_pair_tolerance_count(const graze_context *context, const graze_placed_mesh *a,
                                                  const graze_placed_mesh *b, double tolerance,
                                                  const graze_tolerance_options *options, uint64_t *out_count);

/// Writes the first `capacity` of them in order of (triangle_a, triangle_b), and the full count.
GRAZE_API graze_status graze_pair_tolerance_gather(const graze_context *context, const graze_placed_mesh *a,
                                                   const graze_placed_mesh *b, double tolerance,
                                                   const graze_tolerance_options *options, graze_proximity *proximities,
                                                   size_t capacity, uint64_t *out_count);

/// Called for every pair in order of (triangle_a, triangle_b); return false to stop.
typedef bool (*graze_proximity_function)(void *user, const graze_proximity *proximity);

/// Visits all of them. Stopped by the callback it returns GRAZE_STATUS_CANCELLED.
GRAZE_API graze_status graze_pair_tolerance_visit(const graze_context *context, const graze_placed_mesh *a,
                                                  const graze_placed_mesh *b, double tolerance,
                                                  const graze_tolerance_options *options,
                                                  graze_proximity_function visit, void *user);

/// Looks for a plane that separates two placed meshes, with more than `distance` between them. It tries the axes of
/// their boxes and a few directions more, in about a microsecond per thousand vertices, and needs no trees: so most
/// pairs of a large set are settled before any tree is built. Guarantee: found means that there is such a plane: the
/// meshes are farther apart than `distance`, share no point, and neither contains the other. Not found means nothing.
/// An empty mesh is not separated from anything.
/// @param out_normal  of the plane, if found: normal . x of every point of A is below that of every point of B; of any
///                    length. May be NULL
/// Fails with NOT_FINITE (a pose) or BAD_ARGUMENT (a tree of another mesh, a distance that is negative or undefined).
/// Thread safety: any number of threads may use the same meshes.
GRAZE_API graze_status graze_pair_find_separating_plane(const graze_placed_mesh *a, const graze_placed_mesh *b,
                                                        double distance, bool *out_found, double out_normal[3]);

GRAZE_END_DECLS

#endif
