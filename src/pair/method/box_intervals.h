/* SPDX-License-Identifier: MIT */
/*
 * Cells of two box-trees, and what their edges have in common with the other's cell (Zachmann 1994, 3.6.1): two boxes
 * meet if and only if one of their 24 edges has a part within the other box. That part is an interval of lengths from
 * the edge's low end. When a cell is split the intervals of its children are made from its own: edges of the other cell
 * are cut once at the splitting plane, and of its own edges only the four in that plane are new.
 *
 * Each box is in the frame of its body. Edges of family f are parallel to axis f of their body.
 */
#ifndef GRZ_PAIR_METHOD_BOX_INTERVALS_H
#define GRZ_PAIR_METHOD_BOX_INTERVALS_H

#include "pair/method/method.h"

typedef struct grz_tree_cell
{
    double lower[3], upper[3];
} grz_tree_cell;

/* The part of an edge within the other cell; lower > upper: none. */
typedef struct grz_edge_part
{
    double lower, upper;
} grz_edge_part;

enum
{
    GRZ_CELL_EDGES = 12 /* 4 f + i + 2 j: family f, at the high end of the first (i) and second (j) other axis */
};

/* A cell of A, one of B, and the parts of their edges. */
typedef struct grz_cell_pair
{
    grz_tree_cell cells[2];
    grz_edge_part parts[2][GRZ_CELL_EDGES];
} grz_cell_pair;

/* What stays the same in a query. */
typedef struct grz_cell_frame
{
    double directions[2][3][3]; /* [side][family][axis]: edges of that side in the other's frame */
    double origins[2][3];       /* of that side's frame, in the other's */
    double inverse[2][3][3];    /* of the directions; 0: parallel to the other's slab but for 2^-20 */
    double slack;               /* of coordinates in the other's frame */
    bool cut_empty;             /* without the flags of empty parts, for comparison: the parts are the same */
} grz_cell_frame;

/* For a rigid map. */
grz_cell_frame grz_cell_frame_make(const grz_method_query *query);

/* Computes all 24 parts of a pair of cells. */
void grz_cell_pair_start(const grz_cell_frame *frame, grz_cell_pair *pair, graze_method_counters *counters);

/* Splits the cell of one side at a plane of its axis into both halves. */
void grz_cell_pair_split(const grz_cell_frame *frame, const grz_cell_pair *pair, int side, int axis, double at,
                         grz_cell_pair out_halves[2], graze_method_counters *counters);

/* Whether any part is left; false: the cells are certainly apart. */
bool grz_cell_pair_meets(const grz_cell_pair *pair);

#endif
