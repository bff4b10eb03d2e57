/* SPDX-License-Identifier: MIT */
/*
 * The grid of Zachmann 1994, 5.5: n^3 cells, each with an array of the objects that meet it. For the lab only: cells
 * and bytes are counted. The library's grids are broad/hash_grid_method.c and its stabbed one.
 */
#ifndef LAB_LITERATURE_FIXED_GRID_H
#define LAB_LITERATURE_FIXED_GRID_H

#include "literature/fixed_octree.h"

typedef enum grid_way
{
    GRID_SIMPLE,  /* a move changes the cells of the difference of both boxes */
    GRID_CHECKED, /* and does nothing where the boxes are equal */
    GRID_INDEXED  /* references know their place in the other array, so that none is searched */
} grid_way;

typedef struct fixed_grid
{
    uint32_t size;
    grid_way way;
    counted_array *cells;   /* objects; of the indexed way, pairs of an object and a place in its array */
    counted_array *objects; /* of the indexed way: pairs of a cell and a place in its array */
    voxel_box *boxes;
    uint32_t object_count;
    counted_work work;
    uint32_t *stamps, stamp;
} fixed_grid;

bool grid_create(fixed_grid *grid, uint32_t size, grid_way way, uint32_t objects);
void grid_destroy(fixed_grid *grid);
void grid_insert(fixed_grid *grid, uint32_t object, const voxel_box *box);
void grid_move(fixed_grid *grid, uint32_t object, const voxel_box *box);
/* The other objects that share a cell with this one, into `others`, which has room for all; their number. */
uint32_t grid_find_neighbours(fixed_grid *grid, uint32_t object, uint32_t *others);
double grid_bytes(const fixed_grid *grid);

#endif
