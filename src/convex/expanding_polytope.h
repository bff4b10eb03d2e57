/* SPDX-License-Identifier: MIT */
/* A polytope inside of the Minkowski difference A - B, for EPA. See expanding_polytope.c. */
#ifndef GRZ_CONVEX_EXPANDING_POLYTOPE_H
#define GRZ_CONVEX_EXPANDING_POLYTOPE_H

#include "convex/gjk.h"

enum
{
    GRZ_EXPANDING_POINTS = 160,
    GRZ_EXPANDING_FACES = 2 * GRZ_EXPANDING_POINTS
};

/* Faces are arrays of their properties: corners counter-clockwise from outside; a normal of any length; `least`, the
   least of the products of the normal and the corners; that over the length of the normal is their distance from the
   origin, negative behind it. */
typedef struct grz_expanding_polytope
{
    unsigned point_count, face_count;
    v3 points[GRZ_EXPANDING_POINTS];
    uint32_t vertices[GRZ_EXPANDING_POINTS][2]; /* of A and B */
    uint8_t corners[GRZ_EXPANDING_FACES][3];
    double x[GRZ_EXPANDING_FACES], y[GRZ_EXPANDING_FACES], z[GRZ_EXPANDING_FACES];
    double least[GRZ_EXPANDING_FACES], distance[GRZ_EXPANDING_FACES];
} grz_expanding_polytope;

/* Makes it from the four corners of a search, in any order. False where they are coplanar as far as doubles can tell.
 */
bool grz_expanding_polytope_start(const grz_gjk *g, grz_expanding_polytope *out_polytope);

/* Makes it from a cache. False where there is none, or where it does not certainly enclose the origin. */
bool grz_expanding_polytope_load(grz_gjk *g, const grz_convex_cache *cache, grz_expanding_polytope *out_polytope);

/* Keeps it in a cache where it fits. */
void grz_expanding_polytope_store(const grz_expanding_polytope *polytope, grz_convex_cache *cache);

/* Adds a point outside of the face. False where there is no room. */
bool grz_expanding_polytope_add(grz_expanding_polytope *polytope, v3 point, const uint32_t vertices[2], unsigned face);

/* The face nearest to the origin. */
unsigned grz_expanding_polytope_nearest(const grz_expanding_polytope *polytope);

/* Whether all faces certainly have the origin behind them. */
bool grz_expanding_polytope_encloses(const grz_expanding_polytope *polytope, v3 size);

#endif
