/* SPDX-License-Identifier: MIT */
/* What queries of two leaves share: empty results, swapped results, intervals as results. See query.h. */
#include <math.h>
#include <string.h>

#include "shape/query.h"

void grz_shape_query_count(grz_shape_query *q, const graze_stats *step)
{
    q->stats.box_tests += step->box_tests;
    q->stats.leaf_pairs += step->leaf_pairs;
    q->stats.triangle_tests += step->triangle_tests;
    q->stats.exact_signs += step->exact_signs;
}

static void swap_numbers(uint32_t *x, uint32_t *y)
{
    uint32_t old = *x;
    *x = *y;
    *y = old;
}

static void swap_points(double x[3], double y[3])
{
    double old[3];
    memcpy(old, x, sizeof old);
    memcpy(x, y, sizeof old);
    memcpy(y, old, sizeof old);
}

graze_shape_hit grz_shape_hit_none(void)
{
    graze_shape_hit hit;
    memset(&hit, 0, sizeof hit);
    hit.triangle_a = hit.triangle_b = hit.face_a = hit.face_b = GRAZE_NO_TRIANGLE;
    return hit;
}

void grz_shape_hit_set_point(graze_shape_hit *hit, const double point[3])
{
    if (hit == NULL)
        return;
    hit->has_point = isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
    for (int k = 0; k < 3; k++)
        hit->point[k] = hit->has_point ? point[k] : 0;
}

void grz_shape_hit_swap(graze_shape_hit *hit)
{
    swap_numbers(&hit->part_a, &hit->part_b);
    swap_numbers(&hit->triangle_a, &hit->triangle_b);
    swap_numbers(&hit->face_a, &hit->face_b);
    graze_triangle_contact *contact = &hit->contact, old = *contact;
    contact->feature_a = old.feature_b;
    contact->feature_b = old.feature_a;
    contact->mask_a = old.mask_b;
    contact->mask_b = old.mask_a;
}

graze_shape_distance grz_shape_distance_zero(const graze_shape_hit *hit)
{
    graze_shape_distance d;
    memset(&d, 0, sizeof d);
    d.found = true;
    d.triangle_a = hit->triangle_a;
    d.triangle_b = hit->triangle_b;
    d.face_a = hit->face_a;
    d.face_b = hit->face_b;
    memcpy(d.point_a, hit->point, sizeof d.point_a);
    memcpy(d.point_b, hit->point, sizeof d.point_b);
    return d;
}

graze_shape_distance grz_shape_distance_none(double lower)
{
    graze_shape_distance d;
    memset(&d, 0, sizeof d);
    d.distance = d.upper = INFINITY;
    d.lower = lower;
    d.triangle_a = d.triangle_b = d.face_a = d.face_b = GRAZE_NO_TRIANGLE;
    return d;
}

void grz_shape_distance_swap(graze_shape_distance *distance)
{
    swap_numbers(&distance->part_a, &distance->part_b);
    swap_numbers(&distance->triangle_a, &distance->triangle_b);
    swap_numbers(&distance->face_a, &distance->face_b);
    swap_points(distance->point_a, distance->point_b);
}

void grz_shape_distance_set(graze_shape_distance *distance, interval bounds, bool apart)
{
    double lower = bounds.lower > 0 ? bounds.lower : 0, upper = bounds.upper > 0 ? bounds.upper : 0;
    distance->lower = lower;
    distance->upper = upper;
    distance->distance = upper < INFINITY ? 0.5 * lower + 0.5 * upper : lower;
    if (distance->distance > upper)
        distance->distance = upper;
    if (apart && !(distance->distance > 0))
        distance->distance = upper;
}

graze_shape_depth grz_shape_depth_none(void)
{
    graze_shape_depth depth;
    memset(&depth, 0, sizeof depth);
    depth.overlap = GRAZE_VERDICT_NO;
    return depth;
}

graze_shape_depth grz_shape_depth_unknown(void)
{
    graze_shape_depth depth = grz_shape_depth_none();
    depth.overlap = GRAZE_VERDICT_UNKNOWN;
    depth.upper = depth.depth_upper = INFINITY;
    return depth;
}

void grz_shape_depth_swap(graze_shape_depth *depth)
{
    swap_numbers(&depth->part_a, &depth->part_b);
    for (int k = 0; k < 3; k++)
        depth->translation[k] = depth->translation[k] != 0 ? -depth->translation[k] : 0;
}
