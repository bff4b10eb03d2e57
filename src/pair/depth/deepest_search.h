/* SPDX-License-Identifier: MIT */
/* The state of a search for the deepest common point: deepest_common_point.c searches, deepest_start.c makes the first
   cells. */
#ifndef GRZ_PAIR_DEPTH_DEEPEST_SEARCH_H
#define GRZ_PAIR_DEPTH_DEEPEST_SEARCH_H

#include <math.h>

#include "math/interval.h"
#include "pair/depth/deepest_common_point.h"
#include "pair/depth/simplex_search.h"

#define GRZ_NO_CELL_VERTEX UINT32_MAX

/* A box along three axes around all common points. */
typedef struct grz_common_box
{
    v3 axes[3]; /* orthonormal up to a few u */
    interval extents[3];
} grz_common_box;

enum
{
    GRZ_BOX_TRIANGLES = 4
};

/* A cell of space. */
typedef struct grz_space_box
{
    double middle[3], half[3];                /* along the axes of the common box */
    uint32_t triangles[2][GRZ_BOX_TRIANGLES]; /* of each side, near it; GRZ_NO_TRIANGLE: not known */
    double upper[2];                          /* of the distance to a side of the centre of the box it was a half of */
} grz_space_box;

typedef struct grz_deepest_search
{
    grz_body_pair *pair;
    grz_simplex_space space;
    grz_simplex_heap heap;
    grz_common_box common;          /* around all common points, */
    GRZ_ARRAY(grz_space_box) boxes; /* and its parts */
    uint32_t *vertex_of[2];         /* per vertex of the mesh: its cell vertex, or GRZ_NO_CELL_VERTEX */
    const uint8_t *locations[2];    /* per triangle: grz_triangle_location; NULL where the other side is open */
    double relative_error, absolute_error;
    uint32_t cells, max_cells, space_cells, max_queries;
    bool settled[2];                   /* whether no local maximum of the depth in this side counts any more */
    bool embedding_known;              /* whether it was found out that neither body meets itself, or that one may */
    double pruned;                     /* largest bound of a cell that is not searched further */
    double shell;                      /* largest depth that dropped cells may have */
    grz_deepest_common_point best;     /* but for `upper`, `sum` and `cells` */
    uint32_t best_vertex;              /* of cells, of the probe */
    double sum_point[3];               /* with the depths `best.sum`; valid above 0 */
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

/* Tries a point of a cell, which is deep in `side`, for the lower bound. */
void grz_deepest_try_point(grz_deepest_search *s, const grz_simplex *cell, int side, const double point[3],
                           const grz_nearest_triangle *nearest);

/* Searches the cells of the heap until all are searched or the number of cells is reached. */
void grz_deepest_run(grz_deepest_search *s, uint32_t max_cells);

/* ---- deepest_sum.c ---- */

/* Tries the centre of a ball for the sum of its depths in both sides. */
void grz_deepest_try_sum(grz_deepest_search *s, grz_simplex_ball *ball);

/* Tries the middle of the box around all common points. */
void grz_deepest_try_middle(grz_deepest_search *s);

/* Tries points around the one with the largest sum. */
void grz_deepest_climb_sum(grz_deepest_search *s);

/* ---- deepest_probe.c ---- */

/* Tries deep vertices of each side in the other. */
void grz_deepest_probe(grz_deepest_search *s);

/* ---- deepest_start.c ---- */

/* The cell vertex of a vertex of a side's mesh; sets `status` when out of memory. */
uint32_t grz_deepest_vertex(grz_deepest_search *s, uint8_t owner, uint32_t mesh_vertex);

/* Keeps the cell of a triangle. */
void grz_deepest_keep_triangle(grz_deepest_search *s, uint8_t owner, uint32_t triangle);

/* Starts with the leaves of a side's tree that have triangles in the other body, or with these triangles. */
void grz_deepest_start_surface(grz_deepest_search *s, uint8_t owner);

/* The middle of the box around all common points; false when there are none. */
bool grz_deepest_find_middle(const grz_deepest_search *s, grz_simplex_ball *out_middle);

/* The box around all common points; empty when there are none. */
grz_common_box grz_deepest_common_box(const grz_deepest_search *s);

/* Tries to settle both sides by critical pairs. */
void grz_deepest_settle_by_pairs(grz_deepest_search *s);

/* ---- space_search.c ---- */

/* Starts with the box around all common points. */
void grz_deepest_start_space(grz_deepest_search *s);

/* Searches a box for a local maximum of the depth in either body. */
void grz_deepest_search_box(grz_deepest_search *s, grz_simplex *cell);

/* ---- deepest_start.c ---- */

/* Replaces a leaf by its triangles. */
void grz_deepest_open_leaf(grz_deepest_search *s, const grz_simplex *leaf_cell);

#endif
