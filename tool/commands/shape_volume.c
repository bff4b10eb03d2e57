/* SPDX-License-Identifier: MIT */
/*
 * Volumes of shapes; see shape_volume.h. All points at most r away from a convex body of volume V, surface A and edges
 * of length l with exterior angles t have the volume V + A r + M r^2 + 4/3 pi r^3, M the sum of l t / 2 (Steiner 1840).
 */
#include "commands/shape_volume.h"

#include <math.h>
#include <stdlib.h>

#include "graze/depth.h"
#include "graze/topology.h"

static const double pi = 3.14159265358979323846;

/* What Steiner's formula wants to know of a core. */
typedef struct core_measures
{
    double volume, area, bend; /* the last: M */
} core_measures;

static void subtract(const double *p, const double *q, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = p[k] - q[k];
}

static double length_of(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]);
}

static double dot(const double u[3], const double v[3])
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* The unit normal of a triangle, and its area. */
static double normal_of(const graze_mesh *mesh, size_t triangle, double out[3])
{
    const double *vertices = graze_mesh_vertices(mesh);
    const uint32_t *corners = graze_mesh_triangles(mesh) + 3 * triangle;
    double u[3], v[3];
    subtract(vertices + 3 * (size_t)corners[1], vertices + 3 * (size_t)corners[0], u);
    subtract(vertices + 3 * (size_t)corners[2], vertices + 3 * (size_t)corners[0], v);
    for (int k = 0; k < 3; k++)
        out[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    double length = length_of(out);
    for (int k = 0; k < 3; k++)
        out[k] = length > 0 ? out[k] / length : 0;
    return 0.5 * length;
}

/* Edges of a closed mesh, each from one of its sides. */
static double bend_of(const graze_mesh *mesh, const graze_body *body)
{
    const double *vertices = graze_mesh_vertices(mesh);
    const uint32_t *corners = graze_mesh_triangles(mesh), *twins = graze_body_twins(body);
    double sum = 0;
    for (size_t i = 0; i < 3 * graze_mesh_triangle_count(mesh); i++)
    {
        double edge[3], here[3], there[3];
        if (twins[i] == UINT32_MAX || twins[i] < i)
            continue;
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        subtract(vertices + 3 * (size_t)corners[next], vertices + 3 * (size_t)corners[i], edge);
        normal_of(mesh, i / 3, here);
        normal_of(mesh, twins[i] / 3, there);
        sum += 0.5 * length_of(edge) * acos(fmax(-1, fmin(1, dot(here, there))));
    }
    return sum;
}

/* A core that bounds a body, perhaps a flat one. */
static bool measure_closed(const graze_mesh *mesh, core_measures *out)
{
    graze_mesh_facts facts;
    graze_body *body = NULL;
    if (graze_mesh_examine(NULL, mesh, NULL, NULL, &facts) != GRAZE_STATUS_OK ||
        graze_body_create(NULL, mesh, NULL, &body) != GRAZE_STATUS_OK)
        return false;
    *out = (core_measures){fabs(facts.volume), facts.area, bend_of(mesh, body)};
    graze_body_destroy(body);
    return true;
}

static bool measure_core(const graze_shape *shape, core_measures *out)
{
    const graze_mesh *mesh = graze_shape_mesh(shape);
    const double *vertices = graze_mesh_vertices(mesh);
    size_t count = graze_mesh_vertex_count(mesh);
    graze_shape_kind kind = graze_shape_get_kind(graze_shape_core(shape) != NULL ? graze_shape_core(shape) : shape);
    double normal[3], edge[3];
    *out = (core_measures){0, 0, 0};
    if (count > 2 && kind != GRAZE_SHAPE_TRIANGLE)
        return measure_closed(mesh, out);
    if (count > 2) /* both sides count */
        out->area = 2 * normal_of(mesh, 0, normal);
    for (size_t i = 0; count > 1 && i < count; i++) /* a segment there and back */
    {
        subtract(vertices + 3 * ((i + 1) % count), vertices + 3 * i, edge);
        out->bend += 0.5 * pi * length_of(edge);
    }
    return true;
}

static bool rounded_volume(const graze_shape *shape, double *out_volume)
{
    core_measures core;
    double r = graze_shape_radius(shape);
    if (!measure_core(shape, &core))
        return false;
    *out_volume = core.volume + core.area * r + core.bend * r * r + 4.0 / 3 * pi * r * r * r;
    return true;
}

/* The sum of all pieces, if no two of their boxes overlap. */
static bool compound_volume(const graze_shape *shape, double *out_volume)
{
    size_t count = graze_shape_part_count(shape);
    const graze_placed *parts = graze_shape_parts(shape);
    graze_box *boxes = calloc(count, sizeof *boxes);
    bool known = boxes != NULL && count <= 2000;
    double sum = 0, volume = 0;
    for (size_t i = 0; i < count && known; i++)
    {
        const double *m = parts[i].pose.m;
        double scale = fabs(m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
                            m[2] * (m[4] * m[9] - m[5] * m[8]));
        known = graze_placed_bounds(&parts[i], &boxes[i]) == GRAZE_STATUS_OK && shape_volume(parts[i].shape, &volume);
        sum += scale * volume;
        for (size_t k = 0; k < i && known; k++)
        {
            bool apart = false;
            for (int axis = 0; axis < 3; axis++)
                apart = apart || boxes[i].lower[axis] >= boxes[k].upper[axis] ||
                        boxes[k].lower[axis] >= boxes[i].upper[axis];
            known = apart;
        }
    }
    free(boxes);
    *out_volume = sum;
    return known;
}

static bool mesh_volume(const graze_shape *shape, double *out_volume)
{
    graze_mesh_facts facts;
    bool is_solid = graze_shape_is_solid(shape);
    *out_volume = 0;
    if (is_solid && graze_mesh_examine(NULL, graze_shape_mesh(shape), NULL, NULL, &facts) != GRAZE_STATUS_OK)
        return false;
    if (is_solid)
        *out_volume = fabs(facts.volume);
    return true;
}

bool shape_volume(const graze_shape *shape, double *out_volume)
{
    double n[3] = {0, 0, 0};
    graze_shape_numbers(shape, n, 3);
    switch (graze_shape_get_kind(shape))
    {
    case GRAZE_SHAPE_SPHERE:
    case GRAZE_SHAPE_CAPSULE:
    case GRAZE_SHAPE_ROUNDED:
        return rounded_volume(shape, out_volume);
    case GRAZE_SHAPE_BOX:
        *out_volume = n[0] * n[1] * n[2];
        return true;
    case GRAZE_SHAPE_CYLINDER:
        *out_volume = pi * n[1] * n[1] * n[0];
        return true;
    case GRAZE_SHAPE_CONE:
        *out_volume = pi * n[1] * n[1] * n[0] / 3;
        return true;
    case GRAZE_SHAPE_ELLIPSOID:
        *out_volume = 4.0 / 3 * pi * n[0] * n[1] * n[2];
        return true;
    case GRAZE_SHAPE_HALF_SPACE:
        return false;
    case GRAZE_SHAPE_COMPOUND:
        return compound_volume(shape, out_volume);
    default:
        return mesh_volume(shape, out_volume);
    }
}
