/* SPDX-License-Identifier: MIT */
/*
 * Branch and bound over simplices for the deepest common point of two bodies: cells that are tetrahedra of space or
 * pieces of surface triangles, each with an upper bound of the depth of its points. See deepest_common_point.c for the
 * search, and simplex_search.c for why bounds hold.
 */
#ifndef GRZ_PAIR_DEPTH_SIMPLEX_SEARCH_H
#define GRZ_PAIR_DEPTH_SIMPLEX_SEARCH_H

#include "base/array.h"
#include "pair/depth/nearest_triangle.h"
#include "pair/solid/overlap.h"

enum
{
    GRZ_MOST_SPLITS = 96, /* of one cell, one after the other */
    GRZ_SPACE = 2         /* `owner` of a cell of space */
};

#define GRZ_COARSE 0x1p-9 /* relative tolerance of distances during the search */

/* A vertex of cells. */
typedef struct grz_simplex_vertex
{
    double x[3];
    bool measured[2];
    grz_nearest_triangle nearest[2]; /* of each side's surface */
} grz_simplex_vertex;

/* A piece of a triangle of one side's surface, or a tetrahedron of space. Or a tree node of a side, not opened yet. */
typedef struct grz_simplex
{
    double bound;         /* upper bound of the depth of its points, as far as they lie in both bodies */
    uint32_t vertices[4]; /* three of a surface piece. Of a tree node: the node, or the leaf with GRZ_LEAF_FLAG */
    uint8_t owner;        /* the side whose surface it is a piece of; GRZ_SPACE: of space */
    uint8_t splits;       /* splits that led to it */
    bool node;            /* a tree node */
    bool inside[2];       /* known to lie inside this side */
    bool no_maximum[2];   /* of space: the depth in this side has no local maximum here; surfaces have its largest */
} grz_simplex;

typedef struct grz_simplex_heap
{
    GRZ_ARRAY(grz_simplex) cells; /* largest bound first */
} grz_simplex_heap;

bool grz_simplex_heap_push(const graze_context *context, grz_simplex_heap *heap, const grz_simplex *cell);
grz_simplex grz_simplex_heap_pop(grz_simplex_heap *heap);

typedef struct grz_simplex_space
{
    const graze_context *context;
    grz_surface surfaces[2];
    double reach; /* bounds all coordinates */
    GRZ_ARRAY(grz_simplex_vertex) vertices;
} grz_simplex_space;

static inline int grz_simplex_size(const grz_simplex *cell)
{
    return cell->owner == GRZ_SPACE ? 4 : 3;
}

/* Whether the depth of a cell's points in this side counts. */
static inline bool grz_simplex_counts(const grz_simplex *cell, int side)
{
    return cell->owner != side && !cell->no_maximum[side];
}

/* How far the points of a cell may lie from those it stands for. */
double grz_simplex_error(const grz_simplex_space *space, const grz_simplex *cell);

/* The vertex with its distance to a side. */
const grz_simplex_vertex *grz_simplex_vertex_measured(grz_simplex_space *space, uint32_t vertex, int side);

/* Adds a vertex. False when out of memory. */
bool grz_simplex_vertex_add(grz_simplex_space *space, const double x[3], uint32_t *out_vertex);

/* The upper bound of the distance of a cell's points to the surface of a side. `out_values` (may be NULL) gets, per
   vertex, by how much it is farther from the triangle that gave the bound than from the triangle nearest to the
   farthest vertex: a split by these separates what is near to the one and to the other. */
double grz_simplex_distance_bound(grz_simplex_space *space, const grz_simplex *cell, int side, double out_values[4]);

/* Splits a cell where the affine function with these values at its vertices is zero. Values are not all of one sign.
   Returns the number of children, 2 to 6, or 0 when out of memory. */
int grz_simplex_split(grz_simplex_space *space, const grz_simplex *cell, const double values[4],
                      grz_simplex out_children[6]);

/* Splits a cell in the middle of its longest edge. */
int grz_simplex_bisect(grz_simplex_space *space, const grz_simplex *cell, grz_simplex out_children[6]);

/* How a cell lies in a side. */
typedef enum grz_simplex_location
{
    GRZ_CELL_INSIDE,
    GRZ_CELL_OUTSIDE, /* its points that are inside are less than *out_shell deep */
    GRZ_CELL_CROSSED, /* the surface passes through: split by the values */
    GRZ_CELL_CROWDED, /* by too many triangles: bisect */
    GRZ_CELL_UNSURE   /* the surface is too close to tell */
} grz_simplex_location;

/* By the distance of its centre alone: inside, outside or unsure. */
grz_simplex_location grz_simplex_locate_ball(const grz_simplex_space *space, const grz_simplex *cell, int side);

/* A piece of a surface is outside only when *out_shell is at most `most_shell`. */
grz_simplex_location grz_simplex_locate(const grz_simplex_space *space, const grz_simplex *cell, int side,
                                        double most_shell, double out_values[4], double *out_shell);

/* Whether the depth in a side surely has no local maximum in a cell of space. Both bodies are embedded.
   distance_maxima.c */
bool grz_simplex_has_no_maximum(const grz_simplex_space *space, const grz_body_pair *body_pair, const grz_simplex *cell,
                                int side);

/* The centre of a cell. */
v3 grz_simplex_centre(const grz_simplex_space *space, const grz_simplex *cell);

#endif
