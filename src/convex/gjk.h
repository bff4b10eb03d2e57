/* SPDX-License-Identifier: MIT */
/* The search of GJK, for convex_pair.c and what starts from it. See gjk.c. */
#ifndef GRZ_CONVEX_GJK_H
#define GRZ_CONVEX_GJK_H

#include "convex/convex_pair.h"
#include "convex/convex_support.h"
#include "convex/simplex.h"

typedef struct grz_gjk
{
    grz_convex_operands operands;
    double radius; /* the sum of both */
    int count;     /* of the simplex; its points are the differences of placed vertices */
    v3 corners[4];
    grz_convex_both placed[4];
    uint32_t vertices[4][2];
    grz_simplex_point nearest;
    v3 direction;      /* from A to B, of the last plane between them */
    double gap, along; /* of that plane: the gap times the length of `direction`, certified, for distances only; and
                          that length, 0: none */
    unsigned steps;
} grz_gjk;

typedef enum grz_gjk_goal
{
    GRZ_GJK_ANY,     /* whether they meet */
    GRZ_GJK_DISTANCE /* the distance */
} grz_gjk_goal;

/* Begins with the simplex of the cache, or any. */
void grz_gjk_start(grz_gjk *g, const grz_convex_cache *cache);

/* Runs until the goal is decided, or the search gives no more. TOGETHER concerns the cores, without radii; APART needs
   the goal ANY. */
grz_convex_verdict grz_gjk_run(grz_gjk *g, grz_gjk_goal goal, const grz_convex_limits *limits);

/* Whether the plane with this normal separates, with more than the radii; certified. */
bool grz_gjk_separates(grz_gjk *g, v3 w);

/* Whether the four corners certainly enclose the origin. */
bool grz_gjk_encloses(const grz_gjk *g);

/* The certified gap along w, times its length: w . (y - x) is at least that for all x in A, y in B. The vertices are
   the supports. */
double grz_gjk_gap(grz_gjk *g, v3 w, uint32_t vertices[2]);

/* Sets corner i to a pair of vertices. */
void grz_gjk_set_corner(grz_gjk *g, int i, uint32_t of_a, uint32_t of_b);

/* The nearest points of both bodies: mixtures of placed vertices by the weights of the nearest point. */
grz_convex_both grz_gjk_mix(const grz_gjk *g);

/* An upper bound of the distance of the cores: of the nearest point's distance from the origin. */
double grz_gjk_upper(const grz_gjk *g);

/* Error bound of the computed nearest point, as a length. */
double grz_gjk_point_error(const grz_gjk *g);

#endif
