/* SPDX-License-Identifier: MIT */
/*
 * 3x3 matrices of moderate numbers: an inverse with a certified error bound, for poses and relative poses.
 */
#ifndef GRZ_MATH_MATRIX_H
#define GRZ_MATH_MATRIX_H

#include <math.h>
#include <stdbool.h>

#include "math/interval.h"

/* The larger of two; NaN if either is NaN. */
static inline double matrix_larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* The larger of two numbers, neither NaN: one instruction, where matrix_larger branches. */
static inline double matrix_max(double a, double b)
{
    return a > b ? a : b;
}

/* The largest row sum of magnitudes; no number may be NaN. */
static inline double matrix_row_norm(const double x[9])
{
    double norm = 0;
    for (int i = 0; i < 3; i++)
        norm = matrix_max(norm, fabs(x[3 * i]) + fabs(x[3 * i + 1]) + fabs(x[3 * i + 2]));
    return norm * (1 + 4 * GRZ_U);
}

/* Adjugate over determinant, in plain doubles. */
static inline void matrix_adjugate_inverse(const double m[9], double inverse[9])
{
    inverse[0] = m[4] * m[8] - m[5] * m[7];
    inverse[1] = m[2] * m[7] - m[1] * m[8];
    inverse[2] = m[1] * m[5] - m[2] * m[4];
    inverse[3] = m[5] * m[6] - m[3] * m[8];
    inverse[4] = m[0] * m[8] - m[2] * m[6];
    inverse[5] = m[2] * m[3] - m[0] * m[5];
    inverse[6] = m[3] * m[7] - m[4] * m[6];
    inverse[7] = m[1] * m[6] - m[0] * m[7];
    inverse[8] = m[0] * m[4] - m[1] * m[3];
    double factor = 1 / (m[0] * inverse[0] + m[1] * inverse[3] + m[2] * inverse[6]);
    for (int k = 0; k < 9; k++)
        inverse[k] *= factor;
}

/*
 * A bound on the norm (largest row sum) of E = I - X R, from which follows, as R^-1 - X = (I - E)^-1 E X, a bound on
 * the error of X. Error bound of each computed entry of E: 5 roundings of the sum of its terms' magnitudes.
 */
static inline double matrix_residual_norm(const double x[9], const double r[9])
{
    double norm = 0, total = 0;
    for (int i = 0; i < 3; i++)
    {
        double row_sum = 0;
        for (int j = 0; j < 3; j++)
        {
            double p = x[3 * i] * r[j], q = x[3 * i + 1] * r[3 + j], s = x[3 * i + 2] * r[6 + j];
            double residual = (i == j ? 1.0 : 0.0) - p - q - s;
            double magnitude = (i == j ? 1.0 : 0.0) + fabs(p) + fabs(q) + fabs(s) + 0x1p-990;
            row_sum += fabs(residual) + 6 * GRZ_U * magnitude;
        }
        norm = matrix_max(norm, row_sum);
        total += row_sum;
    }
    return norm * (1 + 16 * GRZ_U) + 0 * total; /* NaN stays NaN */
}

/* The inverse of a matrix whose largest entry is between 2^-100 and 2^100, and an error bound of its entries. False
   when it is singular, or too close to it for a bound in doubles. */
static inline bool matrix_invert(const double m[9], double inverse[9], double *out_error)
{
    matrix_adjugate_inverse(m, inverse);
    double residual = matrix_residual_norm(inverse, m);
    if (!(residual < 0.5)) /* also NaN; the series needs less than 1, and a bound this wide is useless */
        return false;
    *out_error = residual / (1 - residual) * matrix_row_norm(inverse) * (1 + 8 * GRZ_U);
    return true;
}

#endif
