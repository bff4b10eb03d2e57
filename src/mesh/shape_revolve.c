/* SPDX-License-Identifier: MIT */
/*
 * Surfaces of revolution around z: sphere by latitude and longitude, cylinder, cone, hyperboloid and torus. All but
 * the torus are tubes that travel upward along the axis; a profile gives each ring's radius and height, and at both
 * ends the height of the closing vertex.
 */
#include <math.h>

#include "graze/generate.h"
#include "mesh/shape_builder.h"

typedef enum profile_kind
{
    PROFILE_SPHERE,
    PROFILE_CYLINDER,
    PROFILE_CONE,
    PROFILE_HYPERBOLOID
} profile_kind;

typedef struct profile
{
    profile_kind kind;
    double radius, height;
    double waist;   /* of the hyperboloid, as a fraction of the radius */
    uint32_t bands; /* quads from bottom to top, without the lids */
    grz_tube tube;
} profile;

/* Radius and height of a ring; at the ends the radius is not used. */
static void ring_at(const profile *p, uint32_t ring, double *out_radius, double *out_z)
{
    if (p->kind == PROFILE_SPHERE)
    {
        double down;
        grz_circle(ring, 2 * (uint64_t)p->bands, &down, out_radius);
        *out_radius *= p->radius;
        *out_z = -down * p->radius;
        return;
    }
    /* The first ring is the lower lid's rim, level 0; the last is the upper lid's, or below a cone's tip, level
     * `bands`. */
    double level = ring == 0 ? 0 : fmin(ring - 1, p->bands);
    double up = (2 * level - p->bands) / p->bands; /* from -1 to 1, symmetric */
    *out_z = p->height * 0.5 * up;
    *out_radius = p->radius;
    if (p->kind == PROFILE_CONE)
        *out_radius *= 0.5 - 0.5 * up;
    else if (p->kind == PROFILE_HYPERBOLOID)
        *out_radius *= sqrt(p->waist * p->waist * (1 - up * up) + up * up);
}

static v3 revolved_point(const void *user, uint32_t ring, uint32_t segment)
{
    const profile *p = user;
    double radius, z, cosine, sine;
    ring_at(p, ring, &radius, &z);
    if (ring == 0 || ring > p->tube.ring_count)
        radius = 0;
    grz_circle(segment, p->tube.segment_count, &cosine, &sine);
    return v3_make(radius * cosine, radius * sine, z);
}

static graze_status revolve(const graze_context *context, const profile *p, graze_mesh **out_mesh)
{
    grz_shape shape;
    graze_status status =
        grz_shape_begin(&shape, context, grz_tube_vertex_count(p->tube), grz_tube_triangle_count(p->tube));
    if (status != GRAZE_STATUS_OK)
        return status;
    grz_shape_tube(&shape, p->tube, revolved_point, p);
    return grz_shape_finish(&shape, NULL, out_mesh);
}

graze_status graze_mesh_create_sphere(const graze_context *context, double radius, uint32_t segments, uint32_t rings,
                                      graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(radius) || segments < 3 || rings < 2)
        return GRAZE_STATUS_BAD_ARGUMENT;
    profile p = {.kind = PROFILE_SPHERE, .radius = radius, .bands = rings, .tube = {rings - 1, segments}};
    return revolve(context, &p, out_mesh);
}

graze_status graze_mesh_create_cylinder(const graze_context *context, double radius, double height, uint32_t segments,
                                        uint32_t rings, graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(radius) || !grz_size_valid(height) || segments < 3 || rings < 1)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (rings == UINT32_MAX)
        return GRAZE_STATUS_TOO_LARGE;
    profile p = {PROFILE_CYLINDER, radius, height, 1, rings, {rings + 1, segments}};
    return revolve(context, &p, out_mesh);
}

graze_status graze_mesh_create_cone(const graze_context *context, double radius, double height, uint32_t segments,
                                    uint32_t rings, graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(radius) || !grz_size_valid(height) || segments < 3 || rings < 1)
        return GRAZE_STATUS_BAD_ARGUMENT;
    profile p = {PROFILE_CONE, radius, height, 0, rings, {rings, segments}};
    return revolve(context, &p, out_mesh);
}

graze_status graze_mesh_create_hyperboloid(const graze_context *context, double waist_radius, double rim_radius,
                                           double height, uint32_t segments, uint32_t rings, graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(waist_radius) || !grz_size_valid(rim_radius) || !grz_size_valid(height))
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (waist_radius > rim_radius || segments < 3 || rings < 2)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (rings == UINT32_MAX)
        return GRAZE_STATUS_TOO_LARGE;
    profile p = {PROFILE_HYPERBOLOID, rim_radius, height, waist_radius / rim_radius, rings, {rings + 1, segments}};
    return revolve(context, &p, out_mesh);
}

graze_status graze_mesh_create_torus(const graze_context *context, double ring_radius, double tube_radius,
                                     uint32_t segments, uint32_t sides, graze_mesh **out_mesh)
{
    if (out_mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!grz_size_valid(ring_radius) || !grz_size_valid(tube_radius) || tube_radius >= ring_radius)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (segments < 3 || sides < 3)
        return GRAZE_STATUS_BAD_ARGUMENT;
    uint64_t quads = grz_count_times(segments, sides);
    grz_shape shape;
    graze_status status = grz_shape_begin(&shape, context, quads, 2 * quads);
    if (status != GRAZE_STATUS_OK)
        return status;
    for (uint32_t side = 0; side < sides; side++)
    {
        double out, up;
        grz_circle(side, sides, &out, &up);
        for (uint32_t segment = 0; segment < segments; segment++)
        {
            double cosine, sine;
            grz_circle(segment, segments, &cosine, &sine);
            double radius = ring_radius + tube_radius * out;
            grz_shape_vertex(&shape, v3_make(radius * cosine, radius * sine, tube_radius * up));
        }
    }
    for (uint32_t side = 0; side < sides; side++)
        grz_shape_band(&shape, side * segments, (side + 1) % sides * segments, segments);
    return grz_shape_finish(&shape, NULL, out_mesh);
}
