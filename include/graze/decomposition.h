/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Convex decomposition: of a surface into convex patches.
 *
 * Thread safety: all functions only read their input.
 */
#ifndef GRAZE_DECOMPOSITION_H
#define GRAZE_DECOMPOSITION_H

#include "graze/mesh.h"

GRAZE_BEGIN_DECLS

/// Divides the surface of a mesh into convex patches: connected sets of triangles that lie on the boundary of their
/// convex hull, facing outward (SWIFT++, Ehmann and Lin 2001). No vertex of a patch lies in front of the plane of a
/// triangle of it. Triangles are connected through edges that belong to exactly two triangles; vertices with equal
/// coordinates are one. A triangle without area is a patch of its own.
///
/// Patches are numbered by their first triangle. They are large, but not as few as possible: first all triangles on the
/// hull of a component of the mesh, then what grows from triangle after triangle. A convex body is one patch, a
/// surface that is concave everywhere has a patch for every triangle or so.
///
/// Guarantee: exact. `out_patches` has room for every triangle. Takes time proportional to the sum of the squares of
/// the patches that grow, and a little more than linear for the others. Fails with OUT_OF_MEMORY, UNFINISHED or
/// CANCELLED.
GRAZE_API graze_status graze_mesh_find_convex_patches(const graze_context *context, const graze_mesh *mesh,
                                                      const graze_budget *budget, uint32_t *out_patches,
                                                      size_t *out_count);

GRAZE_END_DECLS

#endif
