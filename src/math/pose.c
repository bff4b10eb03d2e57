/* SPDX-License-Identifier: MIT */
/*
 * Making and combining poses; see graze/pose.h for the guarantees.
 *
 * Bounds hold in every rounding mode: u = GRZ_U covers one rounding, GRZ_SMALLEST_NORMAL one underflow. In modes that
 * round toward zero an overflow gives DBL_MAX instead of infinity, so DBL_MAX counts as overflow here.
 */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "base/environment.h"
#include "base/error.h"
#include "graze/pose.h"
#include "math/interval.h"
#include "math/matrix.h"
#include "math/rounded_dot.h"

graze_pose graze_pose_identity(void)
{
    return graze_pose_translation(0, 0, 0);
}

graze_pose graze_pose_translation(double x, double y, double z)
{
    graze_pose pose = {{1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z}};
    return pose;
}

graze_status graze_pose_check(const graze_pose *pose, uint64_t *out_index)
{
    if (pose == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const double *m = pose->m;
    double sums[4]; /* independent sums, which the processor computes in parallel */
    for (int i = 0; i < 4; i++)
        sums[i] = m[i] + m[4 + i] + m[8 + i];
    /* Fails when there is a NaN or an infinity among them, or the sum overflows: then each number is checked. */
    if (0 * ((sums[0] + sums[1]) + (sums[2] + sums[3])) == 0)
        return GRAZE_STATUS_OK;
    for (int i = 0; i < 12; i++)
    {
        if (!isfinite(pose->m[i]))
        {
            if (out_index != NULL)
                *out_index = (uint64_t)i;
            return GRAZE_STATUS_NOT_FINITE;
        }
    }
    return GRAZE_STATUS_OK;
}

graze_status graze_pose_from_quaternion(const double wxyz[4], const double translation[3], graze_pose *out_pose)
{
    if (wxyz == NULL || out_pose == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    double largest = 0;
    for (int i = 0; i < 4; i++)
    {
        if (!isfinite(wxyz[i]))
            return GRAZE_STATUS_NOT_FINITE;
        largest = fmax(largest, fabs(wxyz[i]));
    }
    for (int i = 0; i < 3 && translation != NULL; i++)
    {
        if (!isfinite(translation[i]))
            return GRAZE_STATUS_NOT_FINITE;
    }
    if (largest == 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    /* Scaling by a power of two keeps squares in range and changes no significant digit. */
    int exponent;
    frexp(largest, &exponent);
    double w = ldexp(wxyz[0], -exponent), x = ldexp(wxyz[1], -exponent);
    double y = ldexp(wxyz[2], -exponent), z = ldexp(wxyz[3], -exponent);
    double s = 2 / (w * w + x * x + y * y + z * z);
    graze_pose pose = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), 0, s * (x * y + w * z),
                        1 - s * (x * x + z * z), s * (y * z - w * x), 0, s * (x * z - w * y), s * (y * z + w * x),
                        1 - s * (x * x + y * y), 0}};
    for (int i = 0; i < 3 && translation != NULL; i++)
        pose.m[4 * i + 3] = translation[i];
    *out_pose = pose;
    return GRAZE_STATUS_OK;
}

graze_status graze_pose_from_axis_angle(const double axis[3], double angle, const double translation[3],
                                        graze_pose *out_pose)
{
    if (axis == NULL || out_pose == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    double largest = 0;
    for (int i = 0; i < 3; i++)
    {
        if (!isfinite(axis[i]))
            return GRAZE_STATUS_NOT_FINITE;
        largest = fmax(largest, fabs(axis[i]));
    }
    if (!isfinite(angle))
        return GRAZE_STATUS_NOT_FINITE;
    if (largest == 0)
        return GRAZE_STATUS_BAD_ARGUMENT;
    int exponent;
    frexp(largest, &exponent);
    double x = ldexp(axis[0], -exponent), y = ldexp(axis[1], -exponent), z = ldexp(axis[2], -exponent);
    double s = sin(angle / 2) / sqrt(x * x + y * y + z * z);
    const double quaternion[4] = {cos(angle / 2), s * x, s * y, s * z};
    return graze_pose_from_quaternion(quaternion, translation, out_pose);
}

graze_status graze_pose_from_matrix(const double *matrix, int rows, graze_error *error, graze_pose *out_pose)
{
    if (matrix == NULL || out_pose == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "matrix and out_pose may not be NULL");
    if (rows != 3 && rows != 4)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "a pose has 3 or 4 rows, not %d", rows);
    for (int i = 0; i < 4 * rows; i++)
    {
        if (!isfinite(matrix[i]))
            return grz_error_index(error, GRAZE_STATUS_NOT_FINITE, (uint64_t)i, "entry %d of the pose is not finite",
                                   i);
        if (i >= 12 && matrix[i] != (i == 15 ? 1.0 : 0.0))
            return grz_error_index(error, GRAZE_STATUS_BAD_ARGUMENT, (uint64_t)i,
                                   "the last row of a 4x4 pose must be 0 0 0 1, but entry %d is %g", i, matrix[i]);
    }
    for (int i = 0; i < 12; i++)
        out_pose->m[i] = matrix[i];
    return GRAZE_STATUS_OK;
}

