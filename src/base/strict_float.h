/* SPDX-License-Identifier: MIT */
/*
 * Strict floating point is required: error bounds hold only where every operation rounds once, to double. Every file
 * that computes includes this, directly or through memory.h.
 */
#ifndef GRZ_BASE_STRICT_FLOAT_H
#define GRZ_BASE_STRICT_FLOAT_H

#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "Graze's answers are exact only without fast-math: remove -ffast-math, -Ofast and -ffinite-math-only"
#endif

#if FLT_EVAL_METHOD != 0
#error "Graze's answers are exact only where doubles are computed as doubles: on 32-bit x86 add -msse2 -mfpmath=sse"
#endif

#endif
