/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Ray casts, box queries, point queries and nearest points of one placed mesh. The same questions to many objects:
 * graze/scene_query.h.
 *
 * Fail with NOT_FINITE (a pose or a number of the question), BAD_ARGUMENT (a tree of another mesh), OUT_OF_MEMORY, and
 * with UNFINISHED or CANCELLED by their options. Thread safety: any number of threads may use the same meshes.
 */
#ifndef GRAZE_MESH_QUERY_H
#define GRAZE_MESH_QUERY_H

#include "graze/box.h"
#include "graze/distance.h"
#include "graze/pair.h"

GRAZE_BEGIN_DECLS

/// Where a ray first meets a mesh.
typedef struct graze_mesh_ray_hit
{
    uint32_t triangle, face;
    double t;                ///< the point is origin + t direction; infinite where no double is as large
    double t_lower, t_upper; ///< the true t lies between these
    double point[3];
} graze_mesh_ray_hit;

/// Finds the first point of origin + t direction, 0 <= t <= limit, on the surface; `limit` may be INFINITY.
/// Guarantee: whether there is one is exact; t is bounded. Of triangles at the same computed t the least index counts.
/// @param out_found  whether there is one; *out_hit (may be NULL) is written only then
/// BAD_ARGUMENT also for a limit that is negative or not a number.
GRAZE_API graze_status graze_placed_mesh_cast_ray(const graze_context *context, const graze_placed_mesh *mesh,
                                                  const double origin[3], const double direction[3], double limit,
                                                  const graze_pair_options *options, bool *out_found,
                                                  graze_mesh_ray_hit *out_hit);

/// Writes the first `capacity` triangles, ascending, that share a point with a box, taken as a body, and how many there
/// are. Guarantee: exact. BAD_ARGUMENT also for a box whose lower end is above the upper one.
GRAZE_API graze_status graze_placed_mesh_collide_box(const graze_context *context, const graze_placed_mesh *mesh,
                                                     const graze_box *box, const graze_pair_options *options,
                                                     uint32_t *triangles, size_t capacity, size_t *out_count);

/// Writes the first `capacity` triangles, ascending, that a point lies on, and how many there are. Guarantee: exact.
/// Whether the point lies in the body: graze_point_in_mesh.
GRAZE_API graze_status graze_placed_mesh_collide_point(const graze_context *context, const graze_placed_mesh *mesh,
                                                       const double point[3], const graze_pair_options *options,
                                                       uint32_t *triangles, size_t capacity, size_t *out_count);

/// The point of the surface closest to `point`: point_b and triangle_b of *out_distance; point_a is the question's.
/// Guarantee: bounded, as graze_pair_distance.
GRAZE_API graze_status graze_placed_mesh_nearest_to_point(const graze_context *context, const graze_placed_mesh *mesh,
                                                          const double point[3], const graze_distance_options *options,
                                                          graze_distance *out_distance);

GRAZE_END_DECLS

#endif
