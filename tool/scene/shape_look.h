/* SPDX-License-Identifier: MIT */
/* Meshes to look at of shapes that may have none. */
#ifndef TOOL_SCENE_SHAPE_LOOK_H
#define TOOL_SCENE_SHAPE_LOOK_H

#include "graze/shape.h"

/* A mesh in the frame of the shape that looks like it: what has a mesh as it is, what is round or curved with facets,
 * compounds as all their parts, and a half-space as a square of its plane, large enough for what lies in `around`, a
 * box in the world. The caller owns it. Fails as graze_shape_tessellate. */
graze_status shape_look(const graze_placed *placed, const graze_box *around, graze_mesh **out_mesh);

#endif
