/* SPDX-License-Identifier: MIT */
/* Primitives. Those with corners get the hull of them, round ones that of their core; curved ones are their numbers. */
#include "base/bits.h"
#include "base/environment.h"
#include "shape/create.h"

static graze_status first_of(graze_status first, graze_status second)
{
    return first != GRAZE_STATUS_OK ? first : second;
}

/* ---- points, segments, triangles, boxes, and balls around them ---- */

/* A convex core of a few points, which are finite, with a radius. */
static graze_status create_core(const graze_context *context, graze_shape_kind kind, const double *points, size_t count,
                                double radius, graze_shape **out_shape)
{
    graze_status status = first_of(grz_check_numbers(points, 3 * count), grz_check_sizes(&radius, 1));
    graze_shape *shape = grz_shape_start(context, kind, GRZ_FORM_CORE, status);
    if (shape != NULL)
    {
        status = grz_shape_set_hull(shape, points, count, NULL);
        shape->radius = radius;
    }
    return grz_shape_finish_with(shape, status, out_shape);
}

graze_status graze_shape_create_sphere(const graze_context *context, const double centre[3], double radius,
                                       graze_shape **out_shape)
{
    static const double origin[3] = {0, 0, 0};
    if (out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return create_core(context, GRAZE_SHAPE_SPHERE, centre != NULL ? centre : origin, 1, radius, out_shape);
}

graze_status graze_shape_create_capsule(const graze_context *context, const double ends[2][3], double radius,
                                        graze_shape **out_shape)
{
    if (ends == NULL || out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return create_core(context, GRAZE_SHAPE_CAPSULE, ends[0], 2, radius, out_shape);
}

graze_status graze_shape_create_segment(const graze_context *context, const double points[2][3],
                                        graze_shape **out_shape)
{
    if (points == NULL || out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return create_core(context, GRAZE_SHAPE_SEGMENT, points[0], 2, 0, out_shape);
}

graze_status graze_shape_create_point(const graze_context *context, const double point[3], graze_shape **out_shape)
{
    if (point == NULL || out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return create_core(context, GRAZE_SHAPE_POINT, point, 1, 0, out_shape);
}

/* Halving is exact but for the last bit of a denormal number, which is rounded to even in every environment: the corner
   is where it is, and the box that much larger or smaller than it was to be. */
graze_status graze_shape_create_box(const graze_context *context, const double size[3], graze_shape **out_shape)
{
    if (size == NULL || out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_check_sizes(size, 3);
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    double half[3], corners[8][3];
    for (int axis = 0; axis < 3; axis++)
        half[axis] = size[axis] / 2;
    grz_environment_leave_default(&environment);
    for (int corner = 0; corner < 8; corner++)
        for (int axis = 0; axis < 3; axis++)
            corners[corner][axis] = (corner >> axis & 1) != 0 ? half[axis] : -half[axis];
    graze_shape *shape;
    status = create_core(context, GRAZE_SHAPE_BOX, corners[0], 8, 0, &shape);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (size_t axis = 0; axis < 3; axis++)
        shape->numbers[axis] = size[axis];
    shape->number_count = 3;
    *out_shape = shape;
    return GRAZE_STATUS_OK;
}

/* The triangle keeps its corners, in their order, one side of it: also where they are collinear or equal. */
graze_status graze_shape_create_triangle(const graze_context *context, const double points[3][3],
                                         graze_shape **out_shape)
{
    static const uint32_t corners[3] = {0, 1, 2};
    if (points == NULL || out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_check_numbers(points[0], 9);
    graze_shape *shape = grz_shape_start(context, GRAZE_SHAPE_TRIANGLE, GRZ_FORM_CORE, status);
    if (shape != NULL)
    {
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = points;
        def.vertex_count = 3;
        def.corners = corners;
        def.corner_count = 3;
        status = grz_shape_set_mesh(shape, &def);
        if (status == GRAZE_STATUS_OK)
            status = grz_hull_create(context, points[0], 3, NULL, &shape->own_hull);
        shape->hull = shape->own_hull;
    }
    return grz_shape_finish_with(shape, status, out_shape);
}

static bool can_be_rounded(graze_shape_kind kind)
{
    return kind == GRAZE_SHAPE_BOX || kind == GRAZE_SHAPE_HULL || kind == GRAZE_SHAPE_TRIANGLE ||
           kind == GRAZE_SHAPE_SEGMENT || kind == GRAZE_SHAPE_POINT;
}

graze_status graze_shape_create_rounded(const graze_context *context, const graze_shape *core, double radius,
                                        graze_shape **out_shape)
{
    if (core == NULL || out_shape == NULL || !can_be_rounded(core->kind))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = grz_check_sizes(&radius, 1);
    graze_shape *shape = grz_shape_start(context, GRAZE_SHAPE_ROUNDED, GRZ_FORM_CORE, status);
    if (shape != NULL)
    {
        shape->core = core;
        shape->mesh = core->mesh;
        shape->hull = core->hull;
        shape->solid = core->solid;
        shape->radius = radius;
    }
    return grz_shape_finish_with(shape, status, out_shape);
}

/* ---- curved bodies and half-spaces ---- */

static graze_status create_numbers(const graze_context *context, graze_shape_kind kind, grz_shape_form form,
                                   const double *numbers, size_t count, graze_status status, graze_shape **out_shape)
{
    if (out_shape == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_shape *shape = grz_shape_start(context, kind, form, status);
    if (shape != NULL)
    {
        for (size_t i = 0; i < count; i++)
            shape->numbers[i] = numbers[i];
        shape->number_count = count;
    }
    return grz_shape_finish_with(shape, status, out_shape);
}

graze_status graze_shape_create_cylinder(const graze_context *context, double height, double radius,
                                         graze_shape **out_shape)
{
    const double numbers[2] = {height, radius};
    return create_numbers(context, GRAZE_SHAPE_CYLINDER, GRZ_FORM_CURVED, numbers, 2, grz_check_sizes(numbers, 2),
                          out_shape);
}

graze_status graze_shape_create_cone(const graze_context *context, double height, double radius,
                                     graze_shape **out_shape)
{
    const double numbers[2] = {height, radius};
    return create_numbers(context, GRAZE_SHAPE_CONE, GRZ_FORM_CURVED, numbers, 2, grz_check_sizes(numbers, 2),
                          out_shape);
}

graze_status graze_shape_create_ellipsoid(const graze_context *context, const double radii[3], graze_shape **out_shape)
{
    if (radii == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return create_numbers(context, GRAZE_SHAPE_ELLIPSOID, GRZ_FORM_CURVED, radii, 3, grz_check_sizes(radii, 3),
                          out_shape);
}

graze_status graze_shape_create_half_space(const graze_context *context, const double normal[3], double offset,
                                           graze_shape **out_shape)
{
    if (normal == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const double numbers[4] = {normal[0], normal[1], normal[2], offset};
    graze_status status = grz_check_numbers(numbers, 4);
    if (status == GRAZE_STATUS_OK && grz_is_zero(normal[0]) && grz_is_zero(normal[1]) && grz_is_zero(normal[2]))
        status = GRAZE_STATUS_BAD_ARGUMENT;
    return create_numbers(context, GRAZE_SHAPE_HALF_SPACE, GRZ_FORM_HALF_SPACE, numbers, 4, status, out_shape);
}
