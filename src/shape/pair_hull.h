/* SPDX-License-Identifier: MIT */
/*
 * Fast queries of two convex cores with radii, by convex/convex_pair.h. Each returns whether it decided; if not, the
 * exact queries of meshes do (pair_core.c).
 */
#ifndef GRZ_SHAPE_PAIR_HULL_H
#define GRZ_SHAPE_PAIR_HULL_H

#include "shape/query.h"

bool grz_hulls_collide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, graze_verdict *out_verdict,
                       graze_shape_hit *out_hit);

/* The distance, which is 0 where they collide; with relative and absolute errors of rounding. */
bool grz_hulls_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b, double limit,
                        graze_shape_distance *out_distance);

bool grz_hulls_depth(grz_shape_query *q, const graze_placed *a, const graze_placed *b, double relative_error,
                     graze_shape_depth *out_depth);

#endif
