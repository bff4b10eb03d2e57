/* SPDX-License-Identifier: MIT */
/* Signs of moving points at a root; see moving_points.h. */
#include "motion/moving_points.h"

int grz_moving_orient3d_sign(const grz_moving_points *points, grz_root *root, int a, int b, int c, int d)
{
    int sign = points->near != NULL ? grz_near_orient3d(points->near, a, b, c, d) : 0;
    if (sign != 0)
        return sign;
    grz_polynomial f;
    points->orient3d(points, a, b, c, d, &f);
    return grz_sign_at_root(points->scratch, &f, root);
}

int grz_moving_orient2d_sign(const grz_moving_points *points, grz_root *root, int a, int b, int c, int axis)
{
    int sign = points->near != NULL ? grz_near_orient2d(points->near, a, b, c, axis) : 0;
    if (sign != 0)
        return sign;
    grz_polynomial f;
    points->orient2d(points, a, b, c, axis, &f);
    return grz_sign_at_root(points->scratch, &f, root);
}

int grz_moving_compare(const grz_moving_points *points, grz_root *root, int a, int b, int axis)
{
    int sign = points->near != NULL ? grz_near_compare(points->near, a, b, axis) : 0;
    if (sign != 0)
        return sign;
    grz_polynomial f;
    points->difference(points, a, b, axis, &f);
    return grz_sign_at_root(points->scratch, &f, root);
}

bool grz_moving_point_on_segment(const grz_moving_points *points, grz_root *root, int p, int a, int b)
{
    for (int axis = 0; axis < 3; axis++) /* between the ends on each axis: cheaper than collinear, and needed */
        if (grz_moving_compare(points, root, p, a, axis) * grz_moving_compare(points, root, p, b, axis) > 0)
            return false;
    for (int axis = 0; axis < 3; axis++)
        if (grz_moving_orient2d_sign(points, root, p, a, b, axis) != 0)
            return false;
    return true;
}

bool grz_moving_point_in_triangle(const grz_moving_points *points, grz_root *root, int p, const int corners[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        int turn = grz_moving_orient2d_sign(points, root, corners[0], corners[1], corners[2], axis);
        if (turn == 0)
            continue;
        for (int e = 0; e < 3; e++) /* this projection does not collapse the plane */
            if (turn * grz_moving_orient2d_sign(points, root, corners[e], corners[(e + 1) % 3], p, axis) < 0)
                return false;
        return true;
    }
    for (int e = 0; e < 3; e++) /* collinear corners: the triangle is the union of its edges */
        if (grz_moving_point_on_segment(points, root, p, corners[e], corners[(e + 1) % 3]))
            return true;
    return false;
}

bool grz_moving_segments_meet(const grz_moving_points *points, grz_root *root, int a0, int a1, int b0, int b1)
{
    for (int axis = 0; axis < 3; axis++)
    {
        int b0_side = grz_moving_orient2d_sign(points, root, a0, a1, b0, axis);
        int b1_side = grz_moving_orient2d_sign(points, root, a0, a1, b1, axis);
        if (b0_side * b1_side > 0)
            return false; /* in this projection, so in space */
        int a0_side = grz_moving_orient2d_sign(points, root, b0, b1, a0, axis);
        int a1_side = grz_moving_orient2d_sign(points, root, b0, b1, a1, axis);
        if (a0_side * a1_side > 0)
            return false;
        if (b0_side * b1_side < 0 && a0_side * a1_side < 0)
            return true; /* three points that are not collinear here: this projection does not collapse the plane */
    }
    return grz_moving_point_on_segment(points, root, a0, b0, b1) ||
           grz_moving_point_on_segment(points, root, a1, b0, b1) ||
           grz_moving_point_on_segment(points, root, b0, a0, a1) ||
           grz_moving_point_on_segment(points, root, b1, a0, a1);
}
