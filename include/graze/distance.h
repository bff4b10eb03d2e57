/* SPDX-License-Identifier: MIT */
/**
 * @file
 * How far two placed meshes are apart, and which of their triangles are within a tolerance of each other. Distances are
 * in world units; both questions agree with graze/pair.h where the distance is 0. Poses may scale and shear, also
 * without inverse; trees make rigid ones fast.
 */
#ifndef GRAZE_DISTANCE_H
#define GRAZE_DISTANCE_H

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

/// What one may wish of a distance. Start from graze_distance_options_default(); NULL means the same.
typedef struct graze_distance_options
{
    double limit;          ///< what is farther apart than this need not be measured; INFINITY: everything is
    double relative_error; ///< how much larger than the least the distance may be; 0: it is the least
    bool strict;           ///< of tolerances: pairs count whose distance is below it, not those that have just that
    graze_stats *stats;    ///< gets what the query cost, also when it is not finished; may be NULL
    graze_budget budget;   ///< when used up the query fails with GRAZE_STATUS_UNFINISHED
    graze_progress_function progress; ///< may be NULL; returning false the query fails with GRAZE_STATUS_CANCELLED
    void *progress_user;
} graze_distance_options;

GRAZE_API graze_distance_options graze_distance_options_default(void);

/// The distance of two meshes.
typedef struct graze_distance
{
    bool found;          ///< false: they are farther apart than the limit, or one is empty; then only `lower` counts
    double distance;     ///< of the two points below; 0 exactly when the meshes share a point
    double lower, upper; ///< the true distance lies between these
    uint32_t triangle_a, triangle_b; ///< the triangles the points lie on
    uint32_t face_a, face_b;         ///< and the faces they were cut from
    double point_a[3], point_b[3];   ///< in the world
} graze_distance;

/// Measures the distance of two placed meshes.
/// Guarantee: bounded. The true distance lies in [lower, upper]; 0 is reported exactly when the meshes share a point.
/// With relative_error e, upper exceeds (1 + e) lower by rounding only; with 0 both are some 2^-46 of the meshes'
/// extent apart, or less, and 2^-35 of the distance at most, but at the ends of the range of doubles. Points lie on
/// their triangles up to as much. Not found: the true distance is at least `lower`, which is the limit, but for
/// rounding. Swapping the arguments swaps the answer; neither trees nor instructions change it when limit and relative
/// error are left alone, but for which pair is named of meshes that meet. Fails with NOT_FINITE (a pose), BAD_ARGUMENT
/// (a tree of another mesh, a negative or undefined option) or OUT_OF_MEMORY. Thread safety: any number of threads may
/// use the same meshes.
GRAZE_API graze_status graze_pair_distance(const graze_context *context, const graze_placed_mesh *a,
                                           const graze_placed_mesh *b, const graze_distance_options *options,
                                           graze_distance *out_distance);

/// Two triangles within a tolerance.
typedef struct graze_proximity
{
    uint32_t triangle_a, triangle_b;
    uint32_t face_a, face_b; ///< the faces they were cut from
    bool meet;               ///< whether they share a point
    double lower, upper;     ///< their distance lies between these
} graze_proximity;

/// Finds one pair of triangles at most `tolerance` apart, if there is any; the tolerance is a finite number, not
/// negative, taken at face value.
/// Guarantee: exact, also for the strict question, where no double may lie between the distance and the tolerance;
/// with a tolerance of 0 the answer is that of graze_pair_any, or nothing if it is strict. Of the options `limit` and
/// `relative_error` do not count.
/// @param out_found  whether there is one; *out_proximity (may be NULL) is written only then
/// Fails as graze_pair_distance does.
GRAZE_API graze_status graze_pair_tolerance_any(const graze_context *context, const graze_placed_mesh *a,
                                                const graze_placed_mesh *b, double tolerance,
                                                const graze_distance_options *options, bool *out_found,
                                                graze_proximity *out_proximity);

/// Counts all pairs of triangles at most `tolerance` apart.
GRAZE_API graze_status graze_pair_tolerance_count(const graze_context *context, const graze_placed_mesh *a,
                                                  const graze_placed_mesh *b, double tolerance,
                                                  const graze_distance_options *options, uint64_t *out_count);

/// Writes the first `capacity` of them in order of (triangle_a, triangle_b), and counts all: never a silent cut.
GRAZE_API graze_status graze_pair_tolerance_gather(const graze_context *context, const graze_placed_mesh *a,
                                                   const graze_placed_mesh *b, double tolerance,
                                                   const graze_distance_options *options, graze_proximity *proximities,
                                                   size_t capacity, uint64_t *out_count);

/// Called for every pair in order of (triangle_a, triangle_b); return false to stop.
typedef bool (*graze_proximity_function)(void *user, const graze_proximity *proximity);

/// Visits all of them. Stopped by the callback it returns GRAZE_STATUS_CANCELLED.
GRAZE_API graze_status graze_pair_tolerance_visit(const graze_context *context, const graze_placed_mesh *a,
                                                  const graze_placed_mesh *b, double tolerance,
                                                  const graze_distance_options *options, graze_proximity_function visit,
                                                  void *user);

GRAZE_END_DECLS

#endif
