/* SPDX-License-Identifier: MIT */
/* How far the hull of a piece reaches out of the body. */
#ifndef GRZ_DECOMPOSITION_EXCESS_H
#define GRZ_DECOMPOSITION_EXCESS_H

#include "decomposition/cell.h"

/* The excess lies between these. */
typedef struct grz_excess
{
    double lower, upper;
} grz_excess;

/* The greatest distance of a point of the hull from the body. Ends when the bounds differ by a tenth, when the upper
   one is at most `target`, or after some thousand steps. `points` are those of the cell, `triangles` those that may
   meet it, `growth` as of grz_cell_hull_create. */
graze_status grz_excess_find(grz_cut_body *body, const grz_cell_points *points, const uint32_t *triangles, size_t count,
                             const grz_hull *hull, double growth, double target, grz_excess *out_excess);

#endif
