/* SPDX-License-Identifier: MIT */
/*
 * Fitting a tree's leaves and slabs to a mesh, written once (fit_template.h) and compiled for every instruction set.
 * All variants give the same bits, so that a tree does not depend on the machine it was built on.
 */
#ifndef GRZ_SIMD_FIT_H
#define GRZ_SIMD_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "simd/kernels.h"

/* The vertices and triangles of a mesh, and their transform to tree coordinates: x * scale - origin. */
typedef struct grz_fit_source
{
    const double *vertices;    /* three numbers each */
    const uint32_t *triangles; /* three vertices each */
    double scale, origin[3];
} grz_fit_source;

/* The corners of a leaf's triangles in tree coordinates, relative to its centre: [corner][axis][triangle]. */
typedef struct grz_fit_floats
{
    _Alignas(16) float corners[3][3][GRZ_LANES];
    float centre[3];
} grz_fit_floats;

/* A conservative box of the triangles of a leaf; the sum of their normals, each as long as twice its area. */
typedef struct grz_fit_box
{
    float lower[3], upper[3];
    double normal[3];
} grz_fit_box;

/* Error bound of a local coordinate, its conversion to float in any rounding mode included. */
static inline float grz_fit_below(double x)
{
    return (float)(x - ((x < 0 ? -x : x) * 0x1p-22 + 0x1p-50));
}

static inline float grz_fit_above(double x)
{
    return (float)(x + ((x < 0 ? -x : x) * 0x1p-22 + 0x1p-50));
}

typedef struct grz_fit_kernels
{
    const char *name;

    /* Fits a leaf of `count` triangles, 1 to 8, listed in `order`: writes its quantised corners, unused lanes repeating
       the first, its corners in floats and its box. */
    void (*leaf)(const grz_fit_source *source, const uint32_t *order, uint32_t count, grz_triangles8 *out_grid,
                 grz_fit_floats *out_floats, grz_fit_box *out_box);

    /* The lowest and the highest height of the corners of one or more leaves along a direction, relative to the first
       leaf's centre. */
    void (*span)(const grz_fit_floats *leaves, uint32_t count, const float direction[3], float *out_lower,
                 float *out_upper);
} grz_fit_kernels;

const grz_fit_kernels *grz_fit_kernels_for(graze_instructions choice);

#endif
