/* SPDX-License-Identifier: MIT */
/*
 * Generates small meshes from bytes, with degenerate cases: corners on a small grid, boxes, tetrahedra, nested shells,
 * edges with four faces, faces that repeat a corner, duplicates, coordinates off by one ulp.
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

/* A mesh of at most `most` triangles, possibly none. */
void take_shape(fuzz_bytes *bytes, uint32_t most, small_mesh *out);

/* Replaces coordinates at the far ends of the range: exact arithmetic is slow there, and where a whole program is
 * tested that range is rarely of interest. */
void shape_tame(small_mesh *mesh);

/* Moves vertices of a mesh; its triangles stay. */
void take_moved(fuzz_bytes *bytes, small_mesh *mesh);

/* The library's mesh. */
graze_mesh *shape_create(const small_mesh *shape);

oracle_mesh shape_for_oracle(const small_mesh *shape, const graze_pose *pose);

/* Topology by naive counting of edges. Vertices at equal places are merged; triangles that repeat one are ignored. */
typedef struct shape_facts
{
    bool any;      /* triangles that count */
    bool closed;   /* every edge has two of them */
    bool oriented; /* which run through it in both directions */
} shape_facts;

shape_facts shape_examine(const small_mesh *shape);

#endif
