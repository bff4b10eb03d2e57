/* SPDX-License-Identifier: MIT */
/* Boxes with slabs in doubles, directly from the formulas of the kernels of simd/kernels.h and simd/distance.h. */
#ifndef SUPPORT_SLAB_REFERENCE_H
#define SUPPORT_SLAB_REFERENCE_H

#include <stdbool.h>

#include "base/random.h"
#include "simd/kernels.h"

typedef struct span
{
    double lowest, highest;
} span;

double dot3(const double a[3], const double b[3]);
void cross3(const double a[3], const double b[3], double out[3]);

/* Positive if two intervals are disjoint. */
double span_gap(span a, span b);

/* Boxes with centres up to `extent` away and half extents up to `half`; some absent, some flat, some without a slab. */
void random_slab_boxes(grz_random *random, double extent, double half, grz_boxes8 *boxes);

bool is_absent(const grz_boxes8 *boxes, unsigned lane);
bool has_slab(const grz_boxes8 *boxes, unsigned lane);

/* A transform with entries up to 1 and error bounds up to `margin`. */
void random_margin_map(grz_random *random, double margin, grz_float_transform *map);

/* The interval of a box along an axis; along w, with its slab m: w.x = (w - k m).x + k (m.x), k = w.m; and along an
 * axis of another frame, error bound included. */
span span_of_axis(const grz_boxes8 *boxes, unsigned lane, int axis);
span span_along_direction(const grz_boxes8 *boxes, unsigned lane, const double w[3]);
span span_seen(const grz_boxes8 *boxes, unsigned lane, const grz_float_transform *map, int axis);

/* The gap between the slab of one box, transformed into the frame of others, and one of these. `back` maps to the
 * slab's own frame, where heights are measured. Negative without a slab. */
double slab_gap_of(const grz_boxes8 *own, unsigned lane, const grz_float_transform *back, const grz_boxes8 *others,
                   unsigned other);

/* A corner of a leaf's triangle relative to the leaf's centre; and absolute, transformed. */
void leaf_corner(const grz_triangles8 *leaf, int c, unsigned lane, double out[3]);
void mapped_corner(const grz_triangles8 *leaf, int c, unsigned lane, const grz_float_transform *map, double out[3]);

#endif
