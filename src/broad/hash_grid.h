/* SPDX-License-Identifier: MIT */
/*
 * A hierarchical hash grid: cells of many sizes in one hash table, with the boxes inserted into each cell. Cells of a
 * level are cubes whose side is a power of two, four times that of the level below; empty cells take no memory. Used by
 * hash_grid_method.c and oriented_grid.c, which differ in the cells that a box is inserted into.
 *
 * Cell coordinates are exact: a float times a power of two, rounded down, and clamped to +-2^30. So they are monotone
 * in the float, and two boxes that share a point always share its cell.
 */
#ifndef GRZ_BROAD_HASH_GRID_H
#define GRZ_BROAD_HASH_GRID_H

#include "broad/list_pool.h"
#include "broad/method.h"

enum
{
    GRZ_GRID_LEVELS = 148,
    GRZ_GRID_LEAST_EXPONENT = -162, /* cells of level 0 have sides of 2^-162, those of the last level of 2^132 */
    GRZ_GRID_LEVEL_STEP = 2,
    GRZ_GRID_LAST_CELL = 1 << 30
};

/* Cells of a level, from `lower` to `upper` on each axis. */
typedef struct grz_cell_range
{
    int32_t lower[3], upper[3];
} grz_cell_range;

/* Entry of a box, by id. */
typedef struct grz_hash_grid_box
{
    grz_cell_range range;    /* at its level */
    uint32_t previous, next; /* in the list of its level: id + 1; 0: none */
    uint32_t level;          /* GRZ_GRID_LEVELS: it is not in the table */
} grz_hash_grid_box;

typedef struct grz_hash_grid
{
    grz_pooled_list *buckets; /* entries are box ids with the hash of the cell */
    uint32_t mask;
    grz_list_pool links;
    size_t entry_count; /* entries in all buckets */
    GRZ_ARRAY(grz_hash_grid_box) boxes;
    uint32_t counts[GRZ_GRID_LEVELS];      /* boxes per level */
    uint32_t level_lists[GRZ_GRID_LEVELS]; /* first box of each level: id + 1; 0: none */
    uint64_t occupied[(GRZ_GRID_LEVELS + 63) / 64];
} grz_hash_grid;

/* Cells of a level per unit of length: a power of two. */
static inline double grz_cells_per_unit(uint32_t level)
{
    union
    {
        uint64_t bits;
        double number;
    } both = {.bits = (uint64_t)(1023 - (GRZ_GRID_LEAST_EXPONENT + GRZ_GRID_LEVEL_STEP * (int)level)) << 52};
    return both.number;
}

/* The cells of a level that a box touches, and their number, which may be too large to visit each. */
grz_cell_range grz_cells_of_box(const grz_fat_aabb *box, uint32_t level);
static inline double grz_cell_count(const grz_cell_range *range)
{
    double count = 1;
    for (int axis = 0; axis < 3; axis++)
        count *= (double)range->upper[axis] - (double)range->lower[axis] + 1;
    return count;
}

/* Whether a range has more than `most` cells on an axis. */
bool grz_cell_range_is_wider(const grz_cell_range *range, int most);

/* A guess of the lowest level at which a box of this size, with coordinates up to `extent`, touches at most `most`
   cells on each axis. */
uint32_t grz_cell_level_for_size(double size, double extent, int most);

/* The lowest level at which a box touches at most `most` cells on each axis (`most` >= 2); higher where cell
   coordinates would be clamped. */
uint32_t grz_cell_level_of_box(const grz_fat_aabb *box, int most, grz_cell_range *out_range);

static inline uint32_t grz_cell_hash(const int32_t cell[3], uint32_t level)
{
    uint64_t h = (uint64_t)(uint32_t)cell[0] * UINT64_C(0x9E3779B97F4A7C15) +
                 (uint64_t)(uint32_t)cell[1] * UINT64_C(0xC2B2AE3D27D4EB4F) +
                 (uint64_t)(uint32_t)cell[2] * UINT64_C(0x165667B19E3779F9) +
                 (uint64_t)level * UINT64_C(0xD6E8FEB86659FD93);
    h ^= h >> 32;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(h >> 32);
}

/* The bucket of a cell; entries of other cells in it have, almost always, a different hash. */
static inline const grz_pooled_list *grz_hash_grid_bucket(const grz_hash_grid *cells, uint32_t hash)
{
    return &cells->buckets[hash & cells->mask];
}

/* Reserves memory for boxes with ids below `limit`, `count` of them present. False when out of memory. */
bool grz_hash_grid_reserve(const graze_context *context, grz_hash_grid *cells, uint32_t limit, size_t count);

/* Adds a box to a level, or removes it from its level. */
void grz_hash_grid_add_to_level(grz_hash_grid *cells, uint32_t box, uint32_t level, const grz_cell_range *range);
void grz_hash_grid_remove_from_level(grz_hash_grid *cells, uint32_t box);

/* Inserts a box into a cell, or removes it. Inserting returns false when out of memory. */
bool grz_hash_grid_insert(const graze_context *context, grz_hash_grid *cells, uint32_t box, uint32_t hash);
void grz_hash_grid_remove(grz_hash_grid *cells, uint32_t box, uint32_t hash);

/* Sorts boxes along a Morton curve, so that memory read for one box is in the cache for the next. The ids are the lower
   halves of out_words, which has room for twice as many. */
void grz_hash_grid_morton_order(const grz_hash_grid *cells, const grz_aabb_view *view, const uint32_t *boxes,
                                size_t count, uint64_t *out_words);

void grz_hash_grid_release(const graze_context *context, grz_hash_grid *cells);
size_t grz_hash_grid_memory(const grz_hash_grid *cells);

/* Whether lists, counts and entries agree. */
bool grz_hash_grid_validate(const grz_hash_grid *cells, const grz_aabb_view *view);

#endif
