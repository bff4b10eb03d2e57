/* SPDX-License-Identifier: MIT */
/*
 * The part of a body in a cell, an axis-aligned box: points whose hull is the hull of that part. A closed mesh is a
 * solid, another one a surface.
 */
#ifndef GRZ_DECOMPOSITION_CELL_H
#define GRZ_DECOMPOSITION_CELL_H

#include "base/array.h"
#include "convex/hull.h"
#include "graze/box.h"
#include "math/interval.h"
#include "math/vector.h"
#include "pair/solid/body.h"

/* What all pieces share. */
typedef struct grz_cut_body
{
    const graze_context *context;
    const graze_mesh *mesh;
    graze_placed_mesh placed; /* at the identity, with a tree */
    grz_placed_body side;
    grz_body_view view;
    bool solid;
    uint32_t *stamps; /* per vertex, for grz_cell_points */
    uint32_t stamp;
    grz_monitor *monitor;
} grz_cut_body;

/* A point of the part, in a box of doubles: a vertex of the mesh, a corner of the cell, the point where an edge of a
   triangle passes through a side of the cell, or where a triangle meets an edge of the cell. Except for corners, it
   lies in the hull of the `source_count` vertices. */
typedef struct grz_cell_point
{
    interval at[3];
    uint32_t sources[3];
    int source_count; /* 0: a corner of the cell */
} grz_cell_point;

typedef GRZ_ARRAY(grz_cell_point) grz_cell_points;

/* Whether the point is known exactly. */
static inline bool grz_cell_point_is_exact(const grz_cell_point *p)
{
    return p->at[0].lower == p->at[0].upper && p->at[1].lower == p->at[1].upper && p->at[2].lower == p->at[2].upper;
}

/* Appends the points of the part in a cell. The true points lie in the boxes, and the hull of the true points is that
   of the part. `triangles` are those whose AABBs meet the cell, at least. False when out of memory. */
bool grz_cell_points_find(grz_cut_body *body, const graze_box *cell, const uint32_t *triangles, size_t count,
                          grz_cell_points *out_points);

/* The hull of the points at the middle of their boxes: the hull of the part up to rounding. *out_hull stays NULL where
   there are no points. */
graze_status grz_cell_hull_estimate(const graze_context *context, const grz_cell_points *points, grz_monitor *monitor,
                                    grz_hull **out_hull);

/* A hull that contains the boxes of all points, and lies in the cell. *out_growth is an upper bound of the distance of
   its points from the hull of the true points. */
graze_status grz_cell_hull_create(const graze_context *context, const grz_cell_points *points, const graze_box *cell,
                                  grz_monitor *monitor, grz_hull **out_hull, double *out_growth);

/* The volume of a hull, estimated. */
double grz_hull_volume(const grz_hull *hull);

#endif
