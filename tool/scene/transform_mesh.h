/* SPDX-License-Identifier: MIT */
/* Transforms a mesh by a pose, for writing to files: only here placed vertices are rounded. */
#ifndef TOOL_SCENE_TRANSFORM_MESH_H
#define TOOL_SCENE_TRANSFORM_MESH_H

#include "graze/mesh.h"
#include "graze/pose.h"

/* A copy with every vertex transformed and rounded to doubles. A pose that mirrors reverses the orientation of the
 * faces, so that normals keep pointing outward. NOT_FINITE when a vertex leaves the range of doubles. */
graze_status transform_mesh(const graze_mesh *mesh, const graze_pose *pose, graze_mesh **out_mesh);

#endif
