/* SPDX-License-Identifier: MIT */
/* The leaves of placed shapes, in depth-first order, with their poses in the world and boxes around them. */
#ifndef GRZ_SHAPE_LEAVES_H
#define GRZ_SHAPE_LEAVES_H

#include "shape/query.h"

typedef struct grz_leaf_part
{
    graze_placed placed;
    graze_box bounds; /* rounded outward; see graze_placed_bounds */
    uint32_t number;
} grz_leaf_part;

typedef struct grz_leaves
{
    grz_leaf_part *parts; /* in order */
    size_t count;
    graze_box bounds;     /* of all */
    grz_leaf_part single; /* of a shape that is no compound */
} grz_leaves;

/* Checks the placed shape (graze_placed_check), and lists its leaves. */
graze_status grz_leaves_make(grz_shape_query *q, const graze_placed *placed, grz_leaves *out);
void grz_leaves_release(grz_shape_query *q, grz_leaves *leaves);

/* The leaves of both arguments of a query. They are taken in an order that depends on shapes and poses only, so that
   swapped arguments give the swapped answer. */
typedef struct grz_leaf_pairs
{
    grz_leaves a, b;
    bool swapped; /* a is the second argument */
} grz_leaf_pairs;

graze_status grz_leaf_pairs_make(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_leaf_pairs *out);
void grz_leaf_pairs_release(grz_shape_query *q, grz_leaf_pairs *pairs);

/* Two leaves that are queried without a look at boxes around them, in that order. */
typedef struct grz_plain_pair
{
    const graze_placed *a, *b;
    bool swapped;
} grz_plain_pair;

/* False where the arguments are no such leaves. Else their poses are checked: *out_status. */
bool grz_plain_pair_make(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_plain_pair *out,
                         graze_status *out_status);

/* A lower bound of the distance of two boxes; INFINITY where one is empty. */
double grz_box_gap(const graze_box *a, const graze_box *b);

#endif
