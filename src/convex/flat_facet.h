/* SPDX-License-Identifier: MIT */
/*
 * Two polytopes whose faces face each other and are parallel, but for what rounding has left: vertices A of the one and
 * B of the other with places in a plane and tiny heights over it. Which facet of the lower side of {b - a} lies over
 * the origin says which features of both are closest. A search for what is then certified elsewhere; plain doubles.
 */
#ifndef GRZ_CONVEX_FLAT_FACET_H
#define GRZ_CONVEX_FLAT_FACET_H

#include <stdbool.h>
#include <stdint.h>

enum
{
    GRZ_FLAT_POINTS = 12
};

typedef struct grz_flat_point
{
    double x, y, height;
    uint32_t vertex;
} grz_flat_point;

typedef struct grz_flat_points
{
    int count;
    grz_flat_point points[GRZ_FLAT_POINTS];
} grz_flat_points;

/* `pairs` are three pairs of points of A and B, by their indices, whose differences b - a have the origin between them;
   they become those of the facet over the origin, or of one nearer to it. Returns whether they changed. */
bool grz_flat_facet_find(const grz_flat_points sides[2], int pairs[3][2]);

#endif
