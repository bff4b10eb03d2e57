/* SPDX-License-Identifier: MIT */
/* Placed shapes of convex kinds, as src/convex sees them. */
#ifndef GRZ_SHAPE_CONVEX_PART_H
#define GRZ_SHAPE_CONVEX_PART_H

#include "convex/convex_table.h"
#include "shape/shape.h"

/* What queries need of a convex core, whatever its pose: that of the body is not set. */
typedef struct grz_convex_part
{
    grz_convex_table table;
    grz_convex_body body;
} grz_convex_part;

/* NULL where no query has needed it so far. */
static inline const grz_convex_part *grz_shape_convex_part(const graze_shape *shape)
{
    return atomic_load_explicit(&shape->convex_part, memory_order_acquire);
}

/* Fills in the body of a placed shape, which points into the shape. False for meshes, height fields, half-spaces and
   compounds. */
bool grz_shape_convex_body(const graze_placed *placed, grz_convex_body *out);

#endif