static double largest_entry(const graze_pose *pose)
{
    double largest = 0;
    for (int i = 0; i < 12; i++)
        largest = fmax(largest, fabs(pose->m[i]));
    return largest;
}

/* A number and its upper and lower halves, after Dekker (1971): products of halves are exact. */
typedef struct halves
{
    double all[12], upper[12], lower[12];
} halves;

/* False where products of the entries might overflow or underflow. */
static bool split(const graze_pose *pose, halves *out)
{
    bool fits = true;
    for (int i = 0; i < 12; i++)
    {
        const double x = pose->m[i], size = fabs(x), wide = 134217729.0 * x; /* 2^27 + 1 */
        fits = fits & (size <= 0x1p450) & ((size >= 0x1p-450) | (x == 0));
        out->all[i] = x;
        out->upper[i] = wide - (wide - x);
        out->lower[i] = x - out->upper[i];
    }
    return fits;
}

/* The sum of both, rounded; *rest gets what that loses (Knuth's TwoSum), *size grows by its size. */
static inline double sum_of(double a, double b, double *rest, double *size)
{
    double sum = a + b, part = sum - a, lost = (a - (sum - part)) + (b - part);
    *rest += lost;
    *size += fabs(lost);
    return sum;
}

/* The same for a product of an entry of A and one of B, which it returns (Dekker). */
static inline double product_of(const halves *a, int i, const halves *b, int j, double *rest, double *size)
{
    double product = a->all[i] * b->all[j];
    double lost = a->lower[i] * b->lower[j] -
                  (((product - a->upper[i] * b->upper[j]) - a->lower[i] * b->upper[j]) - a->upper[i] * b->lower[j]);
    *rest += lost;
    *size += fabs(lost);
    return product;
}

/* Bounds of the entries of a row of the product, each rounded to nearest; in one loop without branches, for vectors. */
static void bound_row(const halves *a, int row, const halves *b, const double offsets[4], double lower[4],
                      double upper[4])
{
    for (int column = 0; column < 4; column++)
    {
        double rest = 0, size = 0;
        double x = product_of(a, row, b, column, &rest, &size);
        double y = product_of(a, row + 1, b, 4 + column, &rest, &size);
        double z = product_of(a, row + 2, b, 8 + column, &rest, &size);
        double sum = sum_of(sum_of(sum_of(x, y, &rest, &size), z, &rest, &size), offsets[column], &rest, &size);
        /* Six terms are added to the rest, each of 2^-53 of `size` at most, and so is the bound: 2^-49 of it is more.
           The real entry lies between both, and rounding is monotonic. */
        lower[column] = sum + (rest - 0x1p-49 * size);
        upper[column] = sum + (rest + 0x1p-49 * size);
    }
}

/* Each entry of the product of both, rounded to nearest once. In the default environment. */
static void multiply(const graze_pose *outer, const graze_pose *inner, graze_pose *out)
{
    halves a, b;
    bool fits = split(outer, &a);
    fits = split(inner, &b) && fits;
    for (int row = 0; row < 12; row += 4)
    {
        double upper[4];
        const double offsets[4] = {0, 0, 0, outer->m[row + 3]};
        bound_row(&a, row, &b, offsets, &out->m[row], upper);
        for (int column = 0; column < 4; column++)
        {
            /* shortcut: product-rounded-once */
            if (fits && out->m[row + column] == upper[column])
                continue;
            const double entries[3] = {inner->m[column], inner->m[4 + column], inner->m[8 + column]};
            out->m[row + column] = grz_rounded_dot(&outer->m[row], entries, offsets[column]);
        }
    }
}

