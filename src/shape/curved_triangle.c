/* SPDX-License-Identifier: MIT */
/*
 * See curved_triangle.h. Corners are placed in the body's axes (box_triangle.h); there e bounds the error of a
 * coordinate of a corner and of any mixture of corners, and covers roundings of 50 u of such coordinates besides.
 *
 * A point is in the cylinder at least as deep as the lesser of r - |(x, y)| and h - |z|, less 2 e for the length of the
 * errors of x and y; in an ellipsoid with radii a, where q are its coordinates over the radii, as deep as the least
 * radius times 1 - |q|: a ball of that radius around it is, over the radii, within 1 - |q| of q. The error of q is
 * sqrt(3) e over the least radius, and that of |q| <= 1 below 16 u.
 *
 * A plane with any normal n separates where the least n . corner exceeds the support of the body along n, r |(n_x,
 * n_y)|
 * + h |n_z| or the root of the sum of (a_k n_k)^2: by their difference over |n|. Heights err by e |n|_1, their
 * roundings are within as much again, and so are those of the support, which is less than the height then.
 *
 * Normals. The distance of the triangle from the axis, where |z| <= h, ends at a point q on the border of the part of
 * the triangle between both planes; c is (x, y) of it over its length. If q is between the planes, n = (c, 0). If it is
 * on one, n = (c, v) with a v that no corner is lower than q along n for: each corner bounds v from one side. Of an
 * ellipsoid n is the nearest point to the origin over the radii, over the radii once more.
 */
#include "shape/curved_triangle.h"

#include <math.h>
#include <string.h>

#include "convex/simplex.h"
#include "math/interval.h"

#define NEAR_PLANE 1e-9 /* of half the height: q is on a plane there; it only guides */

enum
{
    MOST_CLIPPED = 5, /* corners of a triangle between two planes */
    SHARES = 3        /* of the way to the middle, in search of deeper points */
};

typedef struct triangle_test
{
    const grz_box_frame *frame;
    double corners[3][3];
    double radius, half;                                             /* of a cylinder */
    double (*depth)(const struct triangle_test *, const double *);   /* of a point, but for errors */
    double (*support)(const struct triangle_test *, const double *); /* along a direction */
    double deepest, found[3];
} triangle_test;

static void try_point(triangle_test *s, const double point[3])
{
    double depth = s->depth(s, point);
    if (!(depth > s->deepest))
        return;
    s->deepest = depth;
    memcpy(s->found, point, sizeof s->found);
}

static void start(triangle_test *s, const grz_box_frame *frame, uint32_t triangle)
{
    double mean[3];
    s->frame = frame;
    s->deepest = -INFINITY;
    s->radius = frame->half[0];
    s->half = frame->half[2];
    grz_box_frame_corners(frame, triangle, s->corners);
    for (int k = 0; k < 3; k++)
        mean[k] = (s->corners[0][k] + s->corners[1][k] + s->corners[2][k]) / 3;
    try_point(s, mean);
    for (int c = 0; c < 3; c++)
        try_point(s, s->corners[c]);
}

/* The depth of what was found, if it is certain. */
static double certain_depth(const triangle_test *s, double error, double out_point[3])
{
    /* shortcut: curved-triangle-depth */
    double certain = (s->deepest - error) * s->frame->unit;
    if (!(certain > 0))
        return 0;
    grz_box_frame_to_world(s->frame, s->found, out_point);
    return certain;
}

/* By how much a plane with that normal separates them; 0: not certainly. */
static double gap_along(const triangle_test *s, const double normal[3])
{
    const double *n = normal;
    double least = INFINITY, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int c = 0; c < 3; c++)
    {
        const double *v = s->corners[c];
        least = fmin(least, n[0] * v[0] + n[1] * v[1] + n[2] * v[2]);
    }
    /* shortcut: curved-triangle-planes */
    double gap = least - s->support(s, n) - 2 * s->frame->error * (fabs(n[0]) + fabs(n[1]) + fabs(n[2]));
    return gap > 0 && length > 0x1p-300 ? gap / length * (1 - 8 * GRZ_U) * s->frame->unit : 0;
}

/* ---- cylinders ---- */

static double depth_in_cylinder(const triangle_test *s, const double *p)
{
    return fmin(s->radius - sqrt(p[0] * p[0] + p[1] * p[1]), s->half - fabs(p[2]));
}

static double support_of_cylinder(const triangle_test *s, const double *n)
{
    return s->radius * sqrt(n[0] * n[0] + n[1] * n[1]) + s->half * fabs(n[2]);
}

/* Where the axis crosses the triangle, if it does. */
static void try_axis(triangle_test *s)
{
    double weights[3], sum = 0, point[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++)
    {
        const double *p = s->corners[(c + 1) % 3], *q = s->corners[(c + 2) % 3];
        weights[c] = p[0] * q[1] - p[1] * q[0];
        sum += weights[c];
    }
    if (!(fabs(sum) > 0x1p-500))
        return;
    for (int c = 0; c < 3; c++)
    {
        double share = weights[c] / sum;
        if (!(share >= 0))
            return;
        for (int k = 0; k < 3; k++)
            point[k] += share * s->corners[c][k];
    }
    try_point(s, point);
}

/* Keeps what is on the inner side of the plane sign * z = half. */
static int clip(const double (*points)[3], int count, double sign, double half, double (*out)[3])
{
    int kept = 0;
    for (int i = 0; i < count; i++)
    {
        const double *p = points[i], *q = points[i + 1 < count ? i + 1 : 0];
        double from = half - sign * p[2], to = half - sign * q[2];
        if (from >= 0 && kept < MOST_CLIPPED)
            memcpy(out[kept++], p, sizeof out[0]);
        if ((from >= 0) == (to >= 0) || kept == MOST_CLIPPED)
            continue;
        double share = fmin(fmax(from / (from - to), 0), 1);
        for (int k = 0; k < 3; k++)
            out[kept][k] = p[k] + share * (q[k] - p[k]);
        kept++;
    }
    return kept;
}

