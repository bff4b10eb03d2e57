/* SPDX-License-Identifier: MIT */
/* A mesh moved by a pose, for files: here, and only here, placed vertices are rounded. */
#ifndef TOOL_SCENE_TRANSFORM_MESH_H
#define TOOL_SCENE_TRANSFORM_MESH_H

#include "graze/mesh.h"
#include "graze/pose.h"

/* A copy with every vertex placed and rounded to doubles. A pose that mirrors turns the faces around, so that
 * outside stays outside. NOT_FINITE when a vertex leaves the range of doubles. */
graze_status transform_mesh(const graze_mesh *mesh, const graze_pose *pose, graze_mesh **out_mesh);

#endif
