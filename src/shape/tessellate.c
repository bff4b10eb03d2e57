/* SPDX-License-Identifier: MIT */
/*
 * Meshes of shapes. Those of round and curved kinds are hulls of points, so that they are closed and convex: inscribed,
 * when the points belong to the shape, or around it, when their support function is nowhere below the shape's.
 *
 * The unit ball: points on a grid of angles, `a` apart along meridians and `b` along parallels. Each direction is at an
 * angle t to some point with sin^2(t / 2) <= sin^2(a / 4) + sin^2(b / 4), by the haversine formula, so that the hull
 * of the points times 1 / cos(t) holds the ball. The disk: times 1 / cos(pi / n).
 *
 * A pose that is rigid up to 1e-9 changes lengths by less than 2e-9; the world has balls all the same. A factor of
 * 1 +- 4e-9 exceeds that and all roundings.
 */
#include <math.h>
#include <string.h>

#include "base/environment.h"
#include "base/memory.h"
#include "base/struct_size.h"
#include "shape/create.h"

enum
{
    LEAST_SEGMENTS = 4,
    MOST_SEGMENTS = 1024
};

static const double pi = 3.14159265358979323846, slack_of_poses = 4e-9;

/* Points whose hull is made. */
typedef struct cloud
{
    const graze_context *context;
    double (*points)[3];
    size_t count, capacity;
    uint32_t segments;
    bool around;
} cloud;

static bool reserve(cloud *c, size_t capacity)
{
    c->points = grz_allocate(c->context, capacity, sizeof *c->points);
    c->capacity = capacity;
    return c->points != NULL;
}

static void add(cloud *c, double x, double y, double z)
{
    double *point = c->points[c->count++];
    point[0] = x;
    point[1] = y;
    point[2] = z;
}

static double grow(const cloud *c, double factor)
{
    return c->around ? factor * (1 + slack_of_poses) : 1 - slack_of_poses;
}

/* A radius around a point whose coordinates, too, are rounded. */
static double radius_around(const cloud *c, const double centre[3], double radius)
{
    double largest = fmax(fabs(centre[0]), fmax(fabs(centre[1]), fabs(centre[2])));
    double rounding = 0x1p-50 * largest + 0x1p-1040;
    return c->around ? radius + rounding : fmax(radius - rounding, 0);
}

/* A ball, scaled along each axis. */
static void add_ball(cloud *c, const double centre[3], const double radii[3])
{
    uint32_t n = c->segments, rings = n / 2;
    double a = sin(pi / (4 * rings)), b = sin(pi / (2 * n));
    double factor = grow(c, 1 / (1 - 2 * (a * a + b * b)));
    for (uint32_t i = 0; i <= rings; i++)
    {
        double polar = pi * i / rings, height = i == 0 ? 1 : i == rings ? -1 : 2 * i == rings ? 0 : cos(polar);
        uint32_t count = i == 0 || i == rings ? 1 : n;
        for (uint32_t k = 0; k < count; k++)
        {
            double angle = 2 * pi * k / n, width = count == 1 ? 0 : sin(polar);
            add(c, centre[0] + factor * radii[0] * width * cos(angle),
                centre[1] + factor * radii[1] * width * sin(angle), centre[2] + factor * radii[2] * height);
        }
    }
}

static size_t ball_size(const cloud *c)
{
    return (size_t)c->segments * (c->segments / 2);
}

/* A disk across z. */
static void add_disk(cloud *c, double radius, double z)
{
    double factor = grow(c, 1 / cos(pi / c->segments)), ends = c->around ? 1 + slack_of_poses : 1 - slack_of_poses;
    for (uint32_t k = 0; k < c->segments; k++)
    {
        double angle = 2 * pi * k / c->segments;
        add(c, factor * radius * cos(angle), factor * radius * sin(angle), ends * z);
    }
}

/* Points of a shape with a radius, or of a curved one. False when out of memory. */
static bool fill(cloud *c, const graze_shape *shape)
{
    const double *n = shape->numbers;
    switch (shape->kind)
    {
    case GRAZE_SHAPE_CYLINDER:
    case GRAZE_SHAPE_CONE:
        if (!reserve(c, 2 * (size_t)c->segments + 1))
            return false;
        add_disk(c, n[1], -0.5 * n[0]);
        if (shape->kind == GRAZE_SHAPE_CYLINDER)
            add_disk(c, n[1], 0.5 * n[0]);
        else
            add(c, 0, 0, 0.5 * n[0] * (c->around ? 1 + slack_of_poses : 1 - slack_of_poses));
        return true;
    case GRAZE_SHAPE_ELLIPSOID:
        if (!reserve(c, ball_size(c)))
            return false;
        add_ball(c, (const double[3]){0, 0, 0}, n);
        return true;
    default:
        if (!reserve(c, shape->hull->vertex_count * ball_size(c)))
            return false;
        for (size_t i = 0; i < shape->hull->vertex_count; i++)
        {
            double radius = radius_around(c, shape->hull->vertices[i], shape->radius);
            add_ball(c, shape->hull->vertices[i], (const double[3]){radius, radius, radius});
        }
        return true;
    }
}

static graze_status tessellate_convex(const graze_context *context, const graze_shape *shape,
                                      const graze_tessellation_options *options, graze_shape **out_hull)
{
    cloud c = {.context = context, .segments = options->segments / 4 * 4, .around = options->around};
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    if (fill(&c, shape))
        status = graze_shape_create_hull(context, c.points[0], c.count, &options->budget, out_hull);
    grz_release(context, c.points);
    return status;
}

graze_status graze_shape_tessellate(const graze_context *context, const graze_shape *shape,
                                    const graze_tessellation_options *options, graze_shape **out_shape)
{
    GRZ_FULL_STRUCT(graze_tessellation_options, options);
    if (shape == NULL || out_shape == NULL || !options_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_tessellation_options defaults = graze_tessellation_options_default();
    options = options != NULL ? options : &defaults;
    if (options->segments < LEAST_SEGMENTS || options->segments > MOST_SEGMENTS)
        return GRAZE_STATUS_BAD_ARGUMENT;
    bool is_curved = shape->form == GRZ_FORM_CURVED || (shape->form == GRZ_FORM_CORE && shape->radius > 0) ||
                     shape->kind == GRAZE_SHAPE_SPHERE || shape->kind == GRAZE_SHAPE_CAPSULE ||
                     shape->kind == GRAZE_SHAPE_ROUNDED;
    if (!is_curved)
        return GRAZE_STATUS_UNSUPPORTED;
    grz_environment environment;
    grz_environment_enter_default(&environment);
    graze_status status = tessellate_convex(context, shape, options, out_shape);
    grz_environment_leave_default(&environment);
    return status;
}
