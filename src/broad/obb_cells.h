/* SPDX-License-Identifier: MIT */
/*
 * The cells of a grid that an oriented box may touch, found by stabbing (Zachmann's thesis, section 5.5.1): columns of
 * cells along the longest side of the box around it, and in each column the stretch between the planes of the box.
 *
 * The thesis stabs along the corners of each column, and so may miss a cell that the box enters between them. Here
 * each pair of planes is bounded over the whole column: no cell that holds a point of the box is missing; some that
 * hold none may be there.
 */
#ifndef GRZ_BROAD_OBB_CELLS_H
#define GRZ_BROAD_OBB_CELLS_H

#include "broad/hash_grid.h"

typedef struct grz_cell
{
    int32_t at[3];
} grz_cell;

typedef GRZ_ARRAY(grz_cell) grz_cell_list;

/* The cells of a level that the box around an oriented box touches. */
grz_cell_range grz_obb_cell_range(const graze_oriented_box *box, uint32_t level);

/* The lowest level at which these are at most `most` on each axis, and not less than two. */
uint32_t grz_obb_cell_level(const graze_oriented_box *box, int most, grz_cell_range *out_range);

/* Adds the cells, of a level and of a range from above, that may hold a point of the box. False when out of memory. */
bool grz_obb_cells(const graze_context *context, const graze_oriented_box *box, uint32_t level,
                   const grz_cell_range *range, grz_cell_list *cells);

#endif
