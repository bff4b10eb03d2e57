/* SPDX-License-Identifier: MIT */
/*
 * The transform from B's vertices to A's frame; see contact_frame.h.
 *
 * Equal rotations. Where both poses have the same matrix R, and R has an inverse, applying the inverse to both changes
 * no contact: A's vertices are as they are given, and B's are translated by s = R^-1 (t_B - t_A), a real vector. Parts
 * of an assembly that is rotated as a whole fit up to the rounding of t_A and t_B: s is close to a vector t of few
 * bits. We take s = t + r; the rest r = R^-1 d, with d = t_B - t_A - R t.
 *
 * Error bound of r, u = 2^-53, rounding to nearest. d is a sum of eight doubles on each axis, as products are split by
 * fused multiply-add: the errors of its sums are added up, which leaves an error below 2^-98 of the sum of magnitudes,
 * and 2^-1000 for underflow. For an approximate inverse X with |I - X R| <= q in the norm of row sums, r = (I - E)^-1 X
 * d and |r - X d| <= q / (1 - q) |X d|; computing X d takes four roundings, 4.1 u |X| |d|.
 */
#include "pair/hit/contact_frame.h"

#include <math.h>
#include <string.h>

#include "math/matrix.h"
#include "mesh/mesh.h"

static void set_translation(const double translation[3], grz_contact_frame *frame)
{
    const graze_pose pose = graze_pose_translation(translation[0], translation[1], translation[2]);
    memcpy(frame->pose, pose.m, sizeof frame->pose);
    frame->translates = true;
}

static bool have_equal_matrices(const graze_pose *a, const graze_pose *b)
{
    bool equal = true;
    for (int k = 0; k < 3 && equal; k++)
        equal = memcmp(a->m + 4 * k, b->m + 4 * k, 3 * sizeof *a->m) == 0;
    return equal;
}

/* Adds a term to a sum of two doubles (Knuth's TwoSum; the errors are added up in the second). */
static void add_term(double sum[2], double *magnitude, double term)
{
    double high = sum[0] + term, back = high - sum[0];
    sum[1] += (sum[0] - (high - back)) + (term - back);
    sum[0] = high;
    *magnitude += fabs(term);
}

/* One coordinate of d, and its error bound. */
static double find_difference(const graze_pose *a, const graze_pose *b, const double t[3], int axis, double *out_error)
{
    const double *row = a->m + 4 * axis;
    double sum[2] = {0, 0}, magnitude = 0;
    add_term(sum, &magnitude, b->m[4 * axis + 3]);
    add_term(sum, &magnitude, -row[3]);
    for (int k = 0; k < 3; k++)
    {
        double product = -row[k] * t[k];
        add_term(sum, &magnitude, product);
        add_term(sum, &magnitude, fma(-row[k], t[k], -product));
    }
    double d = sum[0] + sum[1];
    *out_error = 0x1p-98 * magnitude + 0x1p-52 * fabs(d) + 0x1p-1000;
    return d;
}

/* An approximate inverse of the pose's matrix by cofactors, and a bound on the row sums of |I - X R|. */
static double invert(const graze_pose *pose, double x[3][3])
{
    const double *m = pose->m;
    double determinant = 0, largest = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            int p = (j + 1) % 3, q = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
            x[i][j] = m[4 * p + r] * m[4 * q + s] - m[4 * p + s] * m[4 * q + r];
        }
    for (int k = 0; k < 3; k++)
        determinant += m[k] * x[k][0];
    for (int i = 0; i < 3; i++)
    {
        double row = 0;
        for (int j = 0; j < 3; j++)
            x[i][j] /= determinant;
        for (int j = 0; j < 3; j++)
        {
            double residual = i == j ? -1 : 0, magnitude = 1;
            for (int k = 0; k < 3; k++)
            {
                residual += x[i][k] * m[4 * k + j];
                magnitude += fabs(x[i][k] * m[4 * k + j]);
            }
            row += fabs(residual) + 0x1p-50 * magnitude;
        }
        largest = row > largest || !(row == row) ? row : largest;
    }
    return 1.01 * largest;
}

