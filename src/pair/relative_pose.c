/* SPDX-License-Identifier: MIT */
/*
 * Transforms between the frames of two placed trees and their error bounds; see relative_pose.h.
 *
 * u = GRZ_U = 2^-52 bounds one rounding of doubles, f = 2^-23 one of floats, in any rounding mode. Products that
 * kernels add are counted as rounded first; where they are fused (simd/fma.h), there are fewer roundings.
 */
#include "pair/relative_pose.h"

#include <math.h>
#include <stddef.h>

#include "base/bits.h"
#include "math/interval.h"
#include "math/matrix.h"
#include "mesh/mesh.h"

#define FLOAT_U 0x1p-23

/*
 * Transforms may not enlarge more than this, nor translate further: the triangle kernel multiplies three transformed
 * coordinates, which then stay below 2^40 each, so that no float overflows to infinity. Beyond it queries do not use
 * trees.
 */
#define MAP_LIMIT 0x1p36

/* A pose counts as a rotation when its transposed matrix is its inverse up to this error: a few roundings, as in poses
   made from quaternions or angles. Other matrices are inverted explicitly, with a smaller error. */
#define ROTATION_ERROR GRZ_ROTATION_ERROR

/* The norm of a rotation up to ROTATION_ERROR: more than the root of 3. */
#define ROTATION_NORM 1.7325

/* Error bounds of the entries of a matrix and of a translation; `total` is their sum, which keeps a NaN. */
typedef struct entry_errors
{
    double matrix, offset, total;
} entry_errors;

/* Row i of inverse [R_from | difference], and the error bounds of its entries. */
static void relative_pose_row(const double *row, double inverse_error, const graze_pose *from,
                              const double difference[3], double *out_row, entry_errors *errors)
{
    double row_sum = fabs(row[0]) + fabs(row[1]) + fabs(row[2]) + 1;
    for (int j = 0; j < 4; j++)
    {
        double a = j < 3 ? from->m[j] : difference[0];
        double b = j < 3 ? from->m[4 + j] : difference[1];
        double c = j < 3 ? from->m[8 + j] : difference[2];
        double x = row[0] * a, y = row[1] * b, z = row[2] * c;
        out_row[j] = x + y + z;
        /* Four roundings per term, one more for the difference; underflow costs less than the last summand. */
        double column = fabs(a) + fabs(b) + fabs(c);
        /* shortcut: relative-inverse */
        double error = inverse_error * column + 6 * GRZ_U * (fabs(x) + fabs(y) + fabs(z)) +
                       8 * GRZ_SMALLEST_NORMAL * (column + row_sum);
        double *bound = j < 3 ? &errors->matrix : &errors->offset;
        *bound = matrix_max(*bound, error);
        errors->total += error;
    }
}

/* The sum of all entries is no less than that of any row or column. */
static double norm_of(const graze_pose *pose)
{
    const double *m = pose->m;
    double x = fabs(m[0]) + fabs(m[1]) + fabs(m[2]), y = fabs(m[4]) + fabs(m[5]) + fabs(m[6]);
    return (1 + 16 * GRZ_U) * (x + y + (fabs(m[8]) + fabs(m[9]) + fabs(m[10])));
}

/*
 * Inverse(R_to) [R_from | t_from - t_to]. The translations are subtracted first, so that two objects near each other
 * but far from the origin lose no accuracy.
 */
bool grz_relative_pose_make(const graze_pose *to, const graze_pose *from, grz_relative_pose *out)
{
    const graze_pose identity = graze_pose_identity();
    const graze_pose *source = from != NULL ? from : &identity;
    out->matrix_error = out->offset_error = 0;
    if (to == NULL)
    {
        out->pose = *source;
        out->norm = norm_of(source);
        return true;
    }
    double linear[9], inverse[9], inverse_error, difference[3], largest = 0;
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            linear[3 * i + j] = to->m[4 * i + j];
            largest = matrix_max(largest, fabs(linear[3 * i + j]));
        }
        difference[i] = source->m[4 * i + 3] - to->m[4 * i + 3];
    }
    if (!(largest > 0x1p-100 && largest < 0x1p100) || !matrix_invert(linear, inverse, &inverse_error))
        return false;
    entry_errors errors = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        relative_pose_row(inverse + 3 * i, inverse_error, source, difference, out->pose.m + 4 * i, &errors);
    out->matrix_error = errors.matrix * (1 + 16 * GRZ_U) + 0 * errors.total;
    out->offset_error = errors.offset * (1 + 16 * GRZ_U) + 0 * errors.total;
    out->norm = norm_of(&out->pose);
    /* Bounded errors imply bounded entries: each error contains the magnitude of its terms. */
    return out->matrix_error < 0x1p300 && out->offset_error < 0x1p300;
}

