/* SPDX-License-Identifier: MIT */
/*
 * A placed convex body, as the algorithms of this room see it: the convex hull of vertices (a point, segment, triangle,
 * box or hull) and all points at most `radius` away from it, or a curved body known by its numbers. Numbers are taken
 * at face value, as in graze/pose.h; the radius is measured in the world.
 */
#ifndef GRZ_CONVEX_CONVEX_BODY_H
#define GRZ_CONVEX_CONVEX_BODY_H

#include <stddef.h>
#include <stdint.h>

#include "graze/pose.h"

struct grz_convex_table;

typedef enum grz_convex_kind
{
    GRZ_CONVEX_POLYTOPE,
    GRZ_CONVEX_CYLINDER, /* numbers: height, radius; axis z, centred */
    GRZ_CONVEX_CONE,     /* numbers: height, radius; axis z, tip at height / 2 */
    GRZ_CONVEX_ELLIPSOID /* numbers: three radii */
} grz_convex_kind;

typedef struct grz_convex_body
{
    grz_convex_kind kind;
    const double (*vertices)[3]; /* of a polytope; at least one */
    size_t vertex_count;
    const uint32_t *neighbour_starts,
        *neighbours;                      /* of its vertices, as in hull.h; NULL: not known, for few vertices */
    const struct grz_convex_table *table; /* of the vertices, see convex_table.h; NULL: none, queries are slower */
    double radius;                        /* around a polytope */
    double numbers[3];                    /* of a curved body */
    graze_pose pose;
} grz_convex_body;

#endif
