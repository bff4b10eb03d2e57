/* SPDX-License-Identifier: MIT */
/*
 * Erosion of shapes; see shape_erosion.h. At depth d:
 *
 * - P + r, of radius r around P: P + (r - d); for d > r what is left of P at d - r;
 * - a box: less by 2 d along each axis; a cylinder: its height less by 2 d, its radius by d;
 * - a cone of height h and radius R: the base rises by d, and the tip falls by d / sin, sin = R / sqrt(h^2 + R^2): a
 * cone of the same angle;
 * - an ellipsoid of radii a_k and a the least of them: it holds its image by the factor 1 - d / a, of which points at
 *   most d away lie in it; and it lies in the ellipsoid of radii a_k - d, as |diag(a) n| <= |diag(a - d) n| + d.
 */
#include "clash/shape_erosion.h"

#include <math.h>

typedef struct erosion
{
    const graze_context *context;
    const graze_shape *shape;
    double depth, margin; /* the margin has the sign of the side */
    int side;
    grz_clash_eroded *out;
} erosion;

static bool is_rigid(const graze_pose *pose, bool *out_exact)
{
    const double *m = pose->m;
    bool exact = true;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
        {
            double dot = m[i] * m[k] + m[4 + i] * m[4 + k] + m[8 + i] * m[8 + k];
            if (!(fabs(dot - (i == k)) <= 1e-9))
                return false;
            exact = exact && (m[4 * i + k] == 0 || fabs(m[4 * i + k]) == 1);
        }
    *out_exact = exact;
    return true;
}

/* What exceeds all roundings of sizes below, and what a pose changes of them: it is rigid up to 1e-9, or exactly if it
 * permutes the axes. */
static double margin_of(const graze_placed *placed, double depth)
{
    double n[3] = {0, 0, 0}, place = 0;
    bool is_exact = false;
    is_rigid(&placed->pose, &is_exact);
    const graze_shape *core = graze_shape_core(placed->shape);
    graze_shape_numbers(core != NULL ? core : placed->shape, n, 3);
    for (int axis = 0; axis < 3; axis++)
        place = fmax(place, fabs(placed->pose.m[4 * axis + 3]));
    return (is_exact ? 0x1p-40 : 0x1p-27) * (n[0] + n[1] + n[2] + depth) + 0x1p-48 * place;
}

static bool is_box_core(const graze_shape *shape)
{
    return graze_shape_get_kind(graze_shape_core(shape)) == GRAZE_SHAPE_BOX;
}

bool grz_clash_is_erodible(const graze_placed *placed)
{
    bool exact;
    const graze_shape *core = graze_shape_core(placed->shape);
    switch (graze_shape_get_kind(placed->shape))
    {
    case GRAZE_SHAPE_ROUNDED:
        return graze_shape_get_kind(core) != GRAZE_SHAPE_HULL;
    case GRAZE_SHAPE_BOX:
        return is_rigid(&placed->pose, &exact);
    case GRAZE_SHAPE_SPHERE:
    case GRAZE_SHAPE_CAPSULE:
    case GRAZE_SHAPE_CYLINDER:
    case GRAZE_SHAPE_CONE:
    case GRAZE_SHAPE_ELLIPSOID:
        return true;
    default:
        return false;
    }
}

static double half_least(const double n[3])
{
    return 0.5 * fmin(n[0], fmin(n[1], n[2]));
}

double grz_clash_inner_radius(const graze_placed *placed)
{
    double n[3] = {0, 0, 0}, radius = graze_shape_radius(placed->shape);
    graze_shape_numbers(placed->shape, n, 3);
    switch (graze_shape_get_kind(placed->shape))
    {
    case GRAZE_SHAPE_BOX:
        radius = half_least(n);
        break;
    case GRAZE_SHAPE_CYLINDER:
        radius = fmin(0.5 * n[0], n[1]);
        break;
    case GRAZE_SHAPE_CONE: /* d + d / sin = h */
        radius = n[1] > 0 ? n[0] / (1 + hypot(n[0], n[1]) / n[1]) : 0;
        break;
    case GRAZE_SHAPE_ELLIPSOID:
        radius = 2 * half_least(n);
        break;
    case GRAZE_SHAPE_ROUNDED:
        if (is_box_core(placed->shape) && graze_shape_numbers(graze_shape_core(placed->shape), n, 3) == 3)
            radius += half_least(n);
        break;
    default:
        break;
    }
    return radius * (1 + 0x1p-27) + fabs(margin_of(placed, 0));
}

static graze_status erode_box(const erosion *e, const graze_shape *box, double depth)
{
    double n[3] = {0, 0, 0};
    graze_shape_numbers(box, n, 3);
    for (int axis = 0; axis < 3; axis++)
    {
        n[axis] += e->margin - 2 * depth;
        if (n[axis] < 0)
            return GRAZE_STATUS_OK;
    }
    return graze_shape_create_box(e->context, n, &e->out->own);
}

