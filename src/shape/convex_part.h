/* SPDX-License-Identifier: MIT */
/* Placed shapes of convex kinds, as src/convex sees them. */
#ifndef GRZ_SHAPE_CONVEX_PART_H
#define GRZ_SHAPE_CONVEX_PART_H

#include "convex/convex_body.h"
#include "shape/shape.h"

/* Fills in the body of a placed shape, which points into the shape. False for meshes, height fields, half-spaces and
   compounds. */
bool grz_shape_convex_body(const graze_placed *placed, grz_convex_body *out);

#endif
