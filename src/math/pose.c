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

#include "base/error.h"
#include "graze/pose.h"
#include "math/interval.h"
#include "math/matrix.h"

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

graze_status graze_pose_compose(const graze_pose *outer, const graze_pose *inner, graze_pose *out_pose,
                                double *out_error_bound)
{
    if (outer == NULL || inner == NULL || out_pose == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_pose result;
    double largest_sum = 0;
    for (int i = 0; i < 3; i++)
    {
        const double *row = outer->m + 4 * i;
        for (int j = 0; j < 4; j++)
        {
            double offset = j == 3 ? row[3] : 0;
            double x = row[0] * inner->m[j], y = row[1] * inner->m[4 + j], z = row[2] * inner->m[8 + j];
            result.m[4 * i + j] = x + y + z + offset;
            largest_sum = fmax(largest_sum, fabs(x) + fabs(y) + fabs(z) + fabs(offset));
        }
    }
    if (graze_pose_check(&result, NULL) != GRAZE_STATUS_OK || !(largest_sum < DBL_MAX))
        return GRAZE_STATUS_NOT_FINITE;
    *out_pose = result;
    /* Four roundings a term; a denormal factor flushed to zero costs at most the smallest normal times the other
     * factor. */
    if (out_error_bound != NULL)
        *out_error_bound =
            6 * GRZ_U * largest_sum + 8 * GRZ_SMALLEST_NORMAL * (largest_entry(outer) + largest_entry(inner) + 1);
    return GRAZE_STATUS_OK;
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
