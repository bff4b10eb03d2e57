/* SPDX-License-Identifier: MIT */
/*
 * Tells sums of doubles that are exact from those that are rounded, by the error term of Dekker's Fast2Sum ("A
 * floating-point technique for extending the available precision", 1971).
 *
 * Let |a| >= |b|, and s the computed a + b: one of the two doubles around the true sum, or that sum, in any rounding
 * mode. Then s - a is a double: for equal signs |a| <= |s| <= 2 |a|; for opposite ones with |b| >= |a| / 2 the sum
 * itself is a double (Sterbenz), so that s - a = b; for others |a| / 2 <= |s| <= |a|; and Sterbenz again. So b - (s -
 * a) is rounded once, the error of s, and comes out as 0 only where it is 0. Flushing denormals could make it 0; but
 * numbers that are 0 or at least 2^-960 are multiples of 2^-1012, and so are all sums and differences of them: none is
 * a denormal. A sum beyond the range leaves an error that is not 0 either.
 */
#ifndef GRZ_BASE_EXACT_SUM_H
#define GRZ_BASE_EXACT_SUM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/strict_float.h"

/* Whether a number is 0 or at least 2^-960 in magnitude. By its bits, as comparisons may take denormals for 0. */
static inline bool grz_is_coarse(double x)
{
    uint64_t bits = grz_bits(x) << 1; /* drops the sign */
    return bits == 0 || bits >= (uint64_t)(1023 - 960) << 53;
}

/* Sets *out_sum to a + b. True when that is certainly the exact sum. */
static inline bool grz_sum_exactly(double a, double b, double *out_sum)
{
    double sum = a + b;
    bool first = fabs(a) >= fabs(b);
    double larger = first ? a : b, smaller = first ? b : a;
    *out_sum = sum;
    return smaller - (sum - larger) == 0 && grz_is_coarse(a) && grz_is_coarse(b);
}

#endif
