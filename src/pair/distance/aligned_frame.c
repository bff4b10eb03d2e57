/* SPDX-License-Identifier: MIT */
/*
 * Aligned frames; see aligned_frame.h.
 *
 * The frame. Rows of Q are the axes. Let x be a point of the world less A's translation, and o the origin chosen: its
 * coordinates in the frame are Q (x - o) / unit. Q is used as computed; since Q Q^T differs from the identity by less
 * than 2^-40 in each entry, as is checked, Q lengthens nothing by more than 2^-38, which the kernels' factor covers.
 *
 * Errors, u = 2^-52. A tree's point y lies at x = R (origin + scale y) + t - tA, so that its coordinates are M y + m
 * with M = Q R scale / unit, m = Q (R origin + (t - tA) - o) / unit. An entry of M passes 4 roundings (scale is a power
 * of two) of the sum of its terms' magnitudes, m passes 10, evaluating M y + m in doubles 4 more. With |y| <= 1 on each
 * axis, 32 u times the sum of all magnitudes bounds all that. Underflow costs less than 2^-1000 / unit < 2^-600.
 *
 * Boxes in floats, f = 2^-23, W the sum of a row's magnitudes: conversion of M, products and sums of centre and half
 * size cost less than 12 f (W + |m|), the final difference 2 f (W + |m|), centre's and half size's own rounding 4 f W.
 * We take 24 f (W + |m|). With slabs, |c| <= 1.01 W and the rest of the row is at most 2.8 W; the error of that rest is
 * 5.5 f W, that of its products with centre and half size less than 28 f W, and that of the three last sums less than
 * 23 f W + 4 f |m|. In all that is below 64 f (W + |m|); we take 96.
 *
 * Leaves, with g the grid's unit and c the centre in the frame: corners lie within 2^15 g of the centre. Conversion and
 * three products and sums cost less than 6 f W 2^15 g < g W / 32, the quantization GRZ_QUANTIZATION_ERROR g W,
 * conversion of the centre, with the margin, and the last sum less than 3 f (|c| + W 2^15 g).
 */
#include "pair/distance/aligned_frame.h"

#include <math.h>
#include <string.h>

#include "math/interval.h"

