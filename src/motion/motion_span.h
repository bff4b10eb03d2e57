/* SPDX-License-Identifier: MIT */
/*
 * A motion around a time: pose and derivative there, and a bound on what they leave out over a span of time. So boxes
 * around moving bodies are those of one time, enlarged by their speed.
 *
 * For t with |t - middle| <= half, the point p of the body is at
 *     (matrix p + offset) + (t - middle) (rate p + drift) + rest,
 * where the entries of the matrix have an error of at most `error`, those of the offset of `offset_error`, of the rate
 * of `rate_error` and of the drift of `drift_error`, and |rest| <= bend |p - centre| + bend_offset.
 */
#ifndef GRZ_MOTION_MOTION_SPAN_H
#define GRZ_MOTION_MOTION_SPAN_H

#include <math.h>
#include <stdbool.h>

#include "graze/motion.h"

typedef struct grz_motion_span
{
    double middle, half;
    double matrix[3][3], offset[3], error, offset_error;
    double rate[3][3], drift[3], rate_error, drift_error;
    double centre[3], bend, bend_offset;
} grz_motion_span;

/* The span from t0 to t1 of a kernel motion that has been checked, in the default floating-point environment. False
   where numbers are out of range: then nothing is known. */
bool grz_motion_span_make(const graze_motion *motion, double t0, double t1, grz_motion_span *out);

/* The same in intervals only: tests compare. */
bool grz_motion_span_by_intervals(const graze_motion *motion, double t0, double t1, grz_motion_span *out);

/* Internal: the span of a turn in plain doubles, of which middle and half are set and all else is 0. False where
   numbers are out of the range of its bounds. turn_span.c */
bool grz_turn_span_make(const graze_motion *motion, grz_motion_span *span);

/* At least the length of a vector, but for 4 u of it, also where squares underflow. */
static inline double grz_length_above(const double v[3])
{
    double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    /* shortcut: length-of-a-vector */
    return square > 0x1p-900 ? sqrt(square) : fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

#endif