/* The point of the border that is nearest to the axis. */
static void nearest_to_axis(const double (*points)[3], int count, double out[3])
{
    double least = INFINITY;
    for (int i = 0; i < count; i++)
    {
        const double *p = points[i], *q = points[i + 1 < count ? i + 1 : 0];
        double way[2] = {q[0] - p[0], q[1] - p[1]}, square = way[0] * way[0] + way[1] * way[1];
        double share = square > 0 ? fmin(fmax(-(p[0] * way[0] + p[1] * way[1]) / square, 0), 1) : 0;
        double x = p[0] + share * way[0], y = p[1] + share * way[1];
        if (!(x * x + y * y < least))
            continue;
        least = x * x + y * y;
        out[0] = x;
        out[1] = y;
        out[2] = p[2] + share * (q[2] - p[2]);
    }
}

/* Towards the middle of the part between the planes, as q may be on one of them. */
static void try_inwards(triangle_test *s, const double (*points)[3], int count, const double q[3])
{
    static const double shares[SHARES] = {0.5, 0.125, 0.03125};
    double point[3], middle[3] = {0, 0, 0};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += points[i][k] / count;
    for (int i = 0; i < SHARES; i++)
    {
        for (int k = 0; k < 3; k++)
            point[k] = q[k] + shares[i] * (middle[k] - q[k]);
        try_point(s, point);
    }
}

/* How much the normal leans over where q is on a plane, so that no corner is lower than q. */
static double slope_at(const triangle_test *s, const double q[3], const double across[2], double side)
{
    double low = 0, high = INFINITY;
    if (!(fabs(q[2]) > s->half * (1 - NEAR_PLANE)))
        return 0;
    for (int c = 0; c < 3; c++)
    {
        const double *v = s->corners[c];
        double way = across[0] * (v[0] - q[0]) + across[1] * (v[1] - q[1]), along = side * (v[2] - q[2]);
        if (along > 0)
            low = fmax(low, -way / along);
        else if (along < 0)
            high = fmin(high, -way / along);
    }
    return high < low ? fmax(0.5 * (low + high), 0) : low;
}

/* The gap along the normal that q gives. */
static double gap_beside(const triangle_test *s, const double q[3])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1]), side = q[2] < 0 ? -1 : 1;
    if (!(length > 0x1p-300))
        return 0;
    const double across[2] = {q[0] / length, q[1] / length};
    const double normal[3] = {across[0], across[1], side * slope_at(s, q, across, side)};
    return gap_along(s, normal);
}

double grz_cylinder_triangle_depth(const grz_box_frame *frame, uint32_t triangle, double out_point[3], double *out_gap)
{
    static const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    triangle_test s = {.depth = depth_in_cylinder, .support = support_of_cylinder};
    double once[MOST_CLIPPED][3], points[MOST_CLIPPED][3], q[3] = {0, 0, 0}, error = 2 * frame->error;
    *out_gap = 0;
    start(&s, frame, triangle);
    if (s.deepest > error)
        return certain_depth(&s, error, out_point);
    int count = clip((const double(*)[3])s.corners, 3, 1, s.half, once);
    count = clip((const double(*)[3])once, count, -1, s.half, points);
    if (count == 0)
    {
        *out_gap = fmax(gap_along(&s, up), gap_along(&s, down));
        return 0;
    }
    nearest_to_axis((const double(*)[3])points, count, q);
    *out_gap = gap_beside(&s, q);
    if (*out_gap > 0)
        return 0;
    try_axis(&s);
    try_inwards(&s, (const double(*)[3])points, count, q);
    try_point(&s, q);
    return certain_depth(&s, error, out_point);
}

/* ---- ellipsoids ---- */

static double least_of(const double v[3])
{
    return fmin(v[0], fmin(v[1], v[2]));
}

static double depth_in_ellipsoid(const triangle_test *s, const double *p)
{
    const double *a = s->frame->half;
    double q[3] = {p[0] / a[0], p[1] / a[1], p[2] / a[2]};
    return least_of(a) * (1 - sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]));
}

static double support_of_ellipsoid(const triangle_test *s, const double *n)
{
    const double *a = s->frame->half;
    double h[3] = {a[0] * n[0], a[1] * n[1], a[2] * n[2]};
    return sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
}

double grz_ellipsoid_triangle_depth(const grz_box_frame *frame, uint32_t triangle, double out_point[3], double *out_gap)
{
    const double *a = frame->half;
    triangle_test s = {.depth = depth_in_ellipsoid, .support = support_of_ellipsoid};
    double error = 2 * frame->error + 16 * GRZ_U * least_of(a), point[3] = {0, 0, 0};
    v3 scaled[3];
    grz_simplex_point nearest;
    *out_gap = 0;
    start(&s, frame, triangle);
    if (s.deepest > error)
        return certain_depth(&s, error, out_point);
    for (int c = 0; c < 3; c++)
        scaled[c] = v3_make(s.corners[c][0] / a[0], s.corners[c][1] / a[1], s.corners[c][2] / a[2]);
    grz_simplex_nearest(scaled, 3, &nearest);
    double normal[3] = {nearest.point.x / a[0], nearest.point.y / a[1], nearest.point.z / a[2]};
    *out_gap = gap_along(&s, normal);
    if (*out_gap > 0)
        return 0;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            point[k] += nearest.weights[c] * s.corners[c][k];
    try_point(&s, point);
    return certain_depth(&s, error, out_point);
}