/* Sets the rest of the translation t. False where it is not known well enough. */
static bool find_rest(const graze_pose *a, const graze_pose *b, const double t[3], grz_contact_frame *out)
{
    double x[3][3], d[3], error[3], q = invert(a, x), size = 0, lost = 0;
    if (!(q < 0x1p-20))
        return false;
    for (int k = 0; k < 3; k++)
        d[k] = find_difference(a, b, t, k, &error[k]);
    for (int i = 0; i < 3; i++)
    {
        double magnitude = 0, roundings = 0;
        out->rest[i] = x[i][0] * d[0] + x[i][1] * d[1] + x[i][2] * d[2];
        for (int k = 0; k < 3; k++)
        {
            magnitude += fabs(x[i][k] * d[k]);
            roundings += fabs(x[i][k]) * error[k];
        }
        size = matrix_larger(size, magnitude);
        lost = matrix_larger(lost, roundings);
    }
    out->rest_error = 1.01 * (lost + (q + 8 * 0x1p-53) * (size + lost)) + 0x1p-1000;
    out->rest_size = 1.01 * (size + out->rest_error);
    return out->rest_size < 0x1p300;
}

/* A vector of few bits close to B's origin in A's frame. False where there is none. */
static bool find_coarse_translation(const grz_query *q, double out[3])
{
    double size = 0;
    for (int k = 0; k < 3; k++)
    {
        size = matrix_larger(size, fabs(q->relative.pose.m[4 * k + 3]));
        size = matrix_larger(size, matrix_larger(fabs(q->b->mesh->lower[k]), fabs(q->b->mesh->upper[k])));
    }
    if (!(size > 0x1p-200 && size < 0x1p200))
        return false;
    double unit = ldexp(1, ilogb(size) - 36), shift = 1.5 * 0x1p52 * unit;
    for (int k = 0; k < 3; k++)
    {
        double exact = q->relative.pose.m[4 * k + 3];
        out[k] = (exact + shift) - shift;
        if (!(fabs(exact - out[k]) < 0x1p-6 * unit))
            return false;
    }
    return true;
}

/* Poses with equal matrices, whose translations differ by a vector of few bits, up to rounding. */
static bool set_near_translation(const grz_query *q, grz_contact_frame *out)
{
    const graze_pose *a = &q->a->pose, *b = &q->b->pose;
    double t[3], size = 0;
    /* shortcut: equal-rotations */
    if (!have_equal_matrices(a, b) || graze_pose_handedness(a) == 0 || !find_coarse_translation(q, t) ||
        !find_rest(a, b, t, out))
        return false;
    set_translation(t, out);
    for (int k = 0; k < 3; k++)
    {
        size = matrix_larger(size, fabs(t[k]));
        size = matrix_larger(size, matrix_larger(fabs(q->b->mesh->lower[k]), fabs(q->b->mesh->upper[k])));
    }
    out->error = 1.01 * out->rest_size + 0x1p-51 * size;
    return true;
}

/* The largest extent on an axis of both meshes, B's translated, where they have a common lattice that is coarse against
   it; else 0. Meshes that are not scaled have coordinates from 2^-96 to 2^96, so cubes of units are no denormals. */
static double find_lattice(const grz_query *q, const double pose[12])
{
    const graze_mesh *a = q->a->mesh, *b = q->b->mesh;
    int exponent = a->lattice < b->lattice ? a->lattice : b->lattice;
    double largest = 0;
    for (int k = 0; k < 3; k++)
    {
        int lowest = grz_lowest_bit_exponent(pose[4 * k + 3]);
        exponent = lowest < exponent ? lowest : exponent;
    }
    if (exponent == GRZ_NO_LATTICE)
        return 0;
    double unit = ldexp(1, exponent);
    for (int k = 0; k < 3; k++)
    {
        double t = pose[4 * k + 3], size = matrix_larger(fabs(b->lower[k]), fabs(b->upper[k])) + fabs(t);
        size = matrix_larger(size, matrix_larger(fabs(a->lower[k]), fabs(a->upper[k])));
        /* shortcut: lattice-of-meshes */
        if (!(size < 0x1p50 * unit)) /* so that sums with t are exact, those of bounds too */
            return 0;
        double lower = fmin(a->lower[k], b->lower[k] + t), upper = fmax(a->upper[k], b->upper[k] + t);
        largest = matrix_larger(largest, upper - lower);
    }
    return largest < ldexp(unit, GRZ_LATTICE_BITS) ? largest : 0;
}

bool grz_contact_frame_make(const grz_query *q, grz_contact_frame *out)
{
    const double nowhere[3] = {0, 0, 0};
    *out = (grz_contact_frame){.error = q->frame_error};
    if (q->scaled)
        return false;
    memcpy(out->pose, q->relative.pose.m, sizeof out->pose);
    if (q->pose_a == NULL && q->pose_b == NULL)
        set_translation(nowhere, out);
    else if (q->shifts)
        set_translation(q->shift, out);
    else if (!set_near_translation(q, out))
        out->rest_size = 0;
    if (out->translates && out->rest_size == 0)
        out->lattice = find_lattice(q, out->pose);
    return true;
}
