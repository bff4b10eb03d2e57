/* SPDX-License-Identifier: MIT */
/*
 * Boxes around placed shapes, by intervals, which round outward.
 *
 * Convex cores have their vertices placed one by one, unless there are many: then, and for meshes, the corners of their
 * box. Curved bodies: along a world axis with the row r = (r0, r1, r2) of the matrix, and translation t,
 * - a disk of radius c around the axis z, at height z, reaches from t + z r2 - c s to t + z r2 + c s with s = sqrt(r0^2
 *   + r1^2): a cylinder is the hull of two of them, a cone that of one and of its tip, a disk of radius 0;
 * - an ellipsoid reaches as far as t - s and t + s with s = sqrt(sum over k of (radii[k] r_k)^2).
 */
#include <float.h>
#include <math.h>

#include "base/environment.h"
#include "math/interval.h"
#include "pair/aabb.h"
#include "shape/placed.h"

static graze_box box_of(const interval axes[3])
{
    graze_box box;
    for (int axis = 0; axis < 3; axis++)
    {
        /* Ends at the largest double may have been clamped to it. */
        box.lower[axis] = axes[axis].lower > -DBL_MAX ? axes[axis].lower : -INFINITY;
        box.upper[axis] = axes[axis].upper < DBL_MAX ? axes[axis].upper : INFINITY;
    }
    return box;
}

/* Widened by a radius. */
static graze_box grow(graze_box box, double radius)
{
    interval axes[3];
    for (int axis = 0; axis < 3; axis++)
        axes[axis] = interval_outward(box.lower[axis] - radius, box.upper[axis] + radius);
    return radius != 0 ? box_of(axes) : box;
}

static graze_box unite(graze_box a, graze_box b)
{
    for (int axis = 0; axis < 3; axis++)
    {
        a.lower[axis] = interval_min2(a.lower[axis], b.lower[axis]);
        a.upper[axis] = interval_max2(a.upper[axis], b.upper[axis]);
    }
    return a;
}

static graze_box empty_box(void)
{
    return (graze_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static bool is_identity(const graze_pose *pose)
{
    const graze_pose identity = graze_pose_identity();
    bool same = true;
    for (int i = 0; i < 12; i++)
        same = same && pose->m[i] == identity.m[i];
    return same;
}

static graze_box bounds_of_core(const graze_shape *shape, const graze_pose *pose)
{
    if (graze_mesh_triangle_count(shape->mesh) == 0)
        return empty_box();
    /* shortcut: box-at-the-identity */
    if (is_identity(pose))
        pose = NULL; /* then nothing is rounded */
    if (shape->hull == NULL || shape->hull->vertex_count > GRZ_PLACED_VERTICES)
    {
        graze_box box = grz_aabb_of_mesh(shape->mesh, pose);
        interval axes[3];
        for (int axis = 0; axis < 3; axis++)
            axes[axis] = (interval){box.lower[axis], box.upper[axis]};
        return grow(box_of(axes), shape->radius);
    }
    graze_box box = empty_box();
    for (size_t i = 0; i < shape->hull->vertex_count; i++)
    {
        interval placed[3];
        grz_place_point(shape->hull->vertices[i], pose, placed);
        box = unite(box, box_of(placed));
    }
    return grow(box, shape->radius);
}

/* From 0 to the root of the upper end. */
static interval root(interval square)
{
    return interval_outward(0, sqrt(square.upper));
}

/* At least 0 and at most the square of any number of it: only upper ends are asked for. */
static interval square_of(interval a)
{
    interval magnitude = {0, interval_max2(fabs(a.lower), fabs(a.upper))};
    return interval_mul(magnitude, magnitude);
}

/* centre + [-size, size]. */
static interval around(interval centre, interval size)
{
    interval both = {-size.upper, size.upper};
    return interval_add(centre, both);
}

static interval reach_of_disks(const graze_shape *shape, const double *row)
{
    double height = shape->numbers[0], radius = shape->numbers[1];
    interval square = interval_add(square_of(interval_point(row[0])), square_of(interval_point(row[1])));
    interval size = interval_mul(interval_point(radius), root(square));
    interval rise = interval_mul(interval_outward(height / 2, height / 2), interval_point(row[2]));
    interval top = interval_add(interval_point(row[3]), rise), bottom = interval_sub(interval_point(row[3]), rise);
    return interval_hull(shape->kind == GRAZE_SHAPE_CONE ? top : around(top, size), around(bottom, size));
}

/* Radii are divided by the largest, so that squares do not overflow: what underflows is tiny beside it. */
static interval reach_of_ellipsoid(const graze_shape *shape, const double *row)
{
    double largest = fmax(shape->numbers[0], fmax(shape->numbers[1], shape->numbers[2]));
    interval square = interval_point(0);
    for (int k = 0; k < 3 && largest > 0; k++)
    {
        double ratio = shape->numbers[k] / largest;
        interval term = interval_mul(interval_outward(ratio, ratio), interval_point(row[k]));
        square = interval_add(square, square_of(term));
    }
    return around(interval_point(row[3]), interval_mul(interval_point(largest), root(square)));
}

static graze_box bounds_of_curved(const graze_shape *shape, const graze_pose *pose)
{
    interval axes[3];
    for (int axis = 0; axis < 3; axis++)
    {
        const double *row = pose->m + 4 * axis;
        axes[axis] = shape->kind == GRAZE_SHAPE_ELLIPSOID ? reach_of_ellipsoid(shape, row) : reach_of_disks(shape, row);
    }
    return box_of(axes);
}

/* The pose was checked. */
static graze_box bounds_of(const graze_placed *placed)
{
    const graze_shape *shape = placed->shape;
    if (shape->form == GRZ_FORM_CORE)
        return bounds_of_core(shape, &placed->pose);
    if (shape->form == GRZ_FORM_CURVED)
        return bounds_of_curved(shape, &placed->pose);
    if (shape->form == GRZ_FORM_HALF_SPACE)
        return (graze_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    graze_box box = empty_box();
    for (size_t i = 0; i < shape->part_count; i++)
    {
        graze_placed part;
        if (grz_placed_part(placed, i, &part) == GRAZE_STATUS_OK)
            box = unite(box, bounds_of(&part));
    }
    return box;
}

graze_status graze_placed_bounds(const graze_placed *placed, graze_box *out_bounds)
{
    graze_status status = out_bounds != NULL ? graze_placed_check(placed) : GRAZE_STATUS_BAD_ARGUMENT;
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_environment environment; /* where denormals count for zero, one times a large number would be lost */
    grz_environment_enter_default(&environment);
    graze_box bounds = bounds_of(placed);
    grz_environment_leave_default(&environment);
    *out_bounds = bounds;
    return GRAZE_STATUS_OK;
}
