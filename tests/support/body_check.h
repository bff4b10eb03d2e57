/* SPDX-License-Identifier: MIT */
/*
 * What a body is made of, found out by sorting: slow and simple, independent of src/mesh's topology. Vertices are
 * taken by number; two vertices at the same place are counted as a defect.
 */
#ifndef SUPPORT_BODY_CHECK_H
#define SUPPORT_BODY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/mesh.h"

typedef struct body_report
{
    size_t unpaired_edges; /* directed edges that do not have exactly one partner the other way */
    size_t equal_vertices; /* vertices at the place of another */
    size_t unused_vertices;
    size_t flat_triangles;     /* without area, exactly */
    size_t inside_out;         /* components whose volume is not positive */
    size_t components;         /* connected through shared vertices */
    long euler_characteristic; /* vertices - edges + triangles: 2 for each ball, 0 for each ring */
    double volume;
} body_report;

body_report body_check(const graze_mesh *mesh);

/* The component of every vertex, as the number of one of its vertices. The caller frees it. */
uint32_t *body_components(const graze_mesh *mesh);

/* How many pairs of triangles of one mesh meet in more than the corners they share; of the same component only, if
 * asked for. *out_tested gets the number of pairs whose boxes overlap. */
size_t body_self_intersections(const graze_mesh *mesh, bool same_component, size_t *out_tested);

#endif
