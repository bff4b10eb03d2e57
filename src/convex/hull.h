/* SPDX-License-Identifier: MIT */
/*
 * The convex hull of points. Exact: a point of the input is a vertex if and only if it is no mixture of the others
 * (of equal points the first counts), and a face has all vertices that lie in its plane. Signs of src/exact decide
 * everything.
 */
#ifndef GRZ_CONVEX_HULL_H
#define GRZ_CONVEX_HULL_H

#include "base/budget_monitor.h"
#include "graze/context.h"

typedef struct grz_hull
{
    graze_context context;
    int dimension; /* 0: a point, 1: a segment, 2: a polygon, 3: a polyhedron */
    size_t vertex_count;
    double (*vertices)[3]; /* in the order of the input */
    uint32_t *sources;     /* per vertex: its number in the input */
    size_t face_count;     /* a polygon has two, back to back; a segment and a point have none */
    uint32_t *face_starts; /* per face, and the end: its first half-edge */
    size_t half_edge_count;
    uint32_t *origins; /* per half-edge: the vertex where it starts. Faces are counter-clockwise from outside */
    uint32_t *twins;   /* per half-edge: the other half of its edge */
    uint32_t *neighbour_starts; /* per vertex, and the end */
    uint32_t *neighbours;       /* vertices at the other ends of its edges */
} grz_hull;

/* Makes the hull of `count` points, three coordinates each. Fails with EMPTY, NOT_FINITE, TOO_LARGE (2^30 points or
   more), OUT_OF_MEMORY and as the monitor (may be NULL) says. The same in every floating-point environment. */
graze_status grz_hull_create(const graze_context *context, const double *coordinates, size_t count,
                             grz_monitor *monitor, grz_hull **out_hull);
void grz_hull_destroy(grz_hull *hull);

#endif
