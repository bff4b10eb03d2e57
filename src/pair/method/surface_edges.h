/* SPDX-License-Identifier: MIT */
/*
 * Edges of a surface, each with its faces, for methods that test edges against faces (Zachmann 1994, 3.2): two surfaces
 * meet where an edge of one meets a face of the other.
 *
 * A face is a polygon of the mesh whose corners lie exactly in one plane and whose triangles all have area, or else a
 * single triangle. Its triangles cover it once, so that it meets what one of them meets; its edges are the sides that
 * not just two of its own triangles share.
 */
#ifndef GRZ_PAIR_METHOD_SURFACE_EDGES_H
#define GRZ_PAIR_METHOD_SURFACE_EDGES_H

#include "mesh/mesh.h"
#include "pair/method/method.h"

/* An edge and its faces: those from `first` on, in `owners`. */
typedef struct grz_surface_edge
{
    uint32_t ends[2];
    uint32_t first, count;
} grz_surface_edge;

typedef struct grz_surface_edges
{
    const graze_mesh *mesh;
    uint32_t *starts; /* of the triangles of each face, and of none: face f has those from starts[f] to starts[f + 1] */
    size_t face_count;
    grz_surface_edge *edges;
    size_t edge_count;
    uint32_t *owners;
    size_t owner_count;
} grz_surface_edges;

/* With `polygons`, flat polygons are faces; else every triangle is. OK, TOO_LARGE (more than 2^32 sides),
   OUT_OF_MEMORY, UNFINISHED or CANCELLED; released by the caller in any case. */
graze_status grz_surface_edges_find(const graze_context *context, const graze_mesh *mesh, bool polygons,
                                    grz_monitor *monitor, grz_surface_edges *out_edges);
void grz_surface_edges_release(const graze_context *context, grz_surface_edges *edges);
size_t grz_surface_edges_memory(const grz_surface_edges *edges);

/* The corners of a face's triangles. */
static inline const uint32_t *grz_surface_face_corners(const grz_surface_edges *surface, uint32_t face,
                                                       size_t *out_count)
{
    *out_count = 3 * (size_t)(surface->starts[face + 1] - surface->starts[face]);
    return surface->mesh->triangles + 3 * (size_t)surface->starts[face];
}

/* The exact test of an edge of one body (0: A) and a face of the other; where they meet, the triangles of the edge's
   faces are proposed with those of the face. The query needs `once`. False when it is over. */
bool grz_test_edge_with_face(grz_method_query *query, int side, const grz_surface_edges *edges, uint32_t edge,
                             const grz_surface_edges *faces, uint32_t face);

#endif
