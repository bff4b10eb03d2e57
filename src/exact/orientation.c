/* SPDX-License-Identifier: MIT */
/* The public predicates of graze/exact.h, by those of predicates.h. */
#include <math.h>

#include "exact/predicates.h"
#include "math/interval.h"

static bool all_given(const graze_placed_point *sources, int count)
{
    for (int i = 0; sources != NULL && i < count; i++)
        if (sources[i].point == NULL)
            return false;
    return sources != NULL;
}

int graze_point_orient2d(const double a[2], const double b[2], const double c[2])
{
    if (a == NULL || b == NULL || c == NULL)
        return 0;
    const double lifted[3][3] = {{0, a[0], a[1]}, {0, b[0], b[1]}, {0, c[0], c[1]}};
    grz_points points;
    grz_points_start(&points, NULL);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, lifted[i], NULL);
    return grz_orient2d(&points, 0, 1, 2, 0);
}

int graze_point_orient3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    if (a == NULL || b == NULL || c == NULL || d == NULL)
        return 0;
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

int graze_point_orient3d_placed(const graze_placed_point sources[4])
{
    if (!all_given(sources, 4))
        return 0;
    grz_points points;
    add_all(&points, sources, 4);
    return grz_orient3d(&points, 0, 1, 2, 3);
}

int graze_point_orient2d_placed(const graze_placed_point sources[3], int axis)
{
    if (!all_given(sources, 3) || axis < 0 || axis > 2)
        return 0;
    grz_points points;
    add_all(&points, sources, 3);
    return grz_orient2d(&points, 0, 1, 2, axis);
}

int graze_point_compare_placed(const graze_placed_point *a, const graze_placed_point *b, int axis)
{
    if (!all_given(a, 1) || !all_given(b, 1) || axis < 0 || axis > 2)
        return 0;
    grz_points points;
    grz_points_start(&points, NULL);
    grz_points_add(&points, a->point, a->pose);
    grz_points_add(&points, b->point, b->pose);
    return grz_compare(&points, 0, 1, axis);
}

/* shortcut: handedness-in-doubles. The sign of det R where doubles settle it, else 0. Each of the six products passes
   at most 5 roundings. No entry exceeds 2^300: so nothing overflows, which would give the largest double instead of
   infinity in some rounding modes, and a denormal operand or result flushed to zero changes the sum by less than
   2^-1022 times two entries: 2^-418 in all, negligible beside the bound, which is at least 2^-349. */
static int plain_handedness(const double *m)
{
    double p = m[5] * m[10], q = m[6] * m[9], r = m[6] * m[8], s = m[4] * m[10], t = m[4] * m[9], u = m[5] * m[8];
    double determinant = m[0] * (p - q) + m[1] * (r - s) + m[2] * (t - u);
    double magnitude =
        fabs(m[0]) * (fabs(p) + fabs(q)) + fabs(m[1]) * (fabs(r) + fabs(s)) + fabs(m[2]) * (fabs(t) + fabs(u));
    double entries = (fabs(m[0]) + fabs(m[1]) + fabs(m[2])) + (fabs(m[4]) + fabs(m[5]) + fabs(m[6])) +
                     (fabs(m[8]) + fabs(m[9]) + fabs(m[10]));
    if (!(magnitude > 0x1p-300 && entries < 0x1p300) || !(fabs(determinant) > 8 * GRZ_U * magnitude))
        return 0;
    return determinant > 0 ? 1 : -1;
}

int graze_pose_handedness(const graze_pose *pose)
{
    if (pose == NULL)
        return 0;
    int sign = plain_handedness(pose->m);
    if (sign != 0)
        return sign;
    /* The rows of R as points seen from the origin: det R is the volume they span. */
    const double origin[3] = {0, 0, 0};
    return graze_point_orient3d(pose->m, pose->m + 4, pose->m + 8, origin);
}
