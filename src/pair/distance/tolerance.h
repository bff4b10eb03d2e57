/* SPDX-License-Identifier: MIT */
/* Tolerances that are sums of doubles: real numbers that need not be doubles, such as two radii. */
#ifndef GRZ_PAIR_DISTANCE_TOLERANCE_H
#define GRZ_PAIR_DISTANCE_TOLERANCE_H

#include "graze/distance.h"

/* As graze_pair_tolerance_any with the real sum of up to GRZ_LENGTHS numbers, each finite and not negative. Exact. The
   options are complete or NULL, out_proximity may be NULL. */
graze_status grz_tolerance_sum_any(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                   const double *terms, int count, const graze_tolerance_options *options,
                                   bool *out_found, graze_proximity *out_proximity);

#endif