/* How large the terms of an entry are together, at most; infinite where that overflows. */
static double largest_sum(const graze_pose *outer, const graze_pose *inner)
{
    double largest = 0;
    for (int row = 0; row < 12; row += 4)
    {
        const double *a = outer->m + row, *b = inner->m;
        double sums[4];
        for (int k = 0; k < 4; k++)
            sums[k] = fabs(a[0] * b[k]) + fabs(a[1] * b[4 + k]) + fabs(a[2] * b[8 + k]);
        sums[3] += fabs(a[3]);
        for (int k = 0; k < 4; k++)
            largest = sums[k] > largest ? sums[k] : largest;
    }
    return largest;
}

static graze_status compose(const graze_pose *outer, const graze_pose *inner, graze_pose *out_pose, double *out_bound)
{
    graze_pose result;
    double largest = largest_sum(outer, inner);
    if (graze_pose_check(outer, NULL) != GRAZE_STATUS_OK || graze_pose_check(inner, NULL) != GRAZE_STATUS_OK ||
        !(largest < INFINITY))
        return GRAZE_STATUS_NOT_FINITE;
    multiply(outer, inner, &result);
    *out_pose = result;
    /* One rounding, and those of the bound. */
    if (out_bound != NULL)
        *out_bound = GRZ_U * largest + GRZ_SMALLEST_NORMAL;
    return GRAZE_STATUS_OK;
}

graze_status graze_pose_compose(const graze_pose *outer, const graze_pose *inner, graze_pose *out_pose,
                                double *out_error_bound)
{
    if (outer == NULL || inner == NULL || out_pose == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = compose(outer, inner, out_pose, out_error_bound);
    grz_environment_leave_default(&environment);
    return status;
}

graze_status graze_pose_invert(const graze_pose *pose, graze_pose *out_pose, double *out_error_bound)
{
    if (pose == NULL || out_pose == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (graze_pose_check(pose, NULL) != GRAZE_STATUS_OK)
        return GRAZE_STATUS_NOT_FINITE;
    double largest = 0;
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fabs(pose->m[4 * (i / 3) + i % 3]));
    if (largest == 0)
        return GRAZE_STATUS_SINGULAR;
    int exponent;
    frexp(largest, &exponent);
    double scaled[9], inverse[9], error;
    for (int i = 0; i < 9; i++)
        scaled[i] = ldexp(pose->m[4 * (i / 3) + i % 3], -exponent);
    if (!matrix_invert(scaled, inverse, &error))
        return GRAZE_STATUS_SINGULAR;

    graze_pose result;
    double bound = ldexp(error, -exponent) + GRZ_SMALLEST_NORMAL;
    for (int i = 0; i < 3; i++)
    {
        double sum = 0, magnitude = 0, offset = 0;
        for (int j = 0; j < 3; j++)
        {
            double entry = ldexp(inverse[3 * i + j], -exponent), t = pose->m[4 * j + 3];
            result.m[4 * i + j] = entry;
            sum -= entry * t;
            magnitude += fabs(entry * t);
            offset += fabs(t);
        }
        result.m[4 * i + 3] = sum;
        double row_bound = 6 * GRZ_U * magnitude + offset * (ldexp(error, -exponent) + GRZ_SMALLEST_NORMAL);
        bound = fmax(bound, row_bound * (1 + 8 * GRZ_U) + 4 * GRZ_SMALLEST_NORMAL);
        largest = fmax(largest, magnitude);
    }
    largest = fmax(largest, largest_entry(&result));
    if (graze_pose_check(&result, NULL) != GRAZE_STATUS_OK || !(bound < DBL_MAX) || !(largest < DBL_MAX))
        return GRAZE_STATUS_SINGULAR;
    *out_pose = result;
    if (out_error_bound != NULL)
        *out_error_bound = bound;
    return GRAZE_STATUS_OK;
}

void graze_pose_apply(const graze_pose *pose, const double point[3], double out_point[3])
{
    if (pose == NULL || point == NULL || out_point == NULL)
        return;
    double x = point[0], y = point[1], z = point[2];
    for (int i = 0; i < 3; i++)
    {
        const double *row = pose->m + 4 * i;
        out_point[i] = row[0] * x + row[1] * y + row[2] * z + row[3];
    }
}
