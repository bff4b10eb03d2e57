/* SPDX-License-Identifier: MIT */
/* A mesh moved by a pose, for files: here, and only here, placed vertices are rounded. */
#ifndef TOOL_PLACE_H
#define TOOL_PLACE_H

#include "graze/mesh.h"
#include "graze/pose.h"

/* A copy with every vertex placed and rounded to doubles. A pose that mirrors turns the faces around, so that
 * outside stays outside. NOT_FINITE when a vertex leaves the range of doubles. */
graze_status place_mesh(const graze_mesh *mesh, const graze_pose *pose, graze_mesh **out_mesh);

#endif
