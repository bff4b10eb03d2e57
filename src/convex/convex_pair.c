/* SPDX-License-Identifier: MIT */
#include "convex/convex_pair.h"

#include <math.h>

grz_convex_verdict grz_convex_pair_collide(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache)
{
    (void)a, (void)b, (void)cache;
    return GRZ_CONVEX_UNDECIDED;
}

void grz_convex_pair_distance(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache,
                              const grz_convex_limits *limits, grz_convex_distance *out_distance)
{
    (void)a, (void)b, (void)cache, (void)limits;
    *out_distance = (grz_convex_distance){.verdict = GRZ_CONVEX_UNDECIDED, .upper = INFINITY};
}

void grz_convex_pair_depth(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache,
                           double relative_error, grz_convex_depth *out_depth)
{
    (void)a, (void)b, (void)cache, (void)relative_error;
    *out_depth = (grz_convex_depth){.verdict = GRZ_CONVEX_UNDECIDED, .upper = INFINITY};
}
