/* SPDX-License-Identifier: MIT */
/* Separating axes of two placed boxes. See box_axes.c. */
#ifndef GRZ_CONVEX_BOX_AXES_H
#define GRZ_CONVEX_BOX_AXES_H

#include "convex/convex_support.h"

typedef struct grz_box_axis
{
    v3 direction; /* from A to B, of any length: of the axis of least overlap, as computed */
    double lower; /* the overlap on every axis is at least that of a unit vector; negative: they are apart, perhaps */
} grz_box_axis;

/* Finds the axis on which two boxes overlap least. False where a pose is no rotation, mirrored or not, up to 2^-40. */
bool grz_box_axes_find(const grz_convex_operands *operands, grz_box_axis *out_axis);

#endif
