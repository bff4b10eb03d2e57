/* SPDX-License-Identifier: MIT */
/*
 * Point location: in a triangle, on a segment through a triangle, in a polygon. Exact, singular cases included.
 *
 * A point or a segment is a degenerate triangle, so the first two are cases of triangle against triangle.
 */
#include "exact/contact.h"

graze_feature graze_point_in_triangle(const graze_placed_point *point, const graze_placed_triangle *triangle)
{
    if (point == NULL || point->point == NULL)
        return GRAZE_FEATURE_NONE;
    graze_placed_triangle as_triangle = {{point->point, point->point, point->point}, point->pose};
    return graze_triangle_collide(triangle, &as_triangle).feature_a;
}

bool graze_segment_meets_triangle(const graze_placed_point segment[2], const graze_placed_triangle *triangle)
{
    if (segment == NULL || segment[0].point == NULL || segment[1].point == NULL || !grz_triangle_given(triangle))
        return false;
    grz_points points;
    grz_points_start(&points, NULL);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, segment[i / 2].point, segment[i / 2].pose);
    for (int i = 0; i < 3; i++)
        grz_points_add(&points, triangle->corners[i], triangle->pose);
    return grz_triangle_triangle(&points).found;
}

/* Compares doubles by their bits: the processor's comparison may take denormals for zero. */
static int compare_numbers(double a, double b)
{
    const double pa[3] = {a, 0, 0}, pb[3] = {b, 0, 0};
    const graze_placed_point placed_a = {pa, NULL}, placed_b = {pb, NULL};
    return graze_point_compare_placed(&placed_a, &placed_b, 0);
}

/* Whether p lies on the segment a b. */
static bool on_segment(const double p[2], const double a[2], const double b[2])
{
    if (graze_point_orient2d(a, b, p) != 0)
        return false;
    for (int k = 0; k < 2; k++)
    {
        int from_a = compare_numbers(p[k], a[k]), from_b = compare_numbers(p[k], b[k]);
        if (from_a * from_b > 0)
            return false;
    }
    return true;
}

/*
 * A ray from p towards +x crosses the edge a b when one end lies above p's height and the other does not, and p is left
 * of it. Counting heights equal to p's as "not above" is a symbolic perturbation: the ray is shifted up by an
 * infinitesimal amount, so that no corner is counted twice or missed.
 */
static bool ray_crosses(const double p[2], const double a[2], const double b[2])
{
    bool a_above = compare_numbers(a[1], p[1]) > 0, b_above = compare_numbers(b[1], p[1]) > 0;
    if (a_above == b_above)
        return false;
    return b_above ? graze_point_orient2d(a, b, p) > 0 : graze_point_orient2d(b, a, p) > 0;
}

graze_location graze_point_in_polygon(const double point[2], const double *points, const uint32_t *loop_sizes,
                                      size_t loop_count)
{
    if (point == NULL || points == NULL || loop_sizes == NULL)
        return GRAZE_LOCATION_OUTSIDE;
    bool inside = false;
    for (size_t l = 0; l < loop_count; l++)
    {
        for (size_t i = 0; i < loop_sizes[l]; i++)
        {
            const double *a = points + 2 * i, *b = points + 2 * ((i + 1) % loop_sizes[l]);
            if (on_segment(point, a, b))
                return GRAZE_LOCATION_BOUNDARY;
            if (ray_crosses(point, a, b))
                inside = !inside;
        }
        points += 2 * (size_t)loop_sizes[l];
    }
    return inside ? GRAZE_LOCATION_INSIDE : GRAZE_LOCATION_OUTSIDE;
}
