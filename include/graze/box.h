/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Boxes, along the axes or in any direction.
 */
#ifndef GRAZE_BOX_H
#define GRAZE_BOX_H

#include "graze/export.h"

GRAZE_BEGIN_DECLS

/// An axis-aligned bounding box (AABB), a closed set. Empty when lower > upper on some axis.
typedef struct graze_box
{
    double lower[3], upper[3];
} graze_box;

/// An oriented bounding box (OBB); more generally a parallelepiped: all points centre + x axes[0] + y axes[1] + z
/// axes[2] with x, y, z in [-1, 1]. The axes need not be perpendicular.
typedef struct graze_oriented_box
{
    double centre[3];
    double axes[3][3];
} graze_oriented_box;

GRAZE_END_DECLS

#endif
