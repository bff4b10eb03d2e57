/* SPDX-License-Identifier: MIT */
/* See mesh_primitive.h. */
#include "shape/mesh_primitive.h"

#include <math.h>
#include <string.h>

#include "math/interval.h"
#include "shape/curved_triangle.h"

/* ---- what holds it ---- */

static bool take_box(const graze_shape *shape, grz_mesh_primitive *out)
{
    out->kind = GRZ_MESH_BOX;
    for (int k = 0; k < 3; k++)
        out->half[k] = shape->numbers[k] / 2;
    return shape->solid;
}

/* The box around a segment: its middle and half sizes are rounded, and twice what that can be is added. */
static bool take_ball(const graze_shape *shape, grz_mesh_primitive *out)
{
    const grz_hull *hull = shape->hull;
    if (hull->vertex_count > 2)
        return false;
    out->kind = GRZ_MESH_BALL;
    out->radius = shape->radius;
    for (int k = 0; k < 3; k++)
    {
        double first = hull->vertices[0][k], last = hull->vertices[hull->vertex_count - 1][k];
        out->ends[0][k] = first;
        out->ends[1][k] = last;
        out->centre[k] = 0.5 * first + 0.5 * last;
        out->half[k] = 0.5 * fabs(last - first);
        if (out->half[k] > 0)
            out->half[k] += 4 * GRZ_U * (fabs(first) + fabs(last));
    }
    return out->radius > 0 && shape->mesh->exponent == 0;
}

static bool take_curved(const graze_shape *shape, grz_mesh_primitive *out)
{
    const double *n = shape->numbers;
    if (shape->kind == GRAZE_SHAPE_CYLINDER)
    {
        out->kind = GRZ_MESH_CYLINDER;
        out->half[0] = out->half[1] = n[1];
        out->half[2] = n[0] / 2;
    }
    else
    {
        out->kind = GRZ_MESH_ELLIPSOID;
        memcpy(out->half, n, sizeof out->half);
    }
    return out->half[0] > 0 && out->half[1] > 0 && out->half[2] > 0;
}

bool grz_mesh_primitive_of(const graze_shape *shape, grz_mesh_primitive *out)
{
    memset(out, 0, sizeof *out);
    switch (shape->kind)
    {
    case GRAZE_SHAPE_BOX:
        return take_box(shape, out);
    case GRAZE_SHAPE_SPHERE:
    case GRAZE_SHAPE_CAPSULE:
        return take_ball(shape, out);
    case GRAZE_SHAPE_CYLINDER:
    case GRAZE_SHAPE_ELLIPSOID:
        return take_curved(shape, out);
    default:
        return false;
    }
}

void grz_mesh_primitive_weights(const grz_mesh_primitive *primitive, double weights[4])
{
    for (int k = 0; k < 3; k++)
        weights[k] = primitive->kind == GRZ_MESH_BALL ? fmax(fabs(primitive->ends[0][k]), fabs(primitive->ends[1][k]))
                                                      : primitive->half[k];
    weights[3] = 1;
}

/* A coordinate of the centre is a sum of four terms: it errs by less than 6 u of their magnitudes, which sum up to m at
   most, and the three of them by 11 u m. */
double grz_mesh_primitive_pose(const grz_mesh_primitive *primitive, const graze_pose *pose, graze_pose *out_pose)
{
    const double *c = primitive->centre;
    double most = 0;
    *out_pose = *pose;
    if (c[0] == 0 && c[1] == 0 && c[2] == 0)
        return primitive->radius;
    for (int k = 0; k < 12; k += 4)
    {
        const double *m = pose->m + k;
        out_pose->m[k + 3] = m[0] * c[0] + m[1] * c[1] + m[2] * c[2] + m[3];
        most = fmax(most, fabs(m[0] * c[0]) + fabs(m[1] * c[1]) + fabs(m[2] * c[2]) + fabs(m[3]));
    }
    /* shortcut: rounded-box-centre */
    return primitive->radius + 16 * GRZ_U * most + 0x1p-700;
}

/* ---- triangles ---- */

static void make_ready(grz_primitive_triangles *set)
{
    const graze_placed *mesh = set->mesh, *placed = set->placed;
    if (set->ready)
        return;
    set->ready = true;
    if (set->primitive->kind != GRZ_MESH_BALL)
    {
        grz_box_frame_make(&set->frame, mesh->shape->mesh, &mesh->pose, set->primitive->half, &placed->pose);
        return;
    }
    graze_placed_mesh surface = {mesh->shape->mesh, NULL, mesh->pose}, core = {placed->shape->mesh, NULL, placed->pose};
    grz_measure_frame_make(&set->balls, set->context, &surface, &core);
}

/* All at once: the nearest one, if it is certainly within the radius. */
static void test_ball(grz_primitive_triangles *set, const uint32_t *triangles, unsigned count,
                      grz_triangles_verdict *out)
{
    double radius = set->primitive->radius, lower = INFINITY, upper = INFINITY, other[3];
    grz_triangle_pair_batch pairs = {.count = count};
    grz_closest_pair gaps[GRZ_LANES];
    unsigned nearest = 0;
    for (unsigned i = 0; i < count; i++)
    {
        pairs.a[i] = triangles[i];
        pairs.b[i] = 0;
    }
    grz_measure_pairs_in_doubles(&set->balls, &pairs, gaps);
    for (unsigned i = 0; i < count; i++)
    {
        lower = fmin(lower, gaps[i].open ? 0 : gaps[i].lower);
        nearest = gaps[i].upper < gaps[nearest].upper ? i : nearest;
    }
    upper = gaps[nearest].upper;
    /* shortcut: balls-within-by-bounds */
    if (upper < radius)
    {
        out->depth = (radius - upper) * (1 - 8 * GRZ_U);
        out->triangle = triangles[nearest];
        grz_closest_points_in_world(&set->balls, &gaps[nearest], out->point, other);
    }
    else if (lower > radius)
        out->gap = (lower - radius) * (1 - 8 * GRZ_U);
}

/* One by one: until one meets it. */
static void test_others(grz_primitive_triangles *set, const uint32_t *triangles, unsigned count,
                        grz_triangles_verdict *out)
{
    const grz_box_frame *frame = &set->frame;
    double least = INFINITY, gap = 0;
    for (unsigned i = 0; i < count; i++)
    {
        gap = 0;
        if (set->primitive->kind == GRZ_MESH_BOX)
            out->depth = grz_box_triangle_depth(frame, triangles[i], out->point);
        else if (set->primitive->kind == GRZ_MESH_CYLINDER)
            out->depth = grz_cylinder_triangle_depth(frame, triangles[i], out->point, &gap);
        else
            out->depth = grz_ellipsoid_triangle_depth(frame, triangles[i], out->point, &gap);
        if (out->depth > 0)
        {
            out->triangle = triangles[i];
            return;
        }
        least = fmin(least, gap);
    }
    out->gap = least;
}

void grz_primitive_test_triangles(grz_primitive_triangles *set, const uint32_t *triangles, unsigned count,
                                  grz_triangles_verdict *out)
{
    make_ready(set);
    out->depth = out->gap = 0;
    if (set->primitive->kind == GRZ_MESH_BALL)
        test_ball(set, triangles, count, out);
    else
        test_others(set, triangles, count, out);
}
