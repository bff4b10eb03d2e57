/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Contacts of two placed shapes for solvers, of any kinds: see graze/contact.h for what a contact is, and how exact.
 */
#ifndef GRAZE_SHAPE_CONTACT_H
#define GRAZE_SHAPE_CONTACT_H

#include "graze/contact.h"
#include "graze/shape_query.h"

GRAZE_BEGIN_DECLS

/// Contacts of two leaves (see graze/shape_query.h).
typedef struct graze_shape_manifold
{
    uint32_t part_a, part_b;
    graze_contact_manifold contacts;
} graze_shape_manifold;

/// Options of contacts. Start from graze_shape_contact_options_default(); NULL means the same.
typedef struct graze_shape_contact_options
{
    size_t struct_size;
    double margin;        ///< points with a gap up to this are reported; below 0: a 200th of the smaller shape's size
    uint32_t most_points; ///< of a manifold, 1 to GRAZE_CONTACT_POINTS_MOST; 4
    graze_budget budget;  ///< used up: GRAZE_STATUS_UNFINISHED
    graze_shape_cache *cache; ///< of this pair, in this order; may be NULL
} graze_shape_contact_options;

GRAZE_INLINE graze_shape_contact_options graze_shape_contact_options_default(void)
{
    graze_shape_contact_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.margin = -1;
    options.most_points = 4;
    return options;
}

/// Finds the contacts of two shapes. Writes the first `capacity` manifolds and how many there are.
/// - Two convex leaves have one manifold, however deep they overlap: the normal is that of the shortest way out, or the
///   line of the closest points.
/// - A half-space and anything: its normal, and the points of the other that are lowest.
/// - Meshes and height fields: those of graze_pair_contacts with anything that has a core; with a curved shape, one
///   manifold for each normal. Overlaps deeper than the margin are left out.
/// - Two half-spaces have none.
/// Guarantee: estimated; shapes farther apart than the margin have none. Swapping the arguments turns the normals
/// round, up to rounding. Fails as the queries of graze/shape_query.h.
GRAZE_API graze_status graze_shape_pair_contacts(const graze_context *context, const graze_placed *a,
                                                 const graze_placed *b, const graze_shape_contact_options *options,
                                                 graze_shape_manifold *manifolds, size_t capacity, size_t *out_count);

GRAZE_END_DECLS

#endif
