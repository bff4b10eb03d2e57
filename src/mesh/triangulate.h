/* SPDX-License-Identifier: MIT */
/* Exact triangulation of polygons with holes over their own corners. */
#ifndef GRZ_MESH_TRIANGULATE_H
#define GRZ_MESH_TRIANGULATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/budget_monitor.h"
#include "graze/mesh.h"

/* One face: its loops one after the other, the outer one first; every loop has at least three corners. */
typedef struct grz_polygon
{
    const double *vertices; /* of the mesh */
    const uint32_t *corners;
    const uint32_t *loop_starts; /* loop_count + 1 numbers; they count from loop_starts[0] */
    size_t loop_count;
} grz_polygon;

/* How many triangles a polygon of that many corners and loops gives: n + 2h - 2. */
static inline size_t grz_polygon_triangle_count(size_t corner_count, size_t loop_count)
{
    return corner_count + 2 * (loop_count - 1) - 2;
}

/*
 * Writes that many triangles. *out_irregular says that the polygon crosses itself or is degenerate, so that the
 * triangles may overlap. The arena is reset. Fails for lack of memory, or when the monitor (may be NULL) stops it.
 */
graze_status grz_triangulate(grz_arena *arena, const grz_polygon *polygon, grz_monitor *monitor,
                             uint32_t *out_triangles, bool *out_irregular);

#endif
