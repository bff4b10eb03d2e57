/* SPDX-License-Identifier: MIT */
/*
 * The feature of a convex body that supports it along a direction, as contacts need it: a face, edge or vertex whose
 * points are nearly the farthest along it. Curved bodies have features of their own: disks as polygons, lines on the
 * side, single points. Estimated: rounded, and chosen by thresholds; contacts are constructed, not decided.
 */
#ifndef GRZ_CONVEX_FACET_H
#define GRZ_CONVEX_FACET_H

#include "convex/convex_body.h"
#include "convex/hull.h"
#include "math/vector.h"

enum
{
    GRZ_FACET_MOST = 32 /* of a face with more vertices some are left out */
};

/* Numbers are those of vertices, or of points on a rim, in the body's own frame: they stay when the body moves. */
typedef struct grz_facet
{
    unsigned count;            /* 1: a vertex, 2: an edge, more: a convex polygon, in order */
    v3 points[GRZ_FACET_MOST]; /* of the core, in the world */
    uint32_t numbers[GRZ_FACET_MOST];
    uint32_t face; /* the number of the face; the first vertex's where there is none */
    v3 normal;     /* of a polygon, of any length; it points along the direction */
} grz_facet;

/* `hull` is that of the body's vertices, or NULL for a curved body. The direction has unit length. */
void grz_facet_find(const grz_convex_body *body, const grz_hull *hull, v3 direction, grz_facet *out_facet);

#endif
