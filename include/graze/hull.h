/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Convex hulls as meshes: of points, of meshes, and simpler ones around them.
 *
 * Thread safety: all functions only read their input.
 */
#ifndef GRAZE_HULL_H
#define GRAZE_HULL_H

#include "graze/mesh.h"

GRAZE_BEGIN_DECLS

/// The convex hull of points, three coordinates each. Its vertices are those of the points that are no mixture of
/// others, in their order and as they are (of equal points the first); its faces are the real faces, convex polygons
/// counter-clockwise as seen from outside.
///
/// Every hull is a legal mesh: that of coplanar points is a polygon with two faces, back to back; that of collinear
/// points or of one is a triangle with equal corners.
///
/// Guarantee: exact. Fails with EMPTY (no points), NOT_FINITE, TOO_LARGE (2^30 points or more), OUT_OF_MEMORY,
/// UNFINISHED or CANCELLED. The caller owns *out_mesh.
GRAZE_API graze_status graze_mesh_create_hull(const graze_context *context, const double *points, size_t count,
                                              const graze_budget *budget, graze_mesh **out_mesh);

/// A hull with at most `most_vertices` vertices around all points: faces of their hull are left out, first those that
/// add little volume. A hull that has no more vertices is returned as it is.
///
/// Guarantee: every point lies in the mesh, exactly; how much larger the mesh is than the hull is not bounded, except
/// that it is smaller with more vertices as a rule. Compare volumes (graze_mesh_examine) to know.
///
/// Fails with BAD_ARGUMENT for fewer than four vertices, NOT_FINITE for coordinates so large that there may be no such
/// hull, and as graze_mesh_create_hull. The caller owns *out_mesh.
GRAZE_API graze_status graze_mesh_create_outer_hull(const graze_context *context, const double *points, size_t count,
                                                    size_t most_vertices, const graze_budget *budget,
                                                    graze_mesh **out_mesh);

GRAZE_END_DECLS

#endif
