/* SPDX-License-Identifier: MIT */
/* The distance of two polytopes in twice the precision of double, where doubles leave too much open: small gaps. */
#ifndef GRZ_CONVEX_WIDE_DISTANCE_H
#define GRZ_CONVEX_WIDE_DISTANCE_H

#include <stdbool.h>

#include "base/double_double.h"
#include "convex/convex_body.h"

typedef struct grz_wide_distance
{
    double lower, upper; /* certified; lower > 0 */
    double points[2][3]; /* closest points of A and B in the world, rounded */
    grz_dd normal[3];    /* of the plane that gives `lower`, from A to B, of any length */
    int corner_count;    /* vertices of A and B between which the points lie */
    uint32_t corners[3][2];
} grz_wide_distance;

/* Measures the distance of the vertices' hulls, without radii, starting from pairs of vertices of A and B (any, one to
   four of them, none of them out of range). False where numbers are out of range, where they meet, or where no
   separating plane is found: nothing is known then. In every floating-point environment. */
bool grz_convex_wide_distance(const grz_convex_body *a, const grz_convex_body *b, const uint32_t (*start)[2], int count,
                              grz_wide_distance *out);

/* The same of these pairs of vertices alone, one to three of them: an upper bound of the distance with its points and
   corners. False where numbers are out of range. */
bool grz_convex_wide_upper(const grz_convex_body *a, const grz_convex_body *b, const uint32_t (*pairs)[2], int count,
                           grz_wide_distance *out);

/* A plane with a normal, and what heights along it of many vertices of two placed bodies have in common. */
typedef struct grz_wide_heights
{
    grz_dd along[2][3]; /* the normal in the frames of A and B */
    grz_dd between;     /* the height of B's translation over that of A */
    double length;      /* of the normal */
    double error;       /* bound of the error of a difference of heights; INFINITY where numbers are out of range */
} grz_wide_heights;

/* `largest` bounds the magnitudes of the vertices' coordinates, by body and axis. This function and the two below run
   in the default floating-point environment only. */
void grz_wide_heights_make(const graze_pose *a, const graze_pose *b, const double largest[2][3], const grz_dd normal[3],
                           grz_wide_heights *out_heights);

/* The height of a vertex of A (0) or B (1), less that of its body's translation. */
grz_dd grz_wide_vertex_height(const grz_wide_heights *heights, int body, const double vertex[3]);

/* A certified lower bound of the distance of all vertices of A that are no higher from all of B that are no lower, and
   of their hulls; 0 where the plane does not separate them. */
double grz_wide_heights_gap(const grz_wide_heights *heights, grz_dd highest_a, grz_dd lowest_b);

#endif
