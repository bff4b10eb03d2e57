/* SPDX-License-Identifier: MIT */
/*
 * The distance of the origin from M = {a - b} by the algorithm of Gilbert, Johnson and Keerthi (1988), in doubles and
 * in twice the precision: a simplex of points of M walks toward the origin. It only proposes; what it says follows from
 * bounds of support functions (curved_pair.h) and from its points.
 */
#ifndef GRZ_CONVEX_CURVED_GJK_H
#define GRZ_CONVEX_CURVED_GJK_H

#include "convex/curved_pair.h"

typedef enum grz_curved_search
{
    GRZ_CURVED_APART,    /* proved by a plane */
    GRZ_CURVED_ENCLOSED, /* the four points of the simplex seem to surround the origin */
    GRZ_CURVED_STALLED   /* no more progress: the origin is about `upper` away from M */
} grz_curved_search;

typedef struct grz_curved_simplex
{
    int count;
    grz_curved_wide_vertex vertices[4]; /* of the search in doubles: rounded to them */
    double lower, upper;                /* of the distance of M from the origin; lower is certified */
    v3 normal;                          /* of length 1: the direction that proves `lower`, of M */
    v3 a, b;                            /* the closest points found, about `upper` apart */
    int iterations;
} grz_curved_simplex;

/* Stops when the bodies are proved to be apart, or, where `distance` is set, when no better bounds are found. */
grz_curved_search grz_curved_gjk(const grz_curved_pair *pair, bool distance, grz_curved_simplex *out);
grz_curved_search grz_curved_gjk_wide(const grz_curved_pair *pair, bool distance, grz_curved_simplex *out);

#endif
