/* SPDX-License-Identifier: MIT */
/*
 * Bytes become small meshes that sit on decisions: corners on a small grid, boxes, tetrahedra, shells in one another,
 * edges with four faces, faces that repeat a corner, duplicates, coordinates off by one unit in the last place.
 */
#ifndef FUZZ_SHAPES_H
#define FUZZ_SHAPES_H

#include "bytes.h"
#include "graze/mesh.h"
#include "support/oracle.h"

enum
{
    SMALL_VERTICES = 32,
    SMALL_TRIANGLES = 16
};

typedef struct small_mesh
{
    uint32_t vertex_count, triangle_count;
    double vertices[SMALL_VERTICES][3];
    uint32_t triangles[SMALL_TRIANGLES][3];
} small_mesh;

/* One coordinate: mostly a small integer, else a half, a decimal, a neighbour of one, a negative zero, a denormal. */
double take_coordinate(fuzz_bytes *bytes);

/* A mesh of at most `most` triangles, and none perhaps. */
void take_shape(fuzz_bytes *bytes, uint32_t most, small_mesh *out);

/* Brings coordinates at the far ends of the range back among the others: exact work there takes long, and where a
 * whole program is to be tried that is rarely of interest. */
void shape_tame(small_mesh *mesh);

/* Moves corners of a mesh, its triangles stay. */
void take_moved(fuzz_bytes *bytes, small_mesh *mesh);

/* The library's mesh. */
graze_mesh *shape_create(const small_mesh *shape);

oracle_mesh shape_for_oracle(const small_mesh *shape, const graze_pose *pose);

/* What naive counting says of the edges. Corners at equal places are one; triangles that repeat one count for nothing.
 */
typedef struct shape_facts
{
    bool any;      /* triangles that count */
    bool closed;   /* every edge has two of them */
    bool oriented; /* which run through it in both directions */
} shape_facts;

shape_facts shape_examine(const small_mesh *shape);

#endif
