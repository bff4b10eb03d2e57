/* SPDX-License-Identifier: MIT */
/* Placed shapes of convex kinds, as src/convex sees them. */
#ifndef GRZ_SHAPE_CONVEX_PART_H
#define GRZ_SHAPE_CONVEX_PART_H

#include "convex/box_manifold.h"
#include "shape/shape.h"

/* What queries need of a convex core, whatever its pose: that of the body is not set. */
typedef struct grz_convex_part
{
    grz_convex_table table;
    grz_convex_body body;
    bool is_box; /* the vertices are those of a box, and there is no radius */
    grz_box_features box;
} grz_convex_part;

/* NULL where no query has needed it so far. */
static inline const grz_convex_part *grz_shape_convex_part(const graze_shape *shape)
{
    return atomic_load_explicit(&shape->convex_part, memory_order_acquire);
}

/* The same, made where it is missing; NULL where there is no memory. Of convex cores. */
const grz_convex_part *grz_shape_make_convex_part(const graze_shape *shape);

/* Fills in the body of a placed shape, which points into the shape. False for meshes, height fields, half-spaces and
   compounds. */
bool grz_shape_convex_body(const graze_placed *placed, grz_convex_body *out);

#endif
