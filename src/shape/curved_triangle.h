/* SPDX-License-Identifier: MIT */
/*
 * A cylinder or an ellipsoid and a triangle: a common point that is certainly common, or a plane that certainly
 * separates them. Both are found by closed forms in the body's own axes.
 */
#ifndef GRZ_SHAPE_CURVED_TRIANGLE_H
#define GRZ_SHAPE_CURVED_TRIANGLE_H

#include "shape/box_triangle.h"

/* With the frame of a box that has the body's half sizes; of a cylinder: the radius twice, and half the height. All
   above 0. Returns how deep a common point is, at least, in a body whose pose is a rotation; 0 where none is certain.
   Then *out_gap is how far apart they are, at least; 0 where that is not certain either. */
double grz_cylinder_triangle_depth(const grz_box_frame *frame, uint32_t triangle, double out_point[3], double *out_gap);
double grz_ellipsoid_triangle_depth(const grz_box_frame *frame, uint32_t triangle, double out_point[3],
                                    double *out_gap);

#endif