/*
 * Error bound of any entry of a pose's transposed matrix as its inverse; NaN or at least ROTATION_ERROR when it is no
 * rotation (or reflection) up to some roundings. With E = I - R^T R the inverse is (I - E)^-1 R^T, so the error of the
 * transpose is at most |E| / (1 - |E|) times its largest row sum, which is below 1.74 for columns as long as 1 + 2^-44.
 * The terms of an entry of E sum up to at most the square of the longest column, so its error is at most 6 roundings of
 * that and 1.
 */
double grz_transposed_error(const double *m)
{
    double xx = m[0] * m[0] + m[4] * m[4] + m[8] * m[8], xy = m[0] * m[1] + m[4] * m[5] + m[8] * m[9];
    double yy = m[1] * m[1] + m[5] * m[5] + m[9] * m[9], yz = m[1] * m[2] + m[5] * m[6] + m[9] * m[10];
    double zz = m[2] * m[2] + m[6] * m[6] + m[10] * m[10], zx = m[2] * m[0] + m[6] * m[4] + m[10] * m[8];
    double largest = matrix_max(matrix_max(fabs(1 - xx), fabs(1 - yy)), fabs(1 - zz));
    double norm = largest + fabs(xy) + fabs(yz) + fabs(zx) + 18 * GRZ_U * (2 + largest) + GRZ_SMALLEST_NORMAL;
    /* shortcut: transposed-inverse */
    return 1.75 * norm + 0 * (xx + yy + zz);
}

/* Of two rotations: R_a^T [R_b | d] and R_b^T [R_a | -d], whose matrices are each other's transpose; d is the
   difference of the translations, as in grz_relative_pose_make. */
static bool relative_of_rotations(const graze_pose *a, double error_a, const graze_pose *b, double error_b,
                                  grz_relative_pose *out_there, grz_relative_pose *out_back)
{
    double d[3], sum = 0;
    for (int k = 0; k < 3; k++)
    {
        d[k] = b->m[4 * k + 3] - a->m[4 * k + 3];
        sum += fabs(d[k]);
    }
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            double entry = a->m[i] * b->m[j] + a->m[4 + i] * b->m[4 + j] + a->m[8 + i] * b->m[8 + j];
            out_there->pose.m[4 * i + j] = entry;
            out_back->pose.m[4 * j + i] = entry;
        }
        out_there->pose.m[4 * i + 3] = a->m[i] * d[0] + a->m[4 + i] * d[1] + a->m[8 + i] * d[2];
        out_back->pose.m[4 * i + 3] = -(b->m[i] * d[0] + b->m[4 + i] * d[1] + b->m[8 + i] * d[2]);
    }
    /* Columns are 1 + 2^-44 long at most, so the magnitudes of an entry's terms sum up to less than 1.01, those of its
       column to less than 1.75, and those of a translation to less than 1.01 times that of d. Six roundings as in
       relative_pose_row; underflow costs less than the last summand. */
    sum *= 1.01;
    out_there->norm = out_back->norm = ROTATION_NORM;
    /* shortcut: relative-rotation */
    out_there->matrix_error = 1.76 * error_a + 7 * GRZ_U;
    out_back->matrix_error = 1.76 * error_b + 7 * GRZ_U;
    out_there->offset_error = (error_a + 7 * GRZ_U) * sum + 64 * GRZ_SMALLEST_NORMAL;
    out_back->offset_error = (error_b + 7 * GRZ_U) * sum + 64 * GRZ_SMALLEST_NORMAL;
    return sum < 0x1p300;
}

/* Of a rotation and the identity: the pose itself, and R^T [I | -t], with errors as above. */
static bool relative_to_identity(const graze_pose *pose, double error, grz_relative_pose *out_pose,
                                 grz_relative_pose *out_inverse)
{
    const double *m = pose->m;
    double *inverse = out_inverse->pose.m, x = m[3], y = m[7], z = m[11];
    double sum = 1.01 * (fabs(x) + fabs(y) + fabs(z));
    for (int i = 0; i < 3; i++)
    {
        inverse[4 * i] = m[i];
        inverse[4 * i + 1] = m[4 + i];
        inverse[4 * i + 2] = m[8 + i];
        inverse[4 * i + 3] = -(m[i] * x + m[4 + i] * y + m[8 + i] * z);
    }
    out_pose->pose = *pose;
    out_pose->norm = out_inverse->norm = ROTATION_NORM;
    out_pose->matrix_error = out_pose->offset_error = 0;
    out_inverse->matrix_error = error;
    out_inverse->offset_error = (error + 7 * GRZ_U) * sum + 64 * GRZ_SMALLEST_NORMAL;
    return sum < 0x1p300;
}

