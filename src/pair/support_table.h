/* SPDX-License-Identifier: MIT */
/*
 * How far a mesh reaches in every direction, from a table: an upper bound of its support function for some ten
 * nanoseconds, whatever the mesh. With it planes between two placed meshes are found and kept from frame to frame
 * without a look at their trees (the separating vectors of Q-COLLIDE: Chung and Wang, 1996). What no plane parts needs
 * a query.
 */
#ifndef GRZ_PAIR_SUPPORT_TABLE_H
#define GRZ_PAIR_SUPPORT_TABLE_H

#include "graze/pose.h"
#include "mesh/identity.h"
#include "tree/tree.h"

enum
{
    GRZ_SUPPORT_CELLS = 8 /* of a face of the cube, along each of its edges; even, and a power of two */
};

/* For points p of a grid on the surface of the cube [-1, 1]^3: no p . (v - centre) of a vertex v is larger. */
typedef struct grz_support_table
{
    grz_identity identity; /* of the mesh, which it is about no more when that has another */
    double radius;         /* of the ball around the mesh */
    float table[6][GRZ_SUPPORT_CELLS + 1][GRZ_SUPPORT_CELLS + 1]; /* by side, as grz_support_bound numbers them */
} grz_support_table;

/* Makes the table. False where there is none: no triangles, or numbers at the far ends of the range. */
bool grz_support_table_make(const graze_tree *tree, grz_support_table *out_reach);

/* A mesh that is placed. */
typedef struct grz_placed_support
{
    const grz_support_table *support;
    const graze_pose *pose;
    const double *centre; /* of its ball in the world, */
    double error;         /* and what that is off by along any axis */
} grz_placed_support;

/* An upper bound of direction . (x - centre) for all x of the placed mesh, where `centre` is exact, and about the point
   x - centre that is farthest. INFINITY, or NaN, where nothing is known. */
double grz_support_bound(const grz_placed_support *placed, const double direction[3], double out_point[3]);

/* Whether a plane surely parts the two, so that they share no point and neither lies in the other. `direction` is the
   plane's normal to try first, all zeros: the line of centres; it gets the last one tried. */
bool grz_find_separating_plane(const grz_placed_support *a, const grz_placed_support *b, unsigned tries,
                               double direction[3]);

#endif
