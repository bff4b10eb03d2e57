/* SPDX-License-Identifier: MIT */
/*
 * Two cores with radii: whether they collide or are within a tolerance, and their distance. Balls around cores meet
 * where the distance of the cores is at most the sum of the radii, a real number; the surfaces of the cores are
 * compared with it exactly (pair/distance/tolerance.h), and solids hold what lies inside.
 */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "shape/core.h"
#include "shape/pair_hull.h"
#include "shape/primitive_mesh.h"

graze_status grz_core_core_decide(grz_shape_query *q, const graze_placed *a, const graze_placed *b, grz_reach reach,
                                  graze_verdict *out_verdict, graze_shape_hit *out_hit)
{
    const double terms[GRZ_REACH_TERMS] = {a->shape->radius, b->shape->radius, reach.tolerance};
    bool within, touching = reach.tolerance == 0 && !reach.strict;
    graze_status status;
    if (touching && grz_hulls_collide(q, a, b, out_verdict, out_hit))
        return GRAZE_STATUS_OK;
    if (touching && grz_primitive_mesh_collide(q, a, b, &status, out_verdict, out_hit))
        return status;
    status = grz_core_surfaces_within(q, a, b, terms, reach.strict, &within, out_hit);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool nested = false, nothing = reach.strict && terms[0] == 0 && terms[1] == 0 && terms[2] == 0;
    graze_shape_hit hit = grz_shape_hit_none();
    if (!within && !nothing)
        status = grz_cores_nested(q, a, b, &nested, &hit);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (nested && out_hit != NULL)
        *out_hit = hit;
    *out_verdict = within || nested ? GRAZE_VERDICT_YES : GRAZE_VERDICT_NO;
    return GRAZE_STATUS_OK;
}

/* ---- distance ---- */

static interval sum_of_radii(const graze_placed *a, const graze_placed *b)
{
    double x = a->shape->radius, y = b->shape->radius;
    return x == 0 || y == 0 ? interval_point(x + y) : interval_add(interval_point(x), interval_point(y));
}

/* The distance of the surfaces of the cores, as far as it matters. */
static graze_status measure_surfaces(grz_shape_query *q, const graze_placed *a, const graze_placed *b, interval radii,
                                     const graze_shape_distance_options *wanted, graze_distance *out)
{
    graze_placed_mesh first, second;
    graze_stats stats = {0};
    graze_distance_options options = graze_distance_options_default();
    graze_status status = grz_core_mesh(q, a, &first);
    if (status == GRAZE_STATUS_OK)
        status = grz_core_mesh(q, b, &second);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool plain = radii.upper == 0;
    /* A limit rounded up: what is found beyond it is dropped. */
    options.limit = plain ? wanted->limit : interval_add(interval_point(wanted->limit), radii).upper;
    options.relative_error = plain ? wanted->relative_error : 0;
    options.absolute_error = wanted->absolute_error;
    options.stats = &stats;
    options.budget = grz_monitor_budget(q->monitor);
    status = graze_pair_distance(q->context, &first, &second, &options, out);
    status = grz_monitor_end_step(q->monitor, status, stats.box_tests);
    grz_shape_query_count(q, &stats);
    return status;
}

/* From the closest points of the cores to those of the shapes. */
static void move_to_surfaces(double radius_a, double radius_b, double point_a[3], double point_b[3])
{
    double way[3], length = 0;
    for (int k = 0; k < 3; k++)
    {
        way[k] = point_b[k] - point_a[k];
        length = hypot(length, way[k]);
    }
    for (int k = 0; k < 3 && length > 0; k++)
    {
        point_a[k] += way[k] / length * radius_a;
        point_b[k] -= way[k] / length * radius_b;
    }
}

static graze_shape_distance distance_of(const graze_distance *surfaces)
{
    graze_shape_distance d = {.found = true,
                              .triangle_a = surfaces->triangle_a,
                              .triangle_b = surfaces->triangle_b,
                              .face_a = surfaces->face_a,
                              .face_b = surfaces->face_b};
    memcpy(d.point_a, surfaces->point_a, sizeof d.point_a);
    memcpy(d.point_b, surfaces->point_b, sizeof d.point_b);
    return d;
}

