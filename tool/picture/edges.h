/* SPDX-License-Identifier: MIT */
/* Edges of a mesh worth drawing: creases, boundaries, and silhouettes seen from the camera. */
#ifndef TOOL_PICTURE_EDGES_H
#define TOOL_PICTURE_EDGES_H

#include "picture/view.h"

/* A mesh before the camera. */
typedef struct eye_mesh
{
    const uint32_t *triangles;
    size_t triangle_count, vertex_count;
    eye_point *vertices;
    eye_point *normals; /* of triangles, of length 1; zero without area */
} eye_mesh;

typedef struct feature_edges
{
    uint32_t (*ends)[2];
    size_t count;
} feature_edges;

/* False when out of memory. Release in any case. */
bool feature_edges_find(const eye_mesh *mesh, feature_edges *out_edges);
void feature_edges_release(feature_edges *edges);

#endif
