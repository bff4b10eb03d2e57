/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Intersection of two placed surfaces as geometry (contact region): intersection curves, contact polygons of coplanar
 * faces, isolated contact points; with length, area and bounding box.
 *
 *     graze_region *region;
 *     if (graze_region_create(NULL, &a, &b, NULL, &region) == GRAZE_STATUS_OK)
 *     {
 *         for (size_t c = 0; c < region->curve_count; c++)
 *             draw(region->curve_points + 3 * region->curve_starts[c],
 *                  region->curve_starts[c + 1] - region->curve_starts[c], region->curve_closed[c]);
 *         graze_region_destroy(region);
 *     }
 */
#ifndef GRAZE_REGION_H
#define GRAZE_REGION_H

#include "graze/pair.h"

GRAZE_BEGIN_DECLS

/// Highest dimension of the contact.
typedef enum graze_contact_kind
{
    GRAZE_CONTACT_NONE = 0, ///< nothing
    GRAZE_CONTACT_POINT,
    GRAZE_CONTACT_EDGE, ///< a segment at least
    GRAZE_CONTACT_FACE  ///< faces lie on one another, with area
} graze_contact_kind;

/// A connected component of a contact region: points, curves and polygons that hang together.
typedef struct graze_region_component
{
    graze_contact_kind kind; ///< its highest dimension: by the pieces it is made of, after rounding
    graze_box bounds;        ///< the box around its points
    double point[3];         ///< the one of its points that is nearest to the centre of the box, by rounded distances
    double length;           ///< of its curves; estimated as that of the region
    double area;             ///< of its polygons; estimated likewise
    size_t point_count, curve_count, polygon_count;
} graze_region_component;

/// A connected piece of the space that two solids share; see graze_interference_options.pieces.
typedef struct graze_overlap_piece
{
    graze_box bounds;    ///< the box around its contact and the vertices of either solid in it, rounded
    double lower, upper; ///< certified bounds of the largest depth of its points, as of graze_deepest_point
    double point[3];     ///< lower > 0: a common point of at least that depth; else a point of its contact
} graze_overlap_piece;

/// The contact region of two placed meshes, in the world. Everything is in an order that depends on the shared set
/// alone: swapped arguments, other trees or more threads give the same bytes. Read only; made by graze_region_create.
///
/// Points are correctly rounded from exact ones, so adjacent segments have identical end points and are chained by
/// equality. Equal segments count once, and so do equal points; a segment that is the side of a polygon, or a
/// point that is the end of anything, is not repeated as a curve or a point.
typedef struct graze_region
{
    graze_pair_counts counts; ///< exact
    graze_contact_kind kind;  ///< exact: over all pairs of triangles

    graze_box bounds; ///< the box around all points below; lower > upper when there are none
    double length;    ///< of all curves. Estimated: a sum in double-double over rounded points
    double area;      ///< of all polygons. Estimated likewise; area covered several times by one mesh counts
                      ///< several times

    size_t point_count;   ///< isolated points
    const double *points; ///< x, y, z each

    size_t curve_count;
    const double *curve_points; ///< x, y, z each
    const size_t *curve_starts; ///< curve c has the points from curve_starts[c] to curve_starts[c + 1]; one more entry
                                ///< than there are curves
    const bool *curve_closed;   ///< whether the last point is followed by the first, which is not repeated

    size_t polygon_count; ///< intersections of coplanar triangles: convex, 3 to 6 corners each
    const double *polygon_points;
    const size_t *polygon_starts; ///< as curve_starts

    size_t component_count; ///< connected components, ordered by their lowest points, x first: two bolts give two
    const graze_region_component *components;
    const uint32_t *point_components;   ///< of each isolated point: its component
    const uint32_t *curve_components;   ///< of each curve
    const uint32_t *polygon_components; ///< of each polygon

    size_t overlap_count; ///< pieces of common space, if graze_pair_interference was asked for them: a pin through a
                          ///< plate has one, with two components. 0: one, that of the only component, or not known
    const graze_overlap_piece *overlaps;
    const uint32_t *component_overlaps; ///< of each component: its piece
} graze_region;

/// Finds and constructs the contact region of two meshes. A curve ends where its surfaces do, and where three pieces or
/// more come together; two closed surfaces in general position share closed curves only. Guarantee: bounded. Counts and
/// kind are exact; every coordinate is a true one rounded to nearest. A piece so short that its ends round to the same
/// point is that point.
/// @param options  as for graze_pair_visit, may be NULL
/// Fails as graze_pair_visit does, with TOO_LARGE from 2^32 corners of pieces on. The caller owns *out_region.
/// Thread safety: any number of threads may use the same meshes.
GRAZE_API graze_status graze_region_create(const graze_context *context, const graze_placed_mesh *a,
                                           const graze_placed_mesh *b, const graze_pair_options *options,
                                           graze_region **out_region);

GRAZE_API void graze_region_destroy(graze_region *region);

GRAZE_END_DECLS

#endif
