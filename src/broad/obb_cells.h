/* SPDX-License-Identifier: MIT */
/*
 * The grid cells that an OBB may touch (conservative rasterisation; "stabbing" in Zachmann's thesis, section 5.5.1):
 * columns of cells along the longest side of its AABB, and in each column the interval between the face planes of the
 * OBB.
 *
 * The thesis stabs along the corners of each column, and so may miss a cell that the box enters between them. Here each
 * pair of face planes is bounded over the whole column: no cell that contains a point of the box is missed; cells that
 * contain none may be included.
 */
#ifndef GRZ_BROAD_OBB_CELLS_H
#define GRZ_BROAD_OBB_CELLS_H

#include "broad/hash_grid.h"

typedef struct grz_cell
{
    int32_t at[3];
} grz_cell;

typedef GRZ_ARRAY(grz_cell) grz_cell_list;

/* The cells of a level that the AABB of an OBB touches. */
grz_cell_range grz_obb_cell_range(const graze_oriented_box *box, uint32_t level);

/* The lowest level at which these are at most `most` on each axis (`most` >= 2); see grz_cell_level_of_box. */
uint32_t grz_obb_cell_level(const graze_oriented_box *box, int most, grz_cell_range *out_range);

/* Appends the cells of a level, in a range from the functions above, that may contain a point of the box. False when
   out of memory. */
bool grz_obb_cells(const graze_context *context, const graze_oriented_box *box, uint32_t level,
                   const grz_cell_range *range, grz_cell_list *cells);

#endif
