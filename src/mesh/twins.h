/* SPDX-License-Identifier: MIT */
/*
 * Which sides of triangles lie on one another: as much of an edge list as bodies need, in a fifth of its time and
 * memory. A side is a half-edge, numbered 3 t + k as in mesh/topology.h, whose definitions hold: vertices of equal
 * coordinates are merged, and triangles with two merged corners that are equal have no edges.
 */
#ifndef GRZ_MESH_TWINS_H
#define GRZ_MESH_TWINS_H

#include "mesh/topology.h"

typedef struct grz_twins
{
    uint32_t *merged;      /* of every vertex of the mesh: its merged vertex */
    uint32_t *mesh_vertex; /* of every merged vertex: the first vertex of the mesh at its place */
    size_t vertex_count;   /* merged */
    uint32_t *twins;       /* of every half-edge: the other one of an edge that has just two, or GRAZE_NO_HALF_EDGE */
    bool closed;           /* there are edges, and each has just two half-edges */
    bool oriented;         /* no two twins run the same way */
    uint32_t *components;  /* of every merged vertex: as of grz_topology_vertex_components */
    size_t component_count;
} grz_twins;

/* Fails with OUT_OF_MEMORY, or as the monitor (may be NULL) says, leaving nothing to release. */
graze_status grz_twins_make(const graze_context *context, const graze_mesh *mesh, grz_monitor *monitor,
                            grz_twins *out_twins);
void grz_twins_release(const graze_context *context, grz_twins *twins);

#endif
