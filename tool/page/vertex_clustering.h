/* SPDX-License-Identifier: MIT */
/* A mesh with fewer triangles, to be looked at from afar: vertices in the same cell of a grid become one (J. Rossignac,
 * P. Borrel, "Multi-resolution 3D approximations for rendering complex scenes", 1993). It takes any mesh, however bad,
 * and keeps closed ones closed: what falls together does so for all triangles around it. */
#ifndef TOOL_PAGE_VERTEX_CLUSTERING_H
#define TOOL_PAGE_VERTEX_CLUSTERING_H

#include <stdbool.h>

#include "graze/mesh.h"

/* At most `most` triangles, and not many fewer unless the mesh has no more of that size; possibly none, when everything
 * falls into one cell. The caller owns *out_mesh. False when memory ends. */
bool cluster_vertices(const graze_mesh *mesh, size_t most, graze_mesh **out_mesh);

#endif
