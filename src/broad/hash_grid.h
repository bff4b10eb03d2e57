/* SPDX-License-Identifier: MIT */
/*
 * Grids of cells of many sizes in one hash table: for every cell the boxes that were entered there. Cells of a level
 * are cubes with sides of a power of two, four times those of the level below; nothing is stored for empty ones. Used
 * by hash_grid_method.c and oriented_grid.c, which differ in what cells they enter a box into.
 *
 * Coordinates of cells are exact: a float times a power of two, rounded down. Beyond 2^30 they are moved to that end.
 * So they are monotone in the float, and two boxes that share a point share its cell, whatever happens.
 */
#ifndef GRZ_BROAD_HASH_GRID_H
#define GRZ_BROAD_HASH_GRID_H

#include "broad/list_pool.h"
#include "broad/method.h"

enum
{
    GRZ_GRID_LEVELS = 148,
    GRZ_GRID_LEAST_EXPONENT = -162, /* cells of level 0 have sides of 2^-162, those of the last one of 2^132 */
    GRZ_GRID_LEVEL_STEP = 2,
    GRZ_GRID_LAST_CELL = 1 << 30
};

/* Cells of a level, from `lower` to `upper` on each axis. */
typedef struct grz_cell_range
{
    int32_t lower[3], upper[3];
} grz_cell_range;

/* What is known of a box by its number. */
typedef struct grz_hash_grid_box
{
    grz_cell_range range;    /* at its level */
    uint32_t first;          /* its entries */
    uint32_t previous, next; /* in the chain of its level: number + 1 */
    uint32_t level;          /* GRZ_GRID_LEVELS: it is not in the table */
} grz_hash_grid_box;

typedef struct grz_hash_grid
{
    grz_pooled_list *buckets; /* of links to a box, with the hash of the cell it was entered into */
    uint32_t mask;
    grz_list_pool links;
    size_t entry_count; /* links in all */
    GRZ_ARRAY(grz_hash_grid_box) boxes;
    uint32_t counts[GRZ_GRID_LEVELS];      /* of boxes */
    uint32_t level_lists[GRZ_GRID_LEVELS]; /* the boxes of each level: number + 1 */
    uint64_t occupied[(GRZ_GRID_LEVELS + 63) / 64];
} grz_hash_grid;

/* Cells of a level along a unit of length: a power of two. */
static inline double grz_cells_per_unit(uint32_t level)
{
    union
    {
        uint64_t bits;
        double number;
    } both = {.bits = (uint64_t)(1023 - (GRZ_GRID_LEAST_EXPONENT + GRZ_GRID_LEVEL_STEP * (int)level)) << 52};
    return both.number;
}

/* The cells of a level that a box touches, and how many they are; that may be too many to count one by one. */
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

/* About the lowest level at which what is of this size, and as far as `reach` from the origin, has so few cells. */
uint32_t grz_cell_level_for_size(double size, double reach, int most);

/* The lowest level at which a box touches at most `most` cells on each axis, and not less than two. */
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

/* The list of a cell's bucket; boxes in other cells have, nearly always, another hash. */
static inline const grz_pooled_list *grz_hash_grid_bucket(const grz_hash_grid *cells, uint32_t hash)
{
    return &cells->buckets[hash & cells->mask];
}

/* Makes room for boxes with numbers below `limit`, of which there are `count`. False when out of memory. */
bool grz_hash_grid_reserve(const graze_context *context, grz_hash_grid *cells, uint32_t limit, size_t count);

/* Puts a box at a level, or takes it out of the one it is at. */
void grz_hash_grid_add_to_level(grz_hash_grid *cells, uint32_t box, uint32_t level, const grz_cell_range *range);
void grz_hash_grid_remove_from_level(grz_hash_grid *cells, uint32_t box);

/* Enters a box into a cell, or takes it out again. False when out of memory. */
bool grz_hash_grid_insert(const graze_context *context, grz_hash_grid *cells, uint32_t box, uint32_t hash);
void grz_hash_grid_remove(grz_hash_grid *cells, uint32_t box, uint32_t hash);

/* Puts boxes in an order in which neighbours mostly follow each other, so that what one has read is at hand for the
   next: in the lower halves of out_words, which has room for twice as many. */
void grz_hash_grid_morton_order(const grz_hash_grid *cells, const grz_aabb_view *view, const uint32_t *boxes,
                                size_t count, uint64_t *out_words);

void grz_hash_grid_release(const graze_context *context, grz_hash_grid *cells);
size_t grz_hash_grid_memory(const grz_hash_grid *cells);

/* Whether lists, counts and links agree. */
bool grz_hash_grid_validate(const grz_hash_grid *cells, const grz_aabb_view *view);

#endif
