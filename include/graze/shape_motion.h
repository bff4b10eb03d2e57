/* SPDX-License-Identifier: MIT */
/**
 * @file
 * When two moving shapes meet for the first time: any kinds of graze/shape.h, with the motions of graze/motion.h.
 *
 * Meshes, hulls, boxes and whatever else consists of triangles are answered exactly, as graze_pair_impact does, also
 * against a half-space; those with a radius (spheres, capsules, rounded polytopes) by their cores and a margin; curved
 * ones and compounds by conservative advancement. The latter two ways are three-valued: none is proved; an impact is
 * proved at the time `upper`; shapes that only graze one another are unknown. In each case nothing meets before
 * `lower`.
 *
 *     graze_moving_shape ball = {sphere}, floor = {ground};
 *     graze_motion_between(&start, &end, GRAZE_MOTION_TURN, &ball.motion, NULL);
 *     graze_motion_still(&pose, &floor.motion);
 *     graze_shape_impact impact;
 *     if (graze_shape_pair_impact(NULL, &ball, &floor, NULL, &impact) == GRAZE_STATUS_OK)
 *         ... impact.verdict, impact.lower, impact.upper ...
 */
#ifndef GRAZE_SHAPE_MOTION_H
#define GRAZE_SHAPE_MOTION_H

#include "graze/motion_query.h"
#include "graze/shape_query.h"

GRAZE_BEGIN_DECLS

/// A shape that moves.
typedef struct graze_moving_shape
{
    const graze_shape *shape;
    graze_motion motion;
} graze_moving_shape;

/// The first impact of two moving shapes.
typedef struct graze_shape_impact
{
    graze_impact_verdict verdict;
    double lower, upper; ///< as in graze_impact
    bool at_start;       ///< they meet at t = 0; also one solid within the other
    graze_shape_hit hit; ///< where they meet: triangles of meshes and height fields, if known; the point is estimated
    double normal[3];    ///< unit normal of the contact from A to B, estimated; 0 where there is none
    double clearance_lower; ///< if none, as in graze_impact: the distance is at least this at all times
} graze_shape_impact;

/// Finds the first impact of two moving shapes.
/// Guarantee: exact for kernel motions of shapes that consist of triangles, also against half-spaces; else three-valued
/// (above). Solid shapes collide with what is inside them, which can only begin with contact, so it is asked at t = 0.
/// @param options  of graze_pair_impact: margin, resolution, clearance, stats and budget count; crossing for shapes
///                 that consist of triangles (else UNSUPPORTED); solids does not
/// Fails as graze_pair_impact does, as graze_placed_check for the poses at t = 0 and t = 1, and NOT_RIGID for blends
/// that turn round or curved shapes; UNSUPPORTED for enclosed motions of curved shapes, half-spaces and compounds.
/// Thread safety: any number of threads may query the same shapes.
GRAZE_API graze_status graze_shape_pair_impact(const graze_context *context, const graze_moving_shape *a,
                                               const graze_moving_shape *b, const graze_impact_options *options,
                                               graze_shape_impact *out_impact);

GRAZE_END_DECLS

#endif
