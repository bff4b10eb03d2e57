/* SPDX-License-Identifier: MIT */
/* Cutting polygons with holes into triangles over their own corners, exactly. */
#ifndef GRZ_MESH_TRIANGULATE_H
#define GRZ_MESH_TRIANGULATE_H

#include <stdbool.h>

#include "graze/mesh.h"

/* The corners of one face, its loops one after the other, the outer one first; every loop has at least three. */
typedef struct grz_polygon
{
    const double *vertices; /* of the mesh */
    const uint32_t *corners;
    const uint32_t
        *loop_starts; /* loop_count + 1 of them; loop l runs from corners + loop_starts[l] - loop_starts[0] */
    size_t loop_count;
} grz_polygon;

/* Scratch memory that one polygon leaves for the next. Zero it first; release it at the end. */
typedef struct grz_triangulator
{
    const graze_context *context;
    void *memory;
    size_t memory_size;
} grz_triangulator;

/* How many triangles a polygon of that many corners and loops gives: n + 2h - 2. */
static inline size_t grz_polygon_triangle_count(size_t corner_count, size_t loop_count)
{
    return corner_count + 2 * (loop_count - 1) - 2;
}

/*
 * Writes that many triangles. *out_irregular says that the polygon crosses itself or is degenerate, so that the
 * triangles may overlap. Fails only for lack of memory.
 */
graze_status grz_triangulate(grz_triangulator *triangulator, const grz_polygon *polygon, uint32_t *out_triangles,
                             bool *out_irregular);

void grz_triangulator_release(grz_triangulator *triangulator);

#endif