#define ALIGNED_FLOAT_U 0x1p-23
#define STALE 0.04 /* sine of the angle from which on a new frame is made; it affects speed only */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Divides by the length; false when it is too small or too large. */
static bool normalize(double v[3])
{
    double largest = 0;
    for (int k = 0; k < 3; k++)
        largest = fabs(v[k]) > largest ? fabs(v[k]) : largest;
    if (!(largest > 0x1p-300 && largest < 0x1p300))
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= largest;
    double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

/* Axes whose third is the direction from one point to another. */
static bool make_axes(const grz_distance_bound *bound, double axes[9])
{
    double *n = axes + 6, side[3] = {0, 0, 0};
    int least = 0;
    for (int k = 0; k < 3; k++)
        n[k] = bound->point_b[k] - bound->point_a[k];
    if (!normalize(n))
        return false;
    for (int k = 1; k < 3; k++)
        least = fabs(n[k]) < fabs(n[least]) ? k : least;
    side[least] = 1;
    cross(side, n, axes);
    if (!normalize(axes))
        return false;
    cross(n, axes, axes + 3);
    for (int i = 0; i < 9; i++)
    {
        double difference = dot(axes + 3 * (i / 3), axes + 3 * (i % 3)) - (i % 4 == 0 ? 1 : 0);
        if (!(fabs(difference) < 0x1p-41)) /* computed; so below 2^-40 before rounding */
            return false;
    }
    return true;
}

/* A tree's origin in the world relative to `from`, less A's translation, and the sum of the terms' magnitudes. */
static void place_origin(const graze_tree *tree, const graze_pose *pose, const graze_pose *pose_a, const double from[3],
                         double out[3], double magnitudes[3])
{
    for (int k = 0; k < 3; k++)
    {
        const double *row = pose->m + 4 * k;
        double shift = row[3] - pose_a->m[4 * k + 3];
        out[k] = row[0] * tree->origin[0] + row[1] * tree->origin[1] + row[2] * tree->origin[2] + shift - from[k];
        magnitudes[k] = fabs(row[0] * tree->origin[0]) + fabs(row[1] * tree->origin[1]) +
                        fabs(row[2] * tree->origin[2]) + fabs(shift) + fabs(from[k]);
    }
}

/* The transform in floats for the kernels; false when numbers are out of range. */
static bool make_float_transform(grz_aligned_tree *t)
{
    for (int i = 0; i < 3; i++)
    {
        double sum = t->row_sum[i] + fabs(t->offset[i]);
        if (!(t->row_sum[i] < 0x1p20 && sum < 0x1p39 && t->error[i] < 0x1p39))
            return false;
        for (int k = 0; k < 3; k++)
            t->map.matrix[i][k] = (float)t->matrix[i][k];
        t->map.offset[i] = (float)t->offset[i];
        /* shortcut: aligned-frame */
        t->map.margin[i] = (float)(1.001 * (t->error[i] + 24 * ALIGNED_FLOAT_U * sum) + 0x1p-100);
    }
    double height_sum = t->row_sum[2] + fabs(t->offset[2]);
    t->map.slab_margin = (float)(1.001 * (t->error[2] + 96 * ALIGNED_FLOAT_U * height_sum) + 0x1p-100);
    return true;
}

static bool place_tree(grz_aligned_tree *t, const graze_tree *tree, const graze_pose *pose, const graze_pose *pose_a,
                       const double axes[9], const double from[3], double unit)
{
    double origin[3], magnitudes[3];
    place_origin(tree, pose, pose_a, from, origin, magnitudes);
    for (int i = 0; i < 3; i++)
    {
        const double *axis = axes + 3 * i;
        double all = fabs(axis[0]) * magnitudes[0] + fabs(axis[1]) * magnitudes[1] + fabs(axis[2]) * magnitudes[2];
        t->offset[i] = dot(axis, origin) / unit;
        t->row_sum[i] = 0;
        for (int k = 0; k < 3; k++)
        {
            const double column[3] = {pose->m[k], pose->m[4 + k], pose->m[8 + k]};
            t->matrix[i][k] = dot(axis, column) * tree->scale / unit;
            t->row_sum[i] += fabs(t->matrix[i][k]);
            all += (fabs(axis[0] * column[0]) + fabs(axis[1] * column[1]) + fabs(axis[2] * column[2])) * tree->scale;
        }
        t->error[i] = 32.1 * GRZ_U * (all / unit) + 0x1p-500;
    }
    t->tree = tree;
    memset(t->node_keys, 0xff, sizeof t->node_keys);
    memset(t->leaf_keys, 0xff, sizeof t->leaf_keys);
    return make_float_transform(t);
}

bool grz_aligned_frame_make(grz_aligned_frame *aligned, const grz_distance_frame *frame, const graze_pose *pose_a,
                            const graze_pose *pose_b, const grz_distance_bound *bound)
{
    double axes[9];
    if (!bound->witnessed || !make_axes(bound, axes))
        return false;
    memcpy(aligned->normal, axes + 6, sizeof aligned->normal);
    const double *from = bound->point_a;
    return place_tree(&aligned->a, frame->a, pose_a, pose_a, axes, from, frame->unit) &&
           place_tree(&aligned->b, frame->b, pose_b, pose_a, axes, from, frame->unit);
}

bool grz_aligned_frame_is_stale(const grz_aligned_frame *aligned, const grz_distance_bound *bound)
{
    double n[3], normal_cross[3];
    for (int k = 0; k < 3; k++)
        n[k] = bound->point_b[k] - bound->point_a[k];
    cross(n, aligned->normal, normal_cross);
    return dot(normal_cross, normal_cross) > STALE * STALE * dot(n, n);
}

/* Transforms a leaf's triangles into a slot of the cache, with the box around them. */
static const grz_aligned8 *place_leaf(const grz_aligned_frame *aligned, grz_aligned_tree *t, uint32_t leaf,
                                      float lowest[3], float highest[3])
{
    const grz_triangles8 *triangles = &t->tree->leaves[leaf].triangles;
    uint32_t slot = leaf % GRZ_ALIGNED_LEAVES;
    float centre[3], margin[3];
    for (int i = 0; i < 3; i++)
    {
        const double *row = t->matrix[i];
        double c = row[0] * triangles->centre[0] + row[1] * triangles->centre[1] + row[2] * triangles->centre[2] +
                   t->offset[i];
        double spread = t->row_sum[i] * triangles->unit;
        double grid = ((double)GRZ_QUANTIZATION_ERROR + 1.0 / 32 + 3 * ALIGNED_FLOAT_U * 0x1p15) * spread;
        centre[i] = (float)c;
        /* shortcut: aligned-leaf */
        margin[i] = (float)(1.001 * (t->error[i] + grid + 3 * ALIGNED_FLOAT_U * fabs(c)) + 0x1p-100);
    }
    aligned->kernels->align_leaf(triangles, &t->map, centre, margin, &t->leaves[slot], lowest, highest);
    t->leaf_keys[slot] = leaf;
    return &t->leaves[slot];
}

const grz_aligned8 *grz_aligned_leaf_of(const grz_aligned_frame *aligned, grz_aligned_tree *tree, uint32_t leaf)
{
    float lowest[3], highest[3];
    uint32_t slot = leaf % GRZ_ALIGNED_LEAVES;
    return tree->leaf_keys[slot] == leaf ? &tree->leaves[slot] : place_leaf(aligned, tree, leaf, lowest, highest);
}

grz_aligned_node *grz_aligned_node_of(const grz_aligned_frame *aligned, grz_aligned_tree *tree, uint32_t node)
{
    uint32_t slot = node % GRZ_ALIGNED_NODES;
    grz_aligned_node *cached = &tree->nodes[slot];
    if (tree->node_keys[slot] == node)
        return cached;
    aligned->kernels->align_boxes(&tree->tree->nodes[node].boxes, &tree->map, &cached->boxes, &cached->around);
    cached->tight = 0;
    tree->node_keys[slot] = node;
    return cached;
}

void grz_aligned_tighten(const grz_aligned_frame *aligned, grz_aligned_tree *tree, uint32_t node, unsigned lane_mask)
{
    grz_aligned_node *cached = grz_aligned_node_of(aligned, tree, node);
    const uint32_t *children = tree->tree->nodes[node].children;
    for (unsigned left = lane_mask & ~cached->tight; left != 0; left &= left - 1)
    {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (children[i] == GRZ_NO_CHILD || (children[i] & GRZ_LEAF_FLAG) == 0)
            continue;
        float lowest[3], highest[3];
        place_leaf(aligned, tree, children[i] & ~GRZ_LEAF_FLAG, lowest, highest);
        for (int k = 0; k < 3; k++)
        {
            cached->boxes.lower[k][i] = lowest[k];
            cached->boxes.upper[k][i] = highest[k];
        }
        cached->tight |= 1u << i;
    }
}
