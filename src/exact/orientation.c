/* SPDX-License-Identifier: MIT */
/* The public signs of graze/exact.h, in terms of points.h. */
#include "exact/points.h"

int graze_orient2d(const double a[2], const double b[2], const double c[2])
{
    const double lifted[3][3] = {{0, a[0], a[1]}, {0, b[0], b[1]}, {0, c[0], c[1]}};
    grz_points points;
    grz_points_start(&points, NULL);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, lifted[i], NULL);
    return grz_orient2d(&points, 0, 1, 2, 0);
}

int graze_orient3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    grz_points points;
    grz_points_start(&points, NULL);
    grz_points_add(&points, a, NULL);
    grz_points_add(&points, b, NULL);
    grz_points_add(&points, c, NULL);
    grz_points_add(&points, d, NULL);
    return grz_orient3d(&points, 0, 1, 2, 3);
}

static void add_all(grz_points *points, const graze_placed_point *sources, int count)
{
    grz_points_start(points, NULL);
    for (int i = 0; i < count; i++)
        grz_points_add(points, sources[i].point, sources[i].pose);
}

int graze_orient3d_placed(const graze_placed_point sources[4])
{
    grz_points points;
    add_all(&points, sources, 4);
    return grz_orient3d(&points, 0, 1, 2, 3);
}

int graze_orient2d_placed(const graze_placed_point sources[3], int axis)
{
    grz_points points;
    add_all(&points, sources, 3);
    return grz_orient2d(&points, 0, 1, 2, axis);
}

int graze_compare_placed(const graze_placed_point *a, const graze_placed_point *b, int axis)
{
    grz_points points;
    grz_points_start(&points, NULL);
    grz_points_add(&points, a->point, a->pose);
    grz_points_add(&points, b->point, b->pose);
    return grz_compare(&points, 0, 1, axis);
}

int graze_pose_handedness(const graze_pose *pose)
{
    /* The rows of R as points, seen from the origin: det R is the volume they span. */
    const double origin[3] = {0, 0, 0};
    return graze_orient3d(pose->m, pose->m + 4, pose->m + 8, origin);
}