/* The radius is one of the world: it is only rounded. */
static graze_status erode_round(const erosion *e)
{
    const double *ends = graze_mesh_vertices(graze_shape_mesh(e->shape));
    double radius = nextafter(graze_shape_radius(e->shape) - e->depth, e->side > 0 ? INFINITY : -INFINITY);
    graze_shape_kind kind = graze_shape_get_kind(e->shape);
    if (radius < 0 && kind == GRAZE_SHAPE_ROUNDED && is_box_core(e->shape))
        return erode_box(e, graze_shape_core(e->shape), -radius);
    if (radius < 0)
        return GRAZE_STATUS_OK;
    if (kind == GRAZE_SHAPE_ROUNDED)
        return graze_shape_create_rounded(e->context, graze_shape_core(e->shape), radius, &e->out->own);
    if (kind == GRAZE_SHAPE_CAPSULE && graze_mesh_vertex_count(graze_shape_mesh(e->shape)) > 1)
        return graze_shape_create_capsule(e->context, (const double(*)[3])ends, radius, &e->out->own);
    return graze_shape_create_sphere(e->context, ends, radius, &e->out->own);
}

static graze_status erode_cylinder(const erosion *e)
{
    double n[2] = {0, 0};
    graze_shape_numbers(e->shape, n, 2);
    n[0] += e->margin - 2 * e->depth;
    n[1] += e->margin - e->depth;
    return n[0] < 0 || n[1] < 0 ? GRAZE_STATUS_OK : graze_shape_create_cylinder(e->context, n[0], n[1], &e->out->own);
}

/* The margin is made by scaling about the middle of the axis, from which the surface is at least min(h, R) / sqrt(8)
 * away. Where that is no more than the margin, nothing stands for less, and a ball for more. */
static graze_status erode_cone(const erosion *e)
{
    double n[2] = {0, 0};
    graze_shape_numbers(e->shape, n, 2);
    double fall = n[1] > 0 ? e->depth * (hypot(n[0], n[1]) / n[1]) : INFINITY;
    double height = n[0] - e->depth - fall, radius = n[0] > 0 ? n[1] * (height / n[0]) : 0;
    double least = fmin(height, radius), margin = fabs(e->margin);
    if (!isfinite(fall) || least + margin < 0 || (e->side < 0 && !(least > 16 * margin)))
        return GRAZE_STATUS_OK;
    double shift = 0.5 * (e->depth - fall), scale = 1 + 3 * e->margin / least;
    for (int axis = 0; axis < 3; axis++)
        e->out->placed.pose.m[4 * axis + 3] += shift * e->out->placed.pose.m[4 * axis + 2];
    if (!(least > 16 * margin))
        return graze_shape_create_sphere(e->context, NULL, fmax(height, 0) + fmax(radius, 0) + 4 * margin,
                                         &e->out->own);
    return graze_shape_create_cone(e->context, scale * height, scale * radius, &e->out->own);
}

static graze_status erode_ellipsoid(const erosion *e)
{
    double n[3] = {0, 0, 0};
    graze_shape_numbers(e->shape, n, 3);
    double least = 2 * half_least(n), factor = least > 0 ? 1 - e->depth / least : -1;
    if (least - e->depth + e->margin < 0 || (e->side < 0 && factor < 0))
        return GRAZE_STATUS_OK;
    for (int axis = 0; axis < 3; axis++)
    {
        n[axis] = e->side > 0 ? n[axis] - e->depth + e->margin : n[axis] * factor + e->margin;
        if (n[axis] < 0)
            return GRAZE_STATUS_OK;
    }
    return graze_shape_create_ellipsoid(e->context, n, &e->out->own);
}

graze_status grz_clash_erode(const graze_context *context, const graze_placed *placed, double depth, int side,
                             grz_clash_eroded *out_eroded)
{
    *out_eroded = (grz_clash_eroded){.placed = *placed};
    const erosion e = {context, placed->shape, depth, side * margin_of(placed, depth), side, out_eroded};
    graze_status status = GRAZE_STATUS_UNSUPPORTED;
    switch (graze_shape_get_kind(placed->shape))
    {
    case GRAZE_SHAPE_BOX:
        status = erode_box(&e, placed->shape, depth);
        break;
    case GRAZE_SHAPE_SPHERE:
    case GRAZE_SHAPE_CAPSULE:
    case GRAZE_SHAPE_ROUNDED:
        status = erode_round(&e);
        break;
    case GRAZE_SHAPE_CYLINDER:
        status = erode_cylinder(&e);
        break;
    case GRAZE_SHAPE_CONE:
        status = erode_cone(&e);
        break;
    case GRAZE_SHAPE_ELLIPSOID:
        status = erode_ellipsoid(&e);
        break;
    default:
        break;
    }
    out_eroded->placed.shape = out_eroded->own;
    return status;
}

void grz_clash_eroded_release(grz_clash_eroded *eroded)
{
    graze_shape_destroy(eroded->own);
    *eroded = (grz_clash_eroded){.own = NULL};
}
