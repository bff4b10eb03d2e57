/* SPDX-License-Identifier: MIT */
/* Hulls as meshes. See graze/hull.h. */
#ifndef GRZ_DECOMPOSITION_HULL_MESH_H
#define GRZ_DECOMPOSITION_HULL_MESH_H

#include "convex/hull.h"
#include "graze/mesh.h"

/* A mesh with the vertices and faces of a hull; a segment or point is a triangle with equal corners. */
graze_status grz_hull_mesh_create(const graze_context *context, const grz_hull *hull, grz_monitor *monitor,
                                  graze_mesh **out_mesh);

#endif
