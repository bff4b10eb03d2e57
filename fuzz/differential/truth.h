/* SPDX-License-Identifier: MIT */
/*
 * What is true of two placed leaves: in rationals for polytopes, with radii and without, and half-spaces; of curved
 * ones against half-spaces in rationals as well, and else in long double, with an error that is far below what is
 * asked: a search for the least distance with an upper and a lower bound (twin.h).
 */
#ifndef FUZZ_SHAPE_TRUTH_H
#define FUZZ_SHAPE_TRUTH_H

#include "leaves.h"

/* The distance of two leaves against a number: below, equal, above; or near it, which long double leaves open. */
typedef enum order
{
    ORDER_LESS,
    ORDER_EQUAL,
    ORDER_GREATER,
    ORDER_NEAR /* or not known */
} order;

/* Of the distance of two leaves (0 where they share a point) minus a tolerance of at least 0. With tolerance 0, LESS
   says that solids hold common points inside. */
order truth_compare(const placed_leaf *a, const placed_leaf *b, double tolerance);

/* Whether they collide by `order` with tolerance 0. */
static inline bool truth_meets(order o)
{
    return o == ORDER_LESS || o == ORDER_EQUAL;
}

/* Whether a pair of leaves with a curved one is so near the decision that UNKNOWN is an answer. */
bool truth_is_near(const case_side *first, const case_side *second, double tolerance);

#endif
