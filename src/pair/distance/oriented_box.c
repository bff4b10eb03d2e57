/* SPDX-License-Identifier: MIT */
/*
 * See oriented_box.h. A point y of the tree is R (origin + s y) + t in the world, R and t its pose and s its scale, and
 * (S^T (R (origin + s y) - d)) / s in the box's own axes and the tree's unit of length, where S is the box's matrix and
 * d the difference of both translations; a point z of the box is (R^T (d + s S z) - origin) / s in the tree's frame.
 *
 * Error bound, u = 2^-52. Let e be the sum of the errors of both transposed matrices as inverses and 64 u, D and O the
 * sums of magnitudes of d and origin, H that of the half sizes over s. Sums of magnitudes in a row or column of R or S
 * are below 1.75. The inverse S^T costs e (1.75 (O + 3 s) + D) / s, roundings of the offset less than 64 u (O + D) / s,
 * of the entries of S^T R 24 u; and backwards R^T costs e D / s and 2 e H. On each axis that is less than
 * E = e (2 (O + D) / s + 2 H + 6).
 */
#include "pair/distance/oriented_box.h"

#include <float.h>
#include <math.h>

#include "math/interval.h"
#include "math/matrix.h"
#include "mesh/mesh.h"
#include "pair/relative_pose.h"

#define FLOAT_U 0x1p-23
#define FARTHEST 0x1p20 /* numbers in the tree's unit of length; beyond it, margins of floats are too large anyway */

/* The matrix of the box's axes in the tree's frame, transposed, and the difference of the translations. */
static void turn_box(const graze_pose *tree_pose, const graze_pose *box_pose, double turn[3][3], double between[3])
{
    const double *r = tree_pose->m, *s = box_pose->m;
    for (int i = 0; i < 3; i++)
    {
        between[i] = s[4 * i + 3] - r[4 * i + 3];
        for (int j = 0; j < 3; j++)
            turn[i][j] = s[i] * r[j] + s[4 + i] * r[4 + j] + s[8 + i] * r[8 + j];
    }
}

/* Not below x, to nearest: a rounding to float is at most 2^-24 of it. */
static float round_up(double x)
{
    return (float)(x + 0x1.01p-24 * fabs(x));
}

bool grz_tree_frame_box_make(const graze_tree *tree, const graze_pose *tree_pose, const double half[3],
                             const graze_pose *box_pose, grz_tree_frame_box *out, double *out_unit)
{
    double turn[3][3], between[3], placed[3], sizes = 0, sum = 0, farthest = 0, inverse = tree->inverse_scale;
    double tree_error = grz_transposed_error(tree_pose->m), box_error = grz_transposed_error(box_pose->m);
    if (!(tree_error < GRZ_ROTATION_ERROR) || !(box_error < GRZ_ROTATION_ERROR) || tree->mesh->exponent != 0)
        return false;
    turn_box(tree_pose, box_pose, turn, between);
    for (int k = 0; k < 3; k++)
    {
        const double *row = tree_pose->m + 4 * k;
        placed[k] = row[0] * tree->origin[0] + row[1] * tree->origin[1] + row[2] * tree->origin[2] - between[k];
        sizes += half[k] * inverse;
        sum += fabs(between[k]) + fabs(tree->origin[k]);
    }
    if (!(sum * inverse + sizes < FARTHEST) || !(inverse > 0x1p-400 && inverse < 0x1p400))
        return false;
    double error = (tree_error + box_error + 64 * GRZ_U) * (2 * sum * inverse + 2 * sizes + 6) + 0x1p-200;
    for (int k = 0; k < 3; k++)
    {
        const double *m = tree_pose->m, *s = box_pose->m;
        double offset = (s[k] * placed[0] + s[4 + k] * placed[1] + s[8 + k] * placed[2]) * inverse;
        double centre = m[k] * between[0] + m[4 + k] * between[1] + m[8 + k] * between[2] - tree->origin[k];
        double reach = error;
        centre *= inverse;
        for (int i = 0; i < 3; i++)
        {
            out->turn[k][i] = (float)turn[k][i];
            reach += fabs(turn[i][k]) * half[i] * inverse;
        }
        out->offset[k] = (float)offset;
        out->centre[k] = (float)centre;
        out->half[k] = round_up(half[k] * inverse);
        out->upper[k] = round_up(centre + reach);
        out->lower[k] = -round_up(reach - centre);
        farthest = matrix_max(farthest, fabs(offset) + fabs(centre));
    }
    /* shortcut: oriented-box-margin */
    out->margin = (float)(1.001 * (1.77 * error + FLOAT_U * (16 * farthest + 10 * sizes + 64)));
    for (int k = 0; k < 3; k++)
        out->axis[k] = out->turned_axis[k] = 0;
    out->reach = (float)FARTHEST; /* nothing is separated */
    out->radius = 0;
    *out_unit = tree->scale * (1 - 0x1p-18);
    return true;
}

/* A gap g that the kernels give is g (1 - 2^-18) s in the world at least (grz_tree_frame_box_make), and gaps less radii
   err by another 2^-19 of the radius (oriented_box_template.h). */
bool grz_tree_frame_box_set_radius(const graze_tree *tree, double radius, grz_tree_frame_box *box)
{
    double own = radius * tree->inverse_scale;
    if (!(own < FARTHEST))
        return false;
    /* shortcut: rounded-box-radius */
    box->radius = round_up(own * (1 + 0x1p-16));
    return true;
}

/* Any direction is valid, so that only its length matters, and that the reach is that of the direction as rounded: a
   few units of 2^-23 of the box's size, which the margin has for a slab. */
void grz_tree_frame_box_set_axis(const graze_pose *tree_pose, const double direction[3], grz_tree_frame_box *box)
{
    double axis[3], length = 0, reach = 0;
    for (int k = 0; k < 3; k++)
    {
        const double *m = tree_pose->m;
        axis[k] = m[k] * direction[0] + m[4 + k] * direction[1] + m[8 + k] * direction[2];
        length += axis[k] * axis[k];
    }
    if (!(length > 0x1p-300 && length < 0x1p300))
        return;
    for (int k = 0; k < 3; k++)
        box->axis[k] = (float)(axis[k] / sqrt(length));
    for (int k = 0; k < 3; k++)
    {
        const float *row = box->turn[k];
        double turned = (double)row[0] * (double)box->axis[0] + (double)row[1] * (double)box->axis[1] +
                        (double)row[2] * (double)box->axis[2];
        box->turned_axis[k] = (float)turned;
        reach += fabs(turned) * (double)box->half[k] + (double)box->axis[k] * (double)box->centre[k];
    }
    box->reach = (float)reach;
}