static void hide_triangles(const graze_placed *a, const graze_placed *b, graze_shape_distance *d)
{
    if (!graze_shape_has_triangles(a->shape))
        d->triangle_a = d->face_a = GRAZE_NO_TRIANGLE;
    if (!graze_shape_has_triangles(b->shape))
        d->triangle_b = d->face_b = GRAZE_NO_TRIANGLE;
}

/* Whether the shapes are certainly within the tolerance, by the bounds of the distance of their surfaces, or exactly.
 */
static graze_status is_within(grz_shape_query *q, const graze_placed *a, const graze_placed *b, interval bounds,
                              double tolerance, bool *out_within)
{
    const double terms[GRZ_REACH_TERMS] = {a->shape->radius, b->shape->radius, tolerance};
    /* shortcut: cores-within-by-bounds */
    *out_within = bounds.upper <= tolerance;
    if (*out_within || bounds.lower > tolerance || !(tolerance < INFINITY))
        return GRAZE_STATUS_OK;
    return grz_core_surfaces_within(q, a, b, terms, false, out_within, NULL);
}

/* The distance of balls around cores whose surfaces are that far apart, and not nested. */
static graze_status subtract_radii(grz_shape_query *q, const graze_placed *a, const graze_placed *b, interval radii,
                                   const graze_shape_distance_options *wanted, const graze_distance *surfaces,
                                   graze_shape_distance *out)
{
    interval surface = {surfaces->lower, surfaces->upper}, bounds = interval_sub(surface, radii);
    bool meet, within;
    graze_status status = is_within(q, a, b, bounds, 0, &meet);
    if (status == GRAZE_STATUS_OK)
        status = is_within(q, a, b, bounds, wanted->limit, &within);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (!within)
    {
        *out = grz_shape_distance_none(wanted->limit);
        return GRAZE_STATUS_OK;
    }
    graze_shape_distance d = distance_of(surfaces);
    hide_triangles(a, b, &d);
    if (meet)
    {
        double sum = a->shape->radius / 2 + b->shape->radius / 2, share = a->shape->radius / 2 / sum;
        for (int k = 0; k < 3; k++)
            d.point_a[k] = d.point_b[k] = d.point_a[k] + share * (d.point_b[k] - d.point_a[k]);
    }
    else
    {
        move_to_surfaces(a->shape->radius, b->shape->radius, d.point_a, d.point_b);
        grz_shape_distance_set(&d, bounds, true);
    }
    *out = d;
    return GRAZE_STATUS_OK;
}

/* The distance of two cores, where it is at most the limit, with these radii around them. */
static graze_status measure(grz_shape_query *q, const graze_placed *a, const graze_placed *b, interval radii,
                            const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    graze_distance surfaces;
    bool nested = false;
    graze_shape_hit hit = grz_shape_hit_none();
    graze_status status = measure_surfaces(q, a, b, radii, wanted, &surfaces);
    if (status == GRAZE_STATUS_OK && !(surfaces.found && surfaces.distance == 0))
        status = grz_cores_nested(q, a, b, &nested, &hit);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (nested)
        *out_distance = grz_shape_distance_zero(&hit);
    else if (!surfaces.found)
    {
        interval rest = interval_sub(interval_point(surfaces.lower), radii);
        *out_distance = grz_shape_distance_none(radii.upper == 0 ? surfaces.lower : fmax(rest.lower, 0));
    }
    else if (radii.upper > 0)
        return subtract_radii(q, a, b, radii, wanted, &surfaces, out_distance);
    else
    {
        *out_distance = distance_of(&surfaces);
        hide_triangles(a, b, out_distance);
        out_distance->distance = surfaces.distance;
        out_distance->lower = surfaces.lower;
        out_distance->upper = surfaces.upper;
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_cores_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                graze_shape_distance *out_distance)
{
    graze_shape_distance_options wanted = graze_shape_distance_options_default();
    return measure(q, a, b, interval_point(0), &wanted, out_distance);
}

graze_status grz_core_core_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                    const graze_shape_distance_options *wanted, graze_shape_distance *out_distance)
{
    if (grz_hulls_distance(q, a, b, wanted->limit, out_distance))
        return GRAZE_STATUS_OK;
    return measure(q, a, b, sum_of_radii(a, b), wanted, out_distance);
}
