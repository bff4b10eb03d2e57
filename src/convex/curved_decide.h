/* SPDX-License-Identifier: MIT */
/*
 * Decides whether the bodies of a prepared pair meet: GJK in doubles, then in twice the precision where they almost
 * touch, then a polytope inside of their difference. Runs in the default floating-point environment.
 */
#ifndef GRZ_CONVEX_CURVED_DECIDE_H
#define GRZ_CONVEX_CURVED_DECIDE_H

#include "convex/curved_gjk.h"
#include "graze/status.h"

typedef enum grz_curved_goal
{
    GRZ_CURVED_VERDICT,
    GRZ_CURVED_DISTANCE,
    GRZ_CURVED_DEPTH
} grz_curved_goal;

/* Lengths are in the units of the pair. */
typedef struct grz_curved_answer
{
    graze_verdict verdict;
    double lower, upper; /* the distance, unless YES; upper of NO only where it is the goal */
    v3 a, b;   /* with it: points of the bodies that are at most `upper` apart; of YES: the same point twice */
    v3 normal; /* NO: of length 1, from a to b: M is below a plane */
    double lower_depth, upper_depth; /* YES and UNKNOWN, where the goal is depth */
    v3 direction;                    /* along which M is upper_depth wide */
} grz_curved_answer;

void grz_curved_decide(const grz_curved_pair *pair, grz_curved_goal goal, grz_curved_answer *out);

#endif
