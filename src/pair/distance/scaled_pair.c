/* SPDX-License-Identifier: MIT */
/* Two placed meshes scaled by powers of two; see scaled_pair.h. */
#include "pair/distance/scaled_pair.h"

#include <float.h>
#include <math.h>

#include "base/bits.h"
#include "pair/relative_pose.h"

/* Whether x 2^power is a normal number, or x is 0: then no bits are lost. */
static bool scales_exactly(double x, int power)
{
    int exponent = grz_exponent_of(x);
    return exponent == INT32_MIN || (exponent + power > -1000 && exponent + power < 1000);
}

static bool pose_scales_exactly(const graze_pose *pose, int matrix_power, int shift_power)
{
    for (int k = 0; k < 12; k++)
    {
        if (!scales_exactly(pose->m[k], k % 4 == 3 ? shift_power : matrix_power))
            return false;
    }
    return true;
}

static void scale_side(grz_scaled_pair *pair, int side, const graze_placed_mesh *given, const graze_pose *pose)
{
    graze_mesh *mesh = &pair->meshes[side];
    *mesh = *given->mesh;
    mesh->exponent = 0;
    mesh->lattice = GRZ_NO_LATTICE;
    mesh->vertices = (double *)(uintptr_t)mesh->scaled; /* a const mesh is not written to */
    for (int axis = 0; axis < 3; axis++)
    {
        mesh->lower[axis] = mesh->scaled_lower[axis];
        mesh->upper[axis] = mesh->scaled_upper[axis];
    }
    pair->placed[side] = *given;
    pair->placed[side].mesh = mesh;
    pair->placed[side].pose = *pose;
    if (given->tree == NULL)
        return;
    pair->trees[side] = *given->tree;
    pair->trees[side].mesh = mesh;
    pair->placed[side].tree = &pair->trees[side];
}

static bool lengths_scale_exactly(const double *lengths, int count, int power)
{
    for (int i = 0; i < count; i++)
        if (lengths[i] < INFINITY && !scales_exactly(lengths[i], power))
            return false;
    return true;
}

void grz_scaled_pair_make(grz_scaled_pair *pair, const graze_placed_mesh *a, const graze_placed_mesh *b,
                          const double *lengths, int count)
{
    pair->a = a;
    pair->b = b;
    for (int i = 0; i < count; i++)
        pair->lengths[i] = lengths[i];
    pair->power = 0;
    graze_pose pose_a, pose_b;
    int world;
    /* shortcut: scaled-pair */
    if ((a->mesh->exponent == 0 && b->mesh->exponent == 0) || !a->mesh->scaled_exactly || !b->mesh->scaled_exactly ||
        !grz_scaled_poses(a->mesh, &a->pose, b->mesh, &b->pose, &pose_a, &pose_b, &world) ||
        !pose_scales_exactly(&a->pose, a->mesh->exponent - world, -world) ||
        !pose_scales_exactly(&b->pose, b->mesh->exponent - world, -world) ||
        !lengths_scale_exactly(lengths, count, -world))
        return;
    scale_side(pair, 0, a, &pose_a);
    scale_side(pair, 1, b, &pose_b);
    pair->a = &pair->placed[0];
    pair->b = &pair->placed[1];
    for (int i = 0; i < count; i++)
        pair->lengths[i] = lengths[i] < INFINITY ? grz_scale(lengths[i], -world) : lengths[i];
    pair->power = world;
}

double grz_scaled_lower(const grz_scaled_pair *pair, double lower)
{
    if (pair->power == 0 || !(lower < INFINITY))
        return lower;
    double result = grz_scale(lower, pair->power);
    return result < INFINITY ? result : DBL_MAX;
}

double grz_scaled_upper(const grz_scaled_pair *pair, double upper)
{
    if (pair->power == 0 || !(upper < INFINITY) || grz_is_zero(upper))
        return upper;
    double result = grz_scale(upper, pair->power);
    bool cut = result < INFINITY && grz_rank(grz_scale(result, -pair->power)) != grz_rank(upper);
    return cut ? grz_from_bits(grz_bits(result) + 1) : result;
}
