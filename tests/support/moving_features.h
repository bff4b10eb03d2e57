/* SPDX-License-Identifier: MIT */
/*
 * First impacts of vertex and face, and of two edges, whose corners run on lines: an oracle in integers (GMP) by Sturm
 * chains, and generators of pairs that sit on decisions. Written from the geometry, with inner products where
 * src/motion has projections.
 */
#ifndef SUPPORT_MOVING_FEATURES_H
#define SUPPORT_MOVING_FEATURES_H

#include <stdbool.h>

#include "graze/motion.h"
#include "support/random.h"

/* Four points, each at t = 0 and at t = 1: a vertex and the corners of a face, or the ends of two edges. */
typedef struct moving_features
{
    bool edges;
    double places[4][2][3];
} moving_features;

graze_status moving_features_impact(const moving_features *features, graze_impact_interval *out);

/* Whether an answer is the right one, to the last bit. */
bool moving_features_agree(const moving_features *features, const graze_impact_interval *answer);

/* One of several kinds that are mostly degenerate. */
void moving_features_draw(test_random *random, moving_features *out);

#endif
