/* SPDX-License-Identifier: MIT */
/*
 * Topology of closed meshes by sorting: slow and simple, independent of src/mesh's topology. Vertices are identified by
 * index; two vertices at the same place count as a defect.
 */
#ifndef SUPPORT_BODY_CHECK_H
#define SUPPORT_BODY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/mesh.h"

typedef struct body_report
{
    size_t unpaired_edges; /* directed edges without exactly one opposite */
    size_t equal_vertices; /* vertices at the position of another */
    size_t unused_vertices;
    size_t flat_triangles;     /* without area, exactly */
    size_t inside_out;         /* components whose volume is not positive */
    size_t components;         /* connected through shared vertices */
    long euler_characteristic; /* vertices - edges + triangles: 2 for each ball, 0 for each ring */
    double volume;
} body_report;

body_report body_check(const graze_mesh *mesh);

/* The component of every vertex, as the index of one of its vertices. The caller frees it. */
uint32_t *body_components(const graze_mesh *mesh);

/* Counts the triangle pairs of one mesh whose intersection is more than the corners they share; of the same component
 * only, if asked for. *out_tested is the number of pairs whose AABBs overlap. */
size_t body_self_intersections(const graze_mesh *mesh, bool same_component, size_t *out_tested);

#endif
