/* SPDX-License-Identifier: MIT */
/* Two shapes that are no compounds: how deep they are in each other. A step of shape_measures.h. */
#ifndef GRZ_CLASH_SHAPE_LEAVES_H
#define GRZ_CLASH_SHAPE_LEAVES_H

#include "clash/shape_measures.h"

/* A part, or a leaf of a compound. */
typedef struct grz_clash_leaf
{
    graze_placed placed;
    graze_placed_mesh mesh;        /* of one that a mesh says all of; else without a mesh */
    const struct graze_body *body; /* of that mesh, or NULL */
    bool is_open;                  /* its inside is not known */
} grz_clash_leaf;

/* Narrows the bounds of two leaves; `m` has those of graze_shape_pair_depth. */
graze_status grz_clash_measure_leaves(const graze_context *context, const grz_clash_leaf *a, const grz_clash_leaf *b,
                                      double resolution, grz_clash_shape_measures *m);

#endif
