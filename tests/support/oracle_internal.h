/* SPDX-License-Identifier: MIT */
/* Internal data of the oracle; for its source files only. */
#ifndef SUPPORT_ORACLE_INTERNAL_H
#define SUPPORT_ORACLE_INTERNAL_H

#include "support/lattice.h"
#include "support/oracle.h"

enum
{
    MOST_CORNERS = 12, /* a triangle clipped by five half-spaces has at most eight */
    MOST_SPACES = 8
};

/* x, y, z, w with w > 0 and no common factor: equal points have equal numbers. */
typedef mpz_t homogeneous[4];

/* The points with c0 x + c1 y + c2 z + c3 w >= 0. */
typedef mpz_t half_space[4];

/* A convex polygon, also with two corners (a segment), one (a point) or none. */
typedef struct polygon
{
    int count;
    homogeneous corners[MOST_CORNERS];
} polygon;

struct oracle
{
    lattice *grid; /* the corners of both triangles */
    polygon polygons[2];
    int space_count;
    half_space spaces[MOST_SPACES];
    vector3 u, v, w, normal;
    mpz_t s, t, p, q;
};

/* Intersects the triangles whose corners are points 0-2 and 3-5 of the lattice. */
polygon *oracle_clip(oracle *judge);

/* The contact of those triangles, from their shared polygon. */
graze_triangle_contact oracle_classify(oracle *judge, const polygon *shared);

#endif
