/* SPDX-License-Identifier: MIT */
/*
 * Edges of a surface, each with its triangles, for methods that test edges against faces (Zachmann 1994, 3.2): two
 * surfaces meet where an edge of one meets a face of the other.
 */
#ifndef GRZ_PAIR_METHOD_SURFACE_EDGES_H
#define GRZ_PAIR_METHOD_SURFACE_EDGES_H

#include "pair/method/method.h"

/* An edge and its triangles: those from `first` on, in `owners`. */
typedef struct grz_surface_edge
{
    uint32_t ends[2];
    uint32_t first, count;
} grz_surface_edge;

typedef struct grz_surface_edges
{
    grz_surface_edge *edges;
    size_t edge_count;
    uint32_t *owners;
    size_t owner_count;
} grz_surface_edges;

/* OK, OUT_OF_MEMORY, UNFINISHED or CANCELLED; released by the caller in any case. */
graze_status grz_surface_edges_find(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                                    grz_surface_edges *out_edges);
void grz_surface_edges_release(const graze_context *context, grz_surface_edges *edges);
size_t grz_surface_edges_memory(const grz_surface_edges *edges);

/* The exact test of an edge of one body (0: A) and a face of the other; where they meet, the edge's triangles are
   proposed with the face. The query needs `once`. False when it is over. */
bool grz_test_edge_with_face(grz_method_query *query, int side, const grz_surface_edges *edges, uint32_t edge,
                             uint32_t face);

#endif