bool grz_relative_pose_make_both(const graze_pose *a, const graze_pose *b, grz_relative_pose *out_there,
                                 grz_relative_pose *out_back)
{
    double error_a = a != NULL ? grz_transposed_error(a->m) : 0, error_b = b != NULL ? grz_transposed_error(b->m) : 0;
    if (!(error_a < ROTATION_ERROR) || !(error_b < ROTATION_ERROR) || (a == NULL && b == NULL))
        return grz_relative_pose_make(a, b, out_there) && grz_relative_pose_make(b, a, out_back);
    if (a == NULL)
        return relative_to_identity(b, error_b, out_there, out_back);
    if (b == NULL)
        return relative_to_identity(a, error_a, out_back, out_there);
    return relative_of_rotations(a, error_a, b, error_b, out_there, out_back);
}

/* The exponent of the power of two nearest to the largest entry of a scaled matrix: the same for all rotations. */
static int matrix_exponent(const graze_mesh *mesh, const graze_pose *pose)
{
    double largest = 0;
    for (int k = 0; k < 9; k++)
    {
        double entry = fabs(pose->m[4 * (k / 3) + k % 3]);
        largest = grz_is_less(largest, entry) ? entry : largest;
    }
    int exponent = grz_exponent_of(largest); /* largest is 2^exponent times [1/2, 1); from 0.55 on it is rounded up */
    if (exponent == INT32_MIN)
        return exponent;
    return exponent + mesh->exponent - (grz_scale(largest, -exponent) < 0.55 ? 1 : 0);
}

static void scale_pose(const graze_pose *pose, int matrix_power, int shift_power, graze_pose *out)
{
    for (int k = 0; k < 12; k++)
        out->m[k] = grz_scale(pose->m[k], k % 4 == 3 ? shift_power : matrix_power);
}

bool grz_scaled_poses(const graze_mesh *mesh_a, const graze_pose *a, const graze_mesh *mesh_b, const graze_pose *b,
                      graze_pose *out_a, graze_pose *out_b, int *out_world)
{
    const graze_pose identity = graze_pose_identity();
    const graze_pose *pose_a = a != NULL ? a : &identity, *pose_b = b != NULL ? b : &identity;
    int exponent_a = matrix_exponent(mesh_a, pose_a), exponent_b = matrix_exponent(mesh_b, pose_b);
    if (exponent_a == INT32_MIN || exponent_b == INT32_MIN)
        return false;
    int world = exponent_a + (exponent_b - exponent_a) / 2;
    if (mesh_a->exponent == 0 && mesh_b->exponent == 0 && world == 0)
        return false;
    *out_world = world;
    scale_pose(pose_a, mesh_a->exponent - world, -world, out_a);
    scale_pose(pose_b, mesh_b->exponent - world, -world, out_b);
    return true;
}

bool grz_tree_transform_make(const graze_tree *to, const graze_tree *from, const grz_relative_pose *relative,
                             grz_tree_transform *restrict out_map)
{
    double ratio = from->scale * to->inverse_scale, inverse_scale = to->inverse_scale, shifts = 0, offsets = 0;
    const double *origin = from->origin;
    for (int i = 0; i < 3; i++)
    {
        const double *row = relative->pose.m + 4 * i;
        double x = row[0] * origin[0], y = row[1] * origin[1], z = row[2] * origin[2];
        out_map->offset[i] = (row[3] - to->origin[i] + x + y + z) * inverse_scale;
        shifts += fabs(row[3]) + fabs(to->origin[i]);
        offsets += fabs(out_map->offset[i]);
        for (int j = 0; j < 3; j++)
            out_map->matrix[i][j] = row[j] * ratio;
    }
    out_map->norm = relative->norm * ratio * (1 + 4 * GRZ_U);
    /* An offset passes six roundings of its terms; on all three axes these sum up to less than `magnitude`. */
    double origin_sum = fabs(origin[0]) + fabs(origin[1]) + fabs(origin[2]);
    double magnitude = shifts + relative->norm * origin_sum;
    double in_offset = relative->matrix_error * origin_sum + relative->offset_error + 8 * GRZ_U * magnitude + 0x1p-900;
    double error = in_offset * inverse_scale + 3 * relative->matrix_error * ratio;
    out_map->error = error * (1 + 16 * GRZ_U) + 0x1p-100;
    /* shortcut: transform-limit */
    return offsets + 3 * out_map->norm + error < MAP_LIMIT; /* false for NaN */
}

