/* SPDX-License-Identifier: MIT */
/* The state of a search for the deepest common point: deepest_common_point.c searches, deepest_start.c makes the first
   cells. */
#ifndef GRZ_PAIR_DEPTH_DEEPEST_SEARCH_H
#define GRZ_PAIR_DEPTH_DEEPEST_SEARCH_H

#include <math.h>

#include "pair/depth/deepest_common_point.h"
#include "pair/depth/simplex_search.h"

#define GRZ_NO_CELL_VERTEX UINT32_MAX

typedef struct grz_deepest_search
{
    grz_body_pair *pair;
    grz_simplex_space space;
    grz_simplex_heap heap;
    uint32_t *vertex_of[2];      /* per vertex of the mesh: its cell vertex, or GRZ_NO_CELL_VERTEX */
    const uint8_t *locations[2]; /* per triangle: grz_triangle_location; NULL where the other side is open */
    double relative_error, absolute_error;
    uint32_t cells, max_cells, space_cells, max_queries;
    bool embedding_known;              /* whether it was found out that neither body meets itself, or that one may */
    double pruned;                     /* largest bound of a cell that is not searched further */
    double shell;                      /* largest depth that dropped cells may have */
    grz_deepest_common_point best;     /* but for `upper`, `sum` and `cells` */
    grz_nearest_triangle near_last[2]; /* of the leaf measured last, by the side it was measured in */
    graze_status status;
} grz_deepest_search;

/* Bounds up to this need not be searched. */
static inline double grz_deepest_target(const grz_deepest_search *s)
{
    return fmax(s->best.depth * (1 + s->relative_error), s->best.depth + s->absolute_error);
}

/* Pushes a cell on the heap, unless its bound suffices. */
void grz_deepest_keep(grz_deepest_search *s, const grz_simplex *cell);

/* Bounds a cell of space or a piece of a surface, and keeps it. */
void grz_deepest_measure_and_keep(grz_deepest_search *s, grz_simplex *cell);

/* Tries the centre of a cell of space for the sum of its depths in both sides. */
void grz_deepest_try_sum(grz_deepest_search *s, grz_simplex_ball *ball);

/* ---- deepest_start.c ---- */

/* Starts with the leaves of a side's tree that have triangles in the other body, or with these triangles. */
void grz_deepest_start_surface(grz_deepest_search *s, uint8_t owner);

/* The middle of the box around all common points; false when there are none. */
bool grz_deepest_find_middle(const grz_deepest_search *s, grz_simplex_ball *out_middle);

/* Starts with the box around all common points. */
void grz_deepest_start_space(grz_deepest_search *s);

/* Replaces a leaf by its triangles. */
void grz_deepest_open_leaf(grz_deepest_search *s, const grz_simplex *leaf_cell);

#endif
