/* SPDX-License-Identifier: MIT */
/*
 * Branch and bound over simplices for the deepest common point of two bodies: cells that are tetrahedra of space or
 * pieces of surface triangles, each with an upper bound of the depth of its points. See deepest_common_point.c for the
 * search; for why bounds and locations hold, simplex_bound.c, simplex_location.c and distance_maxima.c.
 */
#ifndef GRZ_PAIR_DEPTH_SIMPLEX_SEARCH_H
#define GRZ_PAIR_DEPTH_SIMPLEX_SEARCH_H

#include "base/array.h"
#include "pair/depth/nearest_triangle.h"
#include "pair/depth/penetration_work.h"

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
    grz_nearest_triangle nearest[2]; /* of each side's surface; `triangle` is a hint before it is measured */
} grz_simplex_vertex;

/* A piece of a triangle of one side's surface, or a tetrahedron of space. Or a tree leaf of a side, not opened yet. */
typedef struct grz_simplex
{
    double bound;         /* upper bound of the depth of its points, as far as they lie in both bodies */
    uint32_t vertices[4]; /* three of a surface piece. Of a tree leaf: its index */
    uint8_t owner;        /* the side whose surface it is a piece of; GRZ_SPACE: of space */
    uint8_t splits;       /* splits that led to it */
    bool leaf;            /* a tree leaf */
    bool inside[2];       /* known to lie inside this side */
    bool exactly;         /* a piece of a triangle no point of which is outside */
    bool settled[2];      /* of space: a local maximum of the depth in this side does not count, or there is none */
} grz_simplex;

typedef struct grz_simplex_heap
{
    GRZ_ARRAY(grz_simplex) cells; /* largest bound first */
} grz_simplex_heap;

bool grz_simplex_heap_push(const graze_context *context, grz_simplex_heap *heap, const grz_simplex *cell);
grz_simplex grz_simplex_heap_pop(grz_simplex_heap *heap);

/* A triangle near a cell; distance_maxima.c. */
typedef struct grz_near_normal
{
    v3 corners[3];
    v3 normal; /* of unit length */
    double error;
    bool within; /* not surely beyond the nearest points of a cell */
} grz_near_normal;

typedef struct grz_simplex_space
{
    const graze_context *context;
    grz_surface surfaces[2];
    double reach; /* bounds all coordinates */
    GRZ_ARRAY(grz_simplex_vertex) vertices;
    grz_located_points known[2];   /* points located in each side */
    const grz_body_pair *embedded; /* the bodies, once neither is known to meet itself; else NULL */
    double facing[2];              /* 1: normals of this side point out of it, mostly; -1: into it */
    double near_facing[2];         /* 1, -1: the same for all triangles that may be nearest to a common point up to
                                      `near_depth` deep, which meet no others; 0: not known */
    double near_depth;
    bool near_tried; /* whether it was tried to find that out */
    GRZ_ARRAY(grz_near_normal) normals;
} grz_simplex_space;

/* The ball around a cell, which includes its error, and what is known of its centre. */
typedef struct grz_simplex_ball
{
    double centre[3], radius;
    double tolerance[2]; /* of the distances; 0: GRZ_COARSE */
    bool measured[2];
    grz_nearest_triangle nearest[2]; /* of the centre; `triangle` is a hint before it is measured */
} grz_simplex_ball;

grz_simplex_ball grz_simplex_ball_of(const grz_simplex_space *space, const grz_simplex *cell);
const grz_nearest_triangle *grz_simplex_ball_measured(const grz_simplex_space *space, grz_simplex_ball *ball, int side);

static inline int grz_simplex_size(const grz_simplex *cell)
{
    return cell->owner == GRZ_SPACE ? 4 : 3;
}

/* Whether the depth of a cell's points in this side counts. */
static inline bool grz_simplex_counts(const grz_simplex *cell, int side)
{
    return cell->owner != side && !cell->settled[side];
}

