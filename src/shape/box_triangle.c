/* SPDX-License-Identifier: MIT */
/*
 * See box_triangle.h. Corners are placed in the box's own axes; the deepest of them and of their mean is a common point
 * if it is deep enough, else the mean of what remains of the triangle when the box's planes clip it.
 *
 * Error bound, u = 2^-52, m a bound on coordinates in the world less the box's translation. Such a coordinate has an
 * error of 7 u m (pair/distance/triangle_distance.c). Turned by the transposed matrix, whose rows have sums below 1.75,
 * it is 12.3 u m, 7 u m of roundings more, and 3 e m for the inverse's error e. Points of the clipped triangle: of two
 * points within some error of the triangle all points between are, and 8 u 1.75 m is added at each of six planes; their
 * mean adds 10 roundings. All are below 200 u m + 3 e m. Nothing overflows while m is below 2^1000.
 *
 * A depth d in the box's axes is d / |r| in the world, r a row of the inverse matrix: a column of the matrix, no longer
 * than 1 + e / 2, and errors of e in three entries: |r| < 1 + 2.3 e.
 */
#include "shape/box_triangle.h"

#include <math.h>
#include <string.h>

#include "math/interval.h"
#include "math/matrix.h"
#include "pair/distance/triangle_distance.h"
#include "pair/relative_pose.h"

enum
{
    MOST_CLIPPED = 9 /* corners of a triangle clipped by six planes */
};

void grz_box_frame_make(grz_box_frame *frame, const graze_mesh *mesh, const graze_pose *mesh_pose, const double half[3],
                        const graze_pose *box_pose)
{
    const double *m = box_pose->m;
    frame->mesh = mesh;
    frame->mesh_pose = mesh_pose;
    frame->box_pose = box_pose;
    memcpy(frame->half, half, sizeof frame->half);
    double magnitude =
        grz_coordinate_bound(mesh, mesh_pose) + matrix_larger(matrix_larger(fabs(m[3]), fabs(m[7])), fabs(m[11]));
    double inverse_error = grz_transposed_error(m);
    frame->error = magnitude < 0x1p1000 ? (256 * GRZ_U + 4 * inverse_error) * magnitude + 0x1p-700 : INFINITY;
    frame->unit = 1 - 8 * GRZ_U - 4 * inverse_error;
}

static void place_corner(const grz_box_frame *frame, const double *v, double out[3])
{
    const double *m = frame->box_pose->m;
    double w[3];
    for (int k = 0; k < 3; k++)
    {
        const double *row = frame->mesh_pose->m + 4 * k;
        w[k] = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + (row[3] - m[4 * k + 3]);
    }
    for (int k = 0; k < 3; k++)
        out[k] = m[k] * w[0] + m[4 + k] * w[1] + m[8 + k] * w[2];
}

void grz_box_frame_corners(const grz_box_frame *frame, uint32_t triangle, double out[3][3])
{
    const uint32_t *indices = frame->mesh->triangles + 3 * (size_t)triangle;
    for (int c = 0; c < 3; c++)
        place_corner(frame, grz_mesh_vertex(frame->mesh, indices[c]), out[c]);
}

void grz_box_frame_to_world(const grz_box_frame *frame, const double point[3], double out_point[3])
{
    const double *m = frame->box_pose->m;
    for (int k = 0; k < 3; k++)
        out_point[k] = m[4 * k] * point[0] + m[4 * k + 1] * point[1] + m[4 * k + 2] * point[2] + m[4 * k + 3];
}

/* How far inside a point is, along the axes; negative outside. */
static double depth_of(const double half[3], const double point[3])
{
    double depth = half[0] - fabs(point[0]);
    depth = fmin(depth, half[1] - fabs(point[1]));
    return fmin(depth, half[2] - fabs(point[2]));
}

static void mean_of(double (*points)[3], int count, double out[3])
{
    for (int k = 0; k < 3; k++)
    {
        out[k] = 0;
        for (int i = 0; i < count; i++)
            out[k] += points[i][k];
        out[k] /= count;
    }
}

/* Keeps what is on the inner side of the plane sign * x = limit of an axis. */
static int clip(double (*points)[3], int count, int axis, double sign, double limit)
{
    double left[MOST_CLIPPED + 1][3];
    int kept = 0;
    for (int i = 0; i < count; i++)
    {
        const double *p = points[i], *q = points[i + 1 < count ? i + 1 : 0];
        double from = limit - sign * p[axis], to = limit - sign * q[axis];
        if (from >= 0 && kept < MOST_CLIPPED)
            memcpy(left[kept++], p, sizeof left[0]);
        if ((from >= 0) == (to >= 0) || kept == MOST_CLIPPED)
            continue;
        double share = fmin(fmax(from / (from - to), 0), 1);
        for (int k = 0; k < 3; k++)
            left[kept][k] = p[k] + share * (q[k] - p[k]);
        kept++;
    }
    memcpy(points, left, (size_t)kept * sizeof left[0]);
    return kept;
}

/* The mean of the clipped triangle; false where nothing is left. */
static bool clip_to_box(const double half[3], double (*corners)[3], double out[3])
{
    double points[MOST_CLIPPED + 1][3];
    int count = 3;
    memcpy(points, corners, 3 * sizeof points[0]);
    for (int axis = 0; axis < 3 && count > 0; axis++)
    {
        count = clip(points, count, axis, 1, half[axis]);
        count = clip(points, count, axis, -1, half[axis]);
    }
    if (count > 0)
        mean_of(points, count, out);
    return count > 0;
}

double grz_box_triangle_depth(const grz_box_frame *frame, uint32_t triangle, double out_point[3])
{
    const double *found;
    double points[4][3], clipped[3];
    grz_box_frame_corners(frame, triangle, points);
    mean_of(points, 3, points[3]);
    found = points[3];
    double deepest = depth_of(frame->half, found);
    for (int c = 0; c < 3; c++)
    {
        double depth = depth_of(frame->half, points[c]);
        if (depth > deepest)
        {
            deepest = depth;
            found = points[c];
        }
    }
    if (!(deepest > frame->error) && clip_to_box(frame->half, points, clipped))
    {
        found = clipped;
        deepest = depth_of(frame->half, found);
    }
    /* shortcut: box-triangle-depth */
    double certain = (deepest - frame->error) * frame->unit;
    if (!(certain > 0))
        return 0;
    grz_box_frame_to_world(frame, found, out_point);
    return certain;
}
