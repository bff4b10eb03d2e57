/* SPDX-License-Identifier: MIT */
#include "convex/convex_pair.h"

#include <math.h>

void grz_convex_pair_depth(const grz_convex_body *a, const grz_convex_body *b, grz_convex_cache *cache,
                           double relative_error, grz_convex_depth *out_depth)
{
    (void)a, (void)b, (void)cache, (void)relative_error;
    *out_depth = (grz_convex_depth){.verdict = GRZ_CONVEX_UNDECIDED, .upper = INFINITY};
}
