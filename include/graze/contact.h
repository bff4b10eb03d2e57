/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Contacts for solvers: where two bodies touch, or are about to, as manifolds: a normal, and points with signed gaps
 * along it.
 *
 * Contacts exist from a margin on, before bodies touch. Each comes from two features: a vertex over a face, two edges
 * that cross, and so on; names of features stay from frame to frame, so that a solver finds last frame's impulses.
 * Of a mesh only convex edges, border edges and the vertices they have make contacts of their own, and triangles in one
 * plane are one face: a flat surface has no inner edges, however it is cut into triangles.
 *
 * Contacts are constructed, not decided. Graded estimated: points, normals and gaps are rounded (to some units in the
 * last place of the largest coordinate), and thresholds of a few degrees say which features are reported. Bodies whose
 * size is between 1e-75 and 1e75 have them; of others, points may be missing.
 */
#ifndef GRAZE_CONTACT_H
#define GRAZE_CONTACT_H

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

enum
{
    GRAZE_CONTACT_POINTS_MOST = 8
};

typedef struct graze_contact_point
{
    double point_a[3], point_b[3]; ///< on the surfaces, in the world
    double gap;                    ///< along the normal of its features, which is within 2.5 degrees of that of the
                                   ///< manifold; negative where they overlap
    uint64_t feature;              ///< the same as long as the same features meet
} graze_contact_point;

/// Contact points with nearly the same normal.
typedef struct graze_contact_manifold
{
    double normal[3];                                      ///< of unit length, from A to B
    uint32_t count;                                        ///< of points, at least 1
    graze_contact_point points[GRAZE_CONTACT_POINTS_MOST]; ///< the deepest first
} graze_contact_manifold;

/// What contacts need to know of a mesh: which of its edges are convex, flat or concave, and which triangles lie in one
/// plane. Immutable, for any number of threads.
typedef struct graze_contact_surface graze_contact_surface;

/// Examines a mesh, which must outlive the surface and not change. Vertices of equal coordinates count as one.
/// Triangles are taken to face outward; a mesh that is not closed is a sheet with two sides. `budget` may be NULL.
/// Fails with TOO_LARGE, OUT_OF_MEMORY, UNFINISHED or CANCELLED.
GRAZE_API graze_status graze_contact_surface_create(const graze_context *context, const graze_mesh *mesh,
                                                    const graze_budget *budget, graze_contact_surface **out_surface);
GRAZE_API void graze_contact_surface_destroy(graze_contact_surface *surface);

/// Options of contacts. Start from graze_contact_options_default(); NULL means the same.
typedef struct graze_contact_options
{
    size_t struct_size;
    double margin;        ///< points with a gap up to this are reported; below 0: a 200th of the smaller body's size
    uint32_t most_points; ///< of a manifold, 1 to GRAZE_CONTACT_POINTS_MOST; 4
    const graze_contact_surface *surface_a, *surface_b; ///< of the meshes; NULL: made for the call
    graze_budget budget;                                ///< used up: GRAZE_STATUS_UNFINISHED
} graze_contact_options;

GRAZE_INLINE graze_contact_options graze_contact_options_default(void)
{
    graze_contact_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.margin = -1;
    options.most_points = 4;
    return options;
}

/// Finds the contacts of two placed meshes whose gap is from -margin to margin: deeper overlaps are those of
/// graze_pair_depth. Writes the first `capacity` manifolds, by their deepest points, and how many there are. Normals
/// within 2.5 degrees of that of a manifold's deepest point belong to it.
/// Guarantee: estimated; meshes farther apart than the margin have none. Swapping the arguments turns the normals
/// round. Fails with NOT_FINITE (a pose), BAD_ARGUMENT (a tree or surface of another mesh, an option out of range),
/// TOO_LARGE, OUT_OF_MEMORY, UNFINISHED or CANCELLED. Thread safety: any number of threads may use the same meshes.
GRAZE_API graze_status graze_pair_contacts(const graze_context *context, const graze_placed_mesh *a,
                                           const graze_placed_mesh *b, const graze_contact_options *options,
                                           graze_contact_manifold *manifolds, size_t capacity, size_t *out_count);

GRAZE_END_DECLS

#endif
