/* SPDX-License-Identifier: MIT */
/*
 * Setting up a query: which poses drop out, the transform between both frames with its error bounds, and whether the
 * trees can be used; see query.h.
 */
#include "pair/hit/query.h"

#include <math.h>
#include <string.h>

#include "base/exact_sum.h"
#include "math/matrix.h"
#include "mesh/mesh.h"
#include "pair/arguments.h"

/* Compares bytes; most poses that differ do so in the first entry. */
static bool same_pose(const graze_pose *a, const graze_pose *b)
{
    return a->m[0] == b->m[0] && memcmp(a, b, sizeof *a) == 0;
}

/* shortcut: equal-poses. A common pose that has an inverse changes no contact. */
static bool poses_cancel(const graze_pose *a, const graze_pose *b)
{
    return same_pose(a, b) && graze_pose_handedness(a) != 0;
}

/* shortcut: identity-pose */
static bool moves_nothing(const graze_pose *pose)
{
    static const graze_pose identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    return same_pose(pose, &identity);
}

static bool only_translates(const graze_pose *pose)
{
    static const double rows[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return pose->m[0] == 1 && memcmp(pose->m, rows[0], sizeof rows[0]) == 0 &&
           memcmp(pose->m + 4, rows[1], sizeof rows[1]) == 0 && memcmp(pose->m + 8, rows[2], sizeof rows[2]) == 0;
}

/*
 * Poses that translate only, as of the parts of many assemblies: where the translations and their sums with all corners
 * are exact, corners are points in one frame and need no poses. Adding one vector to all points changes no contact; but
 * the difference of the translations and its sum with each corner must be exact, as a rounding would move B.
 * shortcut: pure-translations
 */
static bool find_shift(const graze_pose *a, const graze_pose *b, double shift[3])
{
    if (!only_translates(a) || !only_translates(b))
        return false;
    for (int k = 0; k < 3; k++)
        if (!grz_sum_exactly(b->m[4 * k + 3], -a->m[4 * k + 3], &shift[k]))
            return false;
    return true;
}

/*
 * Sets up the double filter in A's frame: the error bound of a transformed corner of B, from the error of the transform
 * and the roundings of applying it. False when magnitudes leave the filter's range (see exact/predicates.c).
 */
static bool prepare_frame(grz_query *q)
{
    const graze_mesh *mesh_a = q->a->mesh, *mesh_b = q->b->mesh;
    double extent_b = 0, extent_a = 0;
    const double *m = q->relative.pose.m;
    for (int k = 0; k < 3; k++)
    {
        extent_b += matrix_max(fabs(mesh_b->scaled_lower[k]), fabs(mesh_b->scaled_upper[k]));
        double largest_a = matrix_max(fabs(mesh_a->scaled_lower[k]), fabs(mesh_a->scaled_upper[k]));
        extent_a = matrix_max(extent_a, largest_a);
    }
    double magnitude = q->relative.norm * extent_b + (fabs(m[3]) + fabs(m[7]) + fabs(m[11]));
    q->frame_error = q->relative.matrix_error * extent_b + q->relative.offset_error + 6 * GRZ_U * magnitude + 0x1p-700;
    if (q->pose_a == NULL && q->pose_b == NULL && mesh_a->exponent == mesh_b->exponent)
        q->frame_error = 0x1p-700; /* no transform, no rounding */
    q->mirrored = q->pose_a != NULL ? graze_pose_handedness(q->pose_a) : 1;
    return magnitude <= 0x1p300 && extent_a <= 0x1p300 && q->frame_error <= 0x1p300 && q->mirrored != 0;
}

/* Makes the transforms in both directions, those between trees where there are any; false when the poses do not allow
   it. */
static bool prepare_maps(grz_query *q, const graze_pose *pose_a, const graze_pose *pose_b)
{
    grz_relative_pose back;
    const graze_tree *tree_a = q->a->tree, *tree_b = q->b->tree;
    return grz_relative_pose_make_both(pose_a, pose_b, &q->relative, &back) &&
           (tree_a == NULL || (grz_tree_transform_make(tree_a, tree_b, &q->relative, &q->to_a) &&
                               grz_tree_transform_make(tree_b, tree_a, &back, &q->to_b))) &&
           prepare_frame(q);
}

/* False when the poses do not allow it. Meshes at the far ends of the range are tried last, scaled by powers of two. */
static bool prepare_transforms(grz_query *q)
{
    int exponent = q->a->mesh->exponent;
    bool same_exponent = q->b->mesh->exponent == exponent, no_poses = q->pose_a == NULL && q->pose_b == NULL;
    q->scaled = exponent != 0;
    if (same_exponent && (exponent == 0 || no_poses) && prepare_maps(q, q->pose_a, q->pose_b))
        return true;
    graze_pose scaled_a, scaled_b;
    int world;
    q->scaled = grz_scaled_poses(q->a->mesh, q->pose_a, q->b->mesh, q->pose_b, &scaled_a, &scaled_b, &world);
    return q->scaled && prepare_maps(q, &scaled_a, &scaled_b);
}

/* False when there are no trees, or the poses do not allow them. */
static bool prepare_trees(grz_query *q)
{
    const graze_tree *tree_a = q->a->tree, *tree_b = q->b->tree;
    return tree_a != NULL && tree_b != NULL && tree_a->usable && tree_b->usable && prepare_transforms(q);
}

static void drop_poses(grz_query *q)
{
    bool poses_drop_out = poses_cancel(&q->a->pose, &q->b->pose);
    q->pose_a = poses_drop_out || moves_nothing(&q->a->pose) ? NULL : &q->a->pose;
    q->pose_b = poses_drop_out || moves_nothing(&q->b->pose) ? NULL : &q->b->pose;
    q->shifts = !poses_drop_out && find_shift(&q->a->pose, &q->b->pose, q->shift);
}

graze_status grz_query_start(grz_query *q)
{
    graze_status status = grz_check_arguments(q->a, q->b);
    if (status != GRAZE_STATUS_OK)
        return status;
    drop_poses(q);
    q->uses_trees = prepare_trees(q);
    return GRAZE_STATUS_OK;
}

graze_status grz_query_start_in_frame(grz_query *q, bool *out_usable)
{
    graze_status status = grz_check_arguments(q->a, q->b);
    if (status != GRAZE_STATUS_OK)
        return status;
    drop_poses(q);
    q->uses_trees = false;
    *out_usable = prepare_transforms(q);
    return GRAZE_STATUS_OK;
}
