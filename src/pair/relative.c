/* SPDX-License-Identifier: MIT */
/*
 * Maps between placed trees and what they may be off by; see relative.h.
 *
 * u = GRZ_U = 2^-52 bounds one rounding of doubles, f = 2^-23 one of floats, in any rounding mode.
 */
#include "pair/relative.h"

#include <math.h>
#include <stddef.h>

#include "math/interval.h"

#define FLOAT_U 0x1p-23

/*
 * Inverse(R_to) [R_from | t_from - t_to]. The translations are subtracted first, as they are given, so that two objects
 * near each other but far from the origin lose nothing.
 */
bool grz_relative_make(const graze_pose *to, const graze_pose *from, grz_relative *out)
{
    graze_pose inverse, identity = graze_pose_identity();
    const graze_pose *target = to != NULL ? to : &identity, *source = from != NULL ? from : &identity;
    double inverse_error = 0;
    inverse = identity;
    if (to != NULL)
    {
        graze_pose linear = *to;
        linear.m[3] = linear.m[7] = linear.m[11] = 0;
        if (graze_pose_invert(&linear, &inverse, &inverse_error) != GRAZE_STATUS_OK)
            return false;
    }
    out->matrix_error = out->offset_error = 0;
    for (int i = 0; i < 3; i++)
    {
        const double *row = inverse.m + 4 * i;
        for (int j = 0; j < 4; j++)
        {
            double sum = 0, magnitude = 0, column = 0;
            for (int k = 0; k < 3; k++)
            {
                double entry = j < 3 ? source->m[4 * k + j] : source->m[4 * k + 3] - target->m[4 * k + 3];
                sum += row[k] * entry;
                magnitude += fabs(row[k] * entry);
                column += fabs(entry);
            }
            out->pose.m[4 * i + j] = sum;
            /* Four roundings a term, one more for the difference; underflow costs less than the last summand. */
            double error = inverse_error * column + 6 * GRZ_U * magnitude +
                           8 * GRZ_SMALLEST_NORMAL * (column + fabs(row[0]) + fabs(row[1]) + fabs(row[2]) + 1);
            double *bound = j < 3 ? &out->matrix_error : &out->offset_error;
            *bound = fmax(*bound, error * (1 + 16 * GRZ_U));
        }
    }
    return graze_pose_check(&out->pose, NULL) == GRAZE_STATUS_OK && out->matrix_error < 0x1p300 &&
           out->offset_error < 0x1p300;
}

bool grz_relative_map(const graze_tree *to, const graze_tree *from, const grz_relative *relative, grz_map *out_map)
{
    double ratio = ldexp(1.0, from->exponent - to->exponent), shrink = ldexp(1.0, -to->exponent);
    double origin_sum = fabs(from->origin[0]) + fabs(from->origin[1]) + fabs(from->origin[2]);
    double error = 0;
    for (int i = 0; i < 3; i++)
    {
        const double *row = relative->pose.m + 4 * i;
        double sum = row[3] - to->origin[i], magnitude = fabs(row[3]) + fabs(to->origin[i]);
        for (int j = 0; j < 3; j++)
        {
            sum += row[j] * from->origin[j];
            magnitude += fabs(row[j] * from->origin[j]);
            out_map->matrix[i][j] = row[j] * ratio;
            if (!(fabs(out_map->matrix[i][j]) < 0x1p60))
                return false;
        }
        out_map->offset[i] = sum * shrink;
        if (!(fabs(out_map->offset[i]) < 0x1p60))
            return false;
        double in_offset =
            relative->matrix_error * origin_sum + relative->offset_error + 8 * GRZ_U * magnitude + 0x1p-900;
        double in_matrix = 3 * relative->matrix_error * ratio;
        error = fmax(error, in_offset * shrink + in_matrix);
    }
    out_map->error = error * (1 + 16 * GRZ_U) + 0x1p-100;
    return error < 0x1p60;
}

grz_float_map grz_map_to_float(const grz_map *map)
{
    grz_float_map result;
    double norm = 0;
    for (int i = 0; i < 3; i++)
    {
        double sum = fabs(map->offset[i]);
        result.offset[i] = (float)map->offset[i];
        for (int j = 0; j < 3; j++)
        {
            result.matrix[i][j] = (float)map->matrix[i][j];
            sum += fabs(map->matrix[i][j]);
        }
        norm += sum;
        /* Centre and half size: conversion, product, three sums and the final difference each cost f * sum at most,
           the centre's and half size's own rounding twice that. */
        result.margin[i] = (float)(1.001 * (map->error + 20 * FLOAT_U * sum));
    }
    /* The height of a point y along a unit normal n, rewritten with the other normal: w is off by 5 f |matrix|, the
       rest of the sum passes about 60 roundings of numbers no larger than |matrix| and 5 of the offset's size. */
    result.slab_margin = (float)(1.001 * (2 * map->error + 96 * FLOAT_U * norm));
    return result;
}

grz_leaf_map grz_map_for_leaves(const grz_map *map, const grz_triangles8 *to, const grz_triangles8 *from)
{
    grz_leaf_map result;
    double reach = 32768.0 * from->unit;
    result.error_a = to->unit;
    for (int i = 0; i < 3; i++)
    {
        double offset = map->offset[i] - to->centre[i], row_sum = 0;
        for (int j = 0; j < 3; j++)
        {
            offset += map->matrix[i][j] * from->centre[j];
            row_sum += fabs(map->matrix[i][j]);
            result.matrix[i][j] = (float)map->matrix[i][j];
        }
        result.offset[i] = (float)offset;
        /* The grid's own error, the map's, that of the offset in doubles, and eight float roundings. */
        double error = row_sum * from->unit + map->error + 0x1p-48 * (row_sum + fabs(map->offset[i]) + 1) +
                       8 * FLOAT_U * (row_sum * reach + fabs(offset));
        result.error_b[i] = (float)(1.001 * error);
    }
    return result;
}
