/* SPDX-License-Identifier: MIT */
/*
 * Support tables: an upper bound of a mesh's support function in some ten nanoseconds, whatever the mesh. With them,
 * separating planes of two placed meshes are found (separating_plane.h) and reused from frame to frame without
 * traversing their trees. Meshes that no plane separates need a query.
 */
#ifndef GRZ_PAIR_SUPPORT_TABLE_H
#define GRZ_PAIR_SUPPORT_TABLE_H

#include "graze/pose.h"
#include "mesh/identity.h"
#include "tree/tree.h"

enum
{
    GRZ_SUPPORT_CELLS = 8 /* per edge of a side of the cube; even, and a power of two */
};

/* An upper bound of p . (v - centre) over all vertices v, for the points p of a grid on the surface of the cube [-1,
   1]^3. */
typedef struct grz_support_table
{
    grz_identity identity; /* of the mesh; the table is outdated when the mesh has another */
    double radius;         /* of the bounding sphere of the mesh */
    float table[6][GRZ_SUPPORT_CELLS + 1][GRZ_SUPPORT_CELLS + 1]; /* by side, as grz_support_bound numbers them */
} grz_support_table;

/* Makes the table. False where it cannot: no triangles, or numbers at the far ends of the range. */
bool grz_support_table_make(const graze_tree *tree, grz_support_table *out_table);

/* The support table of a placed mesh. */
typedef struct grz_placed_support
{
    const grz_support_table *support;
    const graze_pose *pose;
    const double *centre; /* of the bounding sphere in the world */
    double error;         /* error bound of the centre on any axis */
} grz_placed_support;

/* An upper bound of direction . (x - centre) for all x of the placed mesh, where `centre` is exact; `out_point` is
   about the support point, less the centre. INFINITY, or NaN, where the table gives no bound. */
double grz_support_bound(const grz_placed_support *placed, const double direction[3], double out_point[3]);

/* Whether a plane is found that certainly separates the two, so that they share no point and neither contains the
   other. `direction` is the first normal to try (all zeros: the line of centres), and is set to the last one tried. */
bool grz_find_separating_plane(const grz_placed_support *a, const grz_placed_support *b, unsigned tries,
                               double direction[3]);

#endif
