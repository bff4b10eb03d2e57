/* SPDX-License-Identifier: MIT */
/*
 * A convex polyhedron with the origin inside, as planes n . x = 1: the hull of the points n, its polar dual. Vertices
 * of the polyhedron are triangles of the dual, faces are its points. Planes can be removed: the polyhedron grows.
 */
#ifndef GRZ_CONVEX_DUAL_HULL_H
#define GRZ_CONVEX_DUAL_HULL_H

#include "convex/hull.h"
#include "math/vector.h"

/* Edge k goes from corner k to the next one; neighbours[k] is the triangle across it. */
typedef struct grz_dual_triangle
{
    uint32_t corners[3], neighbours[3]; /* counter-clockwise as seen from outside */
    v3 vertex;                          /* of the polyhedron, rounded */
    bool alive;
} grz_dual_triangle;

typedef struct grz_dual_hull
{
    graze_context context;
    const grz_hull *hull;         /* of the points n; polygons are cut into triangles */
    grz_dual_triangle *triangles; /* dead ones are `alive == false` */
    size_t triangle_count;
    uint32_t *triangles_of; /* per point: one of its triangles; UINT32_MAX: it is removed */
    size_t live_triangles;
    size_t short_edges; /* between triangles whose vertices are closer than `resolution` */
    double resolution;
} grz_dual_hull;

enum
{
    GRZ_DUAL_MOST_NEIGHBOURS = 64
};

/* Starts from the hull of the points, which must outlive it. BAD_ARGUMENT when the origin is not strictly inside.
   Release in any case. */
graze_status grz_dual_hull_make(const graze_context *context, const grz_hull *hull, double resolution,
                                grz_dual_hull *out_dual);
void grz_dual_hull_release(grz_dual_hull *dual);

/* An estimate of the volume that the polyhedron gains without a plane: a pyramid over its face. INFINITY where it would
   be unbounded, or where the plane has too many neighbours by now. */
double grz_dual_hull_cost(const grz_dual_hull *dual, uint32_t point);

/* Removes a plane whose cost is finite. Writes the planes around it. */
void grz_dual_hull_remove(grz_dual_hull *dual, uint32_t point, uint32_t neighbours[GRZ_DUAL_MOST_NEIGHBOURS],
                          size_t *out_count);

/* How many vertices the polyhedron has; those closer than the resolution, along edges, count once. */
size_t grz_dual_hull_vertex_count(const grz_dual_hull *dual);

#endif
