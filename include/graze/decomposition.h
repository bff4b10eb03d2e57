/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Convex decomposition: of a body into convex pieces that cover it, and of a surface into convex patches.
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

typedef struct graze_decomposition graze_decomposition;

/// Options of a decomposition. Start from graze_decomposition_options_default(); NULL means the same.
typedef struct graze_decomposition_options
{
    size_t struct_size;
    size_t most_pieces; ///< at least 1; 32 by default
    double excess;      ///< pieces that reach out of the body by at most this are not cut; 0: as many pieces as allowed
    graze_budget budget; ///< used up: GRAZE_STATUS_UNFINISHED; cancelled: GRAZE_STATUS_CANCELLED
} graze_decomposition_options;

GRAZE_INLINE graze_decomposition_options graze_decomposition_options_default(void)
{
    graze_decomposition_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.most_pieces = 32;
    return options;
}

/// How far a piece reaches out of the body: its greatest distance from it lies between these.
typedef struct graze_piece_excess
{
    double lower, upper;
} graze_piece_excess;

/// Divides a body into convex pieces by axis-aligned cuts, where the hulls of both halves are smallest, until no piece
/// reaches out of the body by more than options->excess or there are options->most_pieces. A closed mesh is a solid
/// (see graze_point_in_mesh), another mesh a surface, which hulls of several triangles mostly leave.
///
/// Guarantee: the union of the pieces contains the body, exactly; every piece is convex. Excesses are bounded from both
/// sides, coordinates on cuts are rounded. How few pieces there are is not guaranteed. Pieces share faces where they
/// were cut, up to rounding.
///
/// The caller owns *out_decomposition. Fails with EMPTY (no faces), BAD_ARGUMENT (options), OUT_OF_MEMORY, UNFINISHED
/// or CANCELLED.
GRAZE_API graze_status graze_decomposition_create(const graze_context *context, const graze_mesh *mesh,
                                                  const graze_decomposition_options *options,
                                                  graze_decomposition **out_decomposition);
GRAZE_API void graze_decomposition_destroy(graze_decomposition *decomposition);

GRAZE_API size_t graze_decomposition_piece_count(const graze_decomposition *decomposition);

/// A piece, as graze_mesh_create_hull makes them; NULL for a number out of range. Belongs to the decomposition.
GRAZE_API const graze_mesh *graze_decomposition_piece(const graze_decomposition *decomposition, size_t piece);

/// Zeros for a number out of range.
GRAZE_API graze_piece_excess graze_decomposition_excess(const graze_decomposition *decomposition, size_t piece);

GRAZE_END_DECLS

#endif
