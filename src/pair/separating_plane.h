/* SPDX-License-Identifier: MIT */
/*
 * The search for a separating plane and the proof that a plane separates, written once for every kind of support
 * function: support tables (support_table.c), vertices and oriented boxes (separating_plane.c). When a normal does not
 * separate, the next one is its reflection by the difference of the two support points (the separating vectors of
 * Q-COLLIDE: Chung and Wang, Quick collision detection of polytopes, 1996). Normals may be arbitrary: only the error
 * bounds of the supports along them must hold.
 *
 * Functions are inline, so that the compiler specializes them for each support function.
 */
#ifndef GRZ_PAIR_SEPARATING_PLANE_H
#define GRZ_PAIR_SEPARATING_PLANE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "math/interval.h"

/* Normals whose squared length is in between are used; no square of them is lost to underflow. */
#define GRZ_SHORTEST_NORMAL_SQ 0x1p-400
#define GRZ_LONGEST_NORMAL_SQ 0x1p400

/* An upper bound of direction . (x - reference) for all x of a shape, errors included; INFINITY or NaN: no bound.
   `out_point` becomes about the support point, less the reference; it only guides the search. */
typedef double (*grz_support_function)(const void *shape, const double direction[3], double out_point[3]);

/* A shape and its reference point: supports are relative to it, so that their errors do not grow with its distance from
   the origin. */
typedef struct grz_supported
{
    const void *shape;
    const double *reference;
    double error; /* error bound of the reference on any axis */
} grz_supported;

static inline double grz_normal_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/*
 * Whether the plane with normal n separates them, A below and B above, with more than the distance between them:
 * n . (x - y) < -distance |n| for all x in A, y in B; the squared length of n is between the bounds above. `out_apart`
 * is about the difference of the support points.
 *
 * Let r be the references and h the supports. The error of n . (r_A - r_B) is 5 u times its terms' sizes, of h_A + h_B
 * and of the sum of both u each: 8 u of all sizes cover that. The references' own errors count along |n|_1. The length
 * of n and its product with the distance err by 8 u together. Terms that underflow are below 2^-1022 times 2^200:
 * 2^-700 covers them.
 */
static inline bool grz_plane_separates(const grz_supported *a, const grz_supported *b, grz_support_function support,
                                       const double n[3], double distance, double out_apart[3])
{
    double back[3] = {-n[0], -n[1], -n[2]}, point_a[3] = {0}, point_b[3] = {0}, sum = 0, size = 0, weight = 0;
    for (int k = 0; k < 3; k++)
    {
        double term = n[k] * (a->reference[k] - b->reference[k]);
        sum += term;
        size += fabs(term);
        weight += fabs(n[k]);
    }
    double supports = support(a->shape, n, point_a) + support(b->shape, back, point_b);
    double error = 8 * GRZ_U * (size + fabs(supports)) + 2 * weight * (a->error + b->error) + 0x1p-700;
    double height = sum + supports + error;
    for (int k = 0; k < 3; k++)
        out_apart[k] = (a->reference[k] + point_a[k]) - (b->reference[k] + point_b[k]);
    double needed = distance > 0 ? distance * sqrt(grz_normal_dot(n, n)) * (1 + 16 * GRZ_U) : 0;
    /* shortcut: separating-plane */
    return height < -needed && height > -DBL_MAX;
}

/* Scales a normal to a length of about 1; if it is too short or too long it becomes zero, and the result is false. */
static inline bool grz_normalize(double n[3])
{
    double length_sq = grz_normal_dot(n, n);
    if (!(length_sq > GRZ_SHORTEST_NORMAL_SQ && length_sq < GRZ_LONGEST_NORMAL_SQ))
    {
        n[0] = n[1] = n[2] = 0;
        return false;
    }
    double factor = 1 / sqrt(length_sq);
    for (int k = 0; k < 3; k++)
        n[k] *= factor;
    return true;
}

/* Whether a plane is found that certainly separates the two, with more than the distance between them. `n` is the first
   normal to try, and is set to the last one tried; zero where it could not be used. */
static inline bool grz_search_separating_plane(const grz_supported *a, const grz_supported *b,
                                               grz_support_function support, double distance, unsigned tries,
                                               double n[3])
{
    double apart[3];
    if (!grz_normalize(n))
        return false;
    for (unsigned i = 0; i < tries; i++)
    {
        if (grz_plane_separates(a, b, support, n, distance, apart))
            return true;
        /* Reflects the normal, so that the difference of these support points changes sign along it. */
        double factor = 2 * grz_normal_dot(n, apart) / grz_normal_dot(apart, apart);
        for (int k = 0; k < 3; k++)
            n[k] -= factor * apart[k];
        if (!grz_normalize(n))
            return false;
    }
    return false;
}

#endif
