/* SPDX-License-Identifier: MIT */
/* Mesh simplification by vertex clustering: vertices in the same cell of a grid become one (J. Rossignac, P. Borrel,
 * "Multi-resolution 3D approximations for rendering complex scenes", 1993). Accepts any mesh, and keeps closed meshes
 * closed, since all triangles at a vertex move alike. */
#ifndef TOOL_PAGE_VERTEX_CLUSTERING_H
#define TOOL_PAGE_VERTEX_CLUSTERING_H

#include <stdbool.h>

#include "graze/mesh.h"

/* At most `most` triangles, and not many fewer unless the mesh has no finer detail; possibly none, when all vertices
 * fall into one cell. The caller owns *out_mesh. False when out of memory. */
bool cluster_vertices(const graze_mesh *mesh, size_t most, graze_mesh **out_mesh);

#endif
