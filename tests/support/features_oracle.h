/* SPDX-License-Identifier: MIT */
/*
 * What the oracles of moving features share: points whose coordinates are polynomials over one common weight, and the
 * first time at which a vertex meets a face, or an edge an edge.
 */
#ifndef SUPPORT_FEATURES_ORACLE_H
#define SUPPORT_FEATURES_ORACLE_H

#include "graze/motion.h"
#include "support/sturm.h"

typedef sturm_polynomial polynomial3[3];

typedef struct features_oracle
{
    polynomial3 points[6];
    sturm_polynomial weight; /* of all points, primitive and positive; of degree 0 or less: none */
    const graze_impact_interval *answer;
    bool none_earlier, one_there; /* than the answer, in it */
} features_oracle;

void features_oracle_init(features_oracle *o, const graze_impact_interval *answer);
void features_oracle_clear(features_oracle *o);

/* Whether vertex v[0] and face v[1] v[2] v[3], or edges v[0] v[1] and v[2] v[3], meet at a root; at t = 0 if it is
 * NULL. */
bool features_oracle_meet(features_oracle *o, const sturm_root *root, bool edges, const int v[4]);

/* Compares the first time after 0 at which they do with the answer. */
void features_oracle_try(features_oracle *o, bool edges, const int v[4]);

/* Whether the answer is right, after all pairs of features. */
bool features_oracle_agrees(const features_oracle *o, bool at_once);

#endif