/* How far the points of a cell may lie from those it stands for. */
double grz_simplex_error(const grz_simplex_space *space, const grz_simplex *cell);

/* Whether a point, whose distance from the surface of a side is at least `distance`, lies inside that side. Exact. */
bool grz_simplex_point_inside(grz_simplex_space *space, int side, const double point[3], double distance);

/* The vertex with its distance to a side. */
const grz_simplex_vertex *grz_simplex_vertex_measured(grz_simplex_space *space, uint32_t vertex, int side);

/* Adds a vertex. False when out of memory. */
bool grz_simplex_vertex_add(grz_simplex_space *space, const double x[3], uint32_t *out_vertex);

/* The upper bound of the distance of a cell's points to the surface of a side. `out_values` (may be NULL) gets, per
   vertex, by how much it is farther from the triangle that gave the bound than from the triangle nearest to the
   farthest vertex: a split by these separates what is near to the one and to the other. simplex_bound.c */
double grz_simplex_distance_bound(grz_simplex_space *space, const grz_simplex *cell, int side, double out_values[4]);

/* An upper bound of min over all mixtures of rows of the largest entry of the mixture: at least the value of the matrix
   game, at most the smallest of the largest entries of a row. Entries are not negative. */
double grz_game_value(size_t row_count, double (*rows)[4], size_t column_count);

/* Splits a cell where the affine function with these values at its vertices is zero. Values are not all of one sign.
   Returns the number of children, 2 to 6, or 0 when out of memory. */
int grz_simplex_split(grz_simplex_space *space, const grz_simplex *cell, const double values[4],
                      grz_simplex out_children[6]);

/* Splits a cell in the middle of its longest edge. */
int grz_simplex_bisect(grz_simplex_space *space, const grz_simplex *cell, grz_simplex out_children[6]);

/* How a cell lies in a side. */
typedef enum grz_simplex_location
{
    GRZ_CELL_INSIDE,  /* but for the shell */
    GRZ_CELL_OUTSIDE, /* but for the shell */
    GRZ_CELL_CROSSED, /* the surface passes through: split by the values */
    GRZ_CELL_CROWDED, /* by too many triangles: bisect */
    GRZ_CELL_UNSURE   /* the surface is too close to tell */
} grz_simplex_location;

/* The points of a cell that may lie elsewhere than its centre. */
typedef struct grz_simplex_shell
{
    double depth; /* of a cell outside: those inside are less deep than this */
    double share; /* of a piece of a surface: of its area */
} grz_simplex_shell;

/* By the distance of its centre alone: inside, outside or unsure. simplex_location.c */
grz_simplex_location grz_simplex_locate_ball(grz_simplex_space *space, grz_simplex_ball *ball, int side);

/* A piece of a surface is outside only when the depth of the shell is at most `most_shell`. */
grz_simplex_location grz_simplex_locate(grz_simplex_space *space, const grz_simplex *cell, grz_simplex_ball *ball,
                                        int side, double most_shell, double out_values[4],
                                        grz_simplex_shell *out_shell);

/* Whether the depth in a side, which is closed and oriented, surely has no local maximum in a cell in this ball, no
   point of which is farther from the surface than `bound`; maxima up to `depth` do not count. With a depth of
   -INFINITY it holds for all of the ball. So it does without a cell, NULL. False also when out of memory.
   distance_maxima.c */
bool grz_has_no_maximum(grz_simplex_space *space, int side, const grz_simplex *cell, grz_simplex_ball *ball,
                        double bound, double depth);

/* The centre of a cell. */
v3 grz_simplex_centre(const grz_simplex_space *space, const grz_simplex *cell);

/* A vertex of a cell. */
static inline v3 grz_simplex_corner(const grz_simplex_space *space, const grz_simplex *cell, int corner)
{
    return v3_load(space->vertices.data[cell->vertices[corner]].x);
}

#endif