/*
 * Error bound of heights along transformed slabs, in a kernel that tests whether a slab of one frame, of unit normal
 * n, separates its points from those of a box with a slab m in the other (simd/transform_template.h,
 * simd/slab_projection_template.h). For a point y of that box, n.(M y + o) = w.y + n.o with w = M^T n.
 *
 * Let N be the norm of the transform. No row or column of |M| has a larger sum, so |M| lengthens no vector by more than
 * N (Schur's test), and |w| <= N, lengths being Euclidean here. Of anything in [-1, 1]^3 the length is at most r, the
 * root of 3; so are heights along unit normals, and by Cauchy and Schwarz a sum of |a_i y_i| is at most r |a|. The
 * heights k of m and rest = w - k m, its part across m, are no longer than N either. In units of f:
 *   w        conversion, product and two sums of each term                         4 r N
 *   rest     product and difference                                                2 r N   (k itself may be anything)
 *   box      centre and half size, a rounding each, |centre| + half <= 1             r N
 *   rest.y   product and two sums, both for centre and half size                   3 r N
 *   k (m.y)  product, and its sum with the centre's                                3 r N
 *   ends     half size added                                                       2 r N
 *   n.o      conversion, product and two sums of each term                         4 |o|
 *   interval less n.o, and widened                                                 2 (r + |o|)
 * which is 26 N + 6 |o| + 3.5 in all; the excess in the sum below covers roundings of roundings. The points of the
 * exact transform differ by its error on each axis, r times that along n. Absent slabs (m = 0) cost less.
 */
static float slab_margin(const grz_tree_transform *map, double offsets)
{
    /* shortcut: slab-margin */
    return (float)(1.001 * (2 * map->error + FLOAT_U * (28 * map->norm + 7 * offsets + 4)));
}

grz_float_transform grz_tree_transform_to_float(const grz_tree_transform *map)
{
    grz_float_transform result;
    double offsets = 0;
    for (int i = 0; i < 3; i++)
    {
        double offset = fabs(map->offset[i]);
        result.offset[i] = (float)map->offset[i];
        for (int j = 0; j < 3; j++)
            result.matrix[i][j] = (float)map->matrix[i][j];
        offsets += offset;
        /* Centre and half size: conversion, product, three sums and the final difference each cost at most f times the
           sum of magnitudes, the centre's and half size's own rounding twice that. Fused products cost nothing. */
        /* shortcut: box-margin */
        result.margin[i] = (float)(1.001 * (map->error + 20 * FLOAT_U * (offset + map->norm)));
    }
    result.slab_margin = slab_margin(map, offsets);
    return result;
}

void grz_leaf_placement_make(const grz_tree_transform *map, const grz_triangles8 *leaf, grz_leaf_placement *out)
{
    double extent = 32768.0 * leaf->unit, grid_error = (double)(GRZ_QUANTIZATION_ERROR * leaf->unit);
    for (int i = 0; i < 3; i++)
    {
        double centre = map->offset[i], row_sum = 0;
        for (int j = 0; j < 3; j++)
        {
            centre += map->matrix[i][j] * leaf->centre[j];
            row_sum += fabs(map->matrix[i][j]);
        }
        out->centre[i] = centre;
        /* The quantization error, the transform's error, that of the centre in doubles, and ten float roundings. */
        out->error[i] = row_sum * grid_error + map->error + 0x1p-48 * (row_sum + fabs(map->offset[i]) + 1) +
                        10 * FLOAT_U * row_sum * extent;
    }
    out->centre[3] = out->error[3] = 0;
}

void grz_leaf_transform_make(const grz_tree_transform *map, grz_leaf_transform *out)
{
    for (int i = 0; i < 3; i++)
    {
        double row_sum = 0;
        for (int j = 0; j < 3; j++)
        {
            row_sum += fabs(map->matrix[i][j]);
            out->matrix[i][j] = (float)map->matrix[i][j];
            out->columns[j][i] = map->matrix[i][j];
        }
        /* Error bounds as in grz_leaf_placement_make. */
        out->offset[i] = map->offset[i];
        out->error[i] = map->error + 0x1p-48 * (row_sum + fabs(map->offset[i]) + 1);
        out->unit_error[i] = row_sum * ((double)GRZ_QUANTIZATION_ERROR + 10 * FLOAT_U * 32768);
        out->columns[i][3] = 0;
    }
    out->offset[3] = out->error[3] = out->unit_error[3] = 0;
}

grz_leaf_translation grz_leaf_translation_make(const grz_triangles8 *to, const grz_leaf_placement *from)
{
    grz_leaf_translation shift;
    shift.error_a = GRZ_QUANTIZATION_ERROR * to->unit;
    shift.error_b = 0;
    for (int i = 0; i < 3; i++)
    {
        double offset = from->centre[i] - to->centre[i];
        shift.offset[i] = (float)offset;
        shift.margin_b[i] = (float)(1.001 * (from->error[i] + 10 * FLOAT_U * fabs(offset)));
        shift.error_b = shift.error_b > shift.margin_b[i] ? shift.error_b : shift.margin_b[i];
    }
    return shift;
}
