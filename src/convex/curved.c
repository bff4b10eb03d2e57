/* SPDX-License-Identifier: MIT */
/*
 * Pairs of convex bodies, one of them curved: from the world into the frame of the pair and back.
 */
#include "convex/curved.h"

#include <math.h>

#include "base/environment.h"
#include "convex/curved_decide.h"
#include "convex/curved_world.h"

static void negate(double v[3])
{
    for (int i = 0; i < 3; i++)
        v[i] = -v[i];
}

static graze_verdict collide(const grz_convex_body *a, const grz_convex_body *b, double common[3])
{
    grz_curved_pair pair;
    grz_curved_answer found;
    grz_curved_pair_make(a, b, 0, &pair);
    grz_curved_decide(&pair, GRZ_CURVED_VERDICT, &found);
    if (found.verdict == GRAZE_VERDICT_YES && common)
        grz_curved_point_to_world(&pair, pair.swapped ? b : a, found.a, common);
    return found.verdict;
}

static graze_verdict within(const grz_convex_body *a, const grz_convex_body *b, double tolerance)
{
    grz_curved_pair pair;
    grz_curved_answer found;
    grz_curved_pair_make(a, b, tolerance, &pair);
    grz_curved_decide(&pair, GRZ_CURVED_VERDICT, &found);
    return found.verdict;
}

static graze_verdict distance_between(const grz_convex_body *a, const grz_convex_body *b, grz_curved_distance *out)
{
    grz_curved_pair pair;
    grz_curved_answer found;
    grz_curved_pair_make(a, b, 0, &pair);
    grz_curved_decide(&pair, GRZ_CURVED_DISTANCE, &found);
    const grz_convex_body *first = pair.swapped ? b : a;
    grz_curved_point_to_world(&pair, first, found.a, pair.swapped ? out->witness_b : out->witness_a);
    grz_curved_point_to_world(&pair, first, found.b, pair.swapped ? out->witness_a : out->witness_b);
    bool meet = found.verdict == GRAZE_VERDICT_YES;
    out->lower = meet ? 0 : grz_curved_lower_to_world(found.lower, pair.exponent);
    out->upper = meet ? 0 : grz_curved_upper_to_world(found.upper, pair.exponent);
    return found.verdict;
}

static graze_verdict depth_of(const grz_convex_body *a, const grz_convex_body *b, grz_curved_depth *out)
{
    grz_curved_pair pair;
    grz_curved_answer found;
    grz_curved_pair_make(a, b, 0, &pair);
    grz_curved_decide(&pair, GRZ_CURVED_DEPTH, &found);
    *out = (grz_curved_depth){0, 0, {0, 0, 0}};
    if (found.verdict == GRAZE_VERDICT_NO)
        return found.verdict;
    out->lower = grz_curved_lower_to_world(found.lower_depth, pair.exponent);
    out->upper = grz_curved_upper_to_world(found.upper_depth, pair.exponent);
    double direction[3];
    v3_store(found.direction, direction);
    for (int i = 0; i < 3; i++) /* M is that wide along the direction: its first body moves back by it */
        out->translation[i] = -grz_curved_length_to_world(found.upper_depth * direction[i], pair.exponent);
    if (pair.swapped)
        negate(out->translation);
    return found.verdict;
}

graze_verdict grz_curved_collide(const grz_convex_body *a, const grz_convex_body *b, double common[3])
{
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_verdict verdict = collide(a, b, common);
    grz_environment_leave_default(&environment);
    return verdict;
}

graze_verdict grz_curved_within(const grz_convex_body *a, const grz_convex_body *b, double tolerance)
{
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_verdict verdict = within(a, b, tolerance);
    grz_environment_leave_default(&environment);
    return verdict;
}

graze_verdict grz_curved_distance_between(const grz_convex_body *a, const grz_convex_body *b,
                                          grz_curved_distance *out_distance)
{
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_verdict verdict = distance_between(a, b, out_distance);
    grz_environment_leave_default(&environment);
    return verdict;
}

graze_verdict grz_curved_depth_of(const grz_convex_body *a, const grz_convex_body *b, grz_curved_depth *out_depth)
{
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_verdict verdict = depth_of(a, b, out_depth);
    grz_environment_leave_default(&environment);
    return verdict;
}
