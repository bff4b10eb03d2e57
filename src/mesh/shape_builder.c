/* SPDX-License-Identifier: MIT */
/* The builder of generated shapes; see shape_builder.h. */
#include "mesh/shape_builder.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"

/* Beyond any mesh, and small enough that thousands of such counts can be added in 64 bits. */
#define COUNT_CEILING ((uint64_t)1 << 48)

bool grz_size_valid(double size)
{
    return isfinite(size) && size > 0;
}

uint64_t grz_count_times(uint64_t a, uint64_t b)
{
    if (a != 0 && b > COUNT_CEILING / a)
        return COUNT_CEILING;
    return a * b;
}

graze_status grz_shape_begin(grz_shape *shape, const graze_context *context, uint64_t vertex_count,
                             uint64_t triangle_count)
{
    /* The limits of graze_mesh_create. */
    if (vertex_count >= UINT32_MAX || triangle_count >= UINT32_MAX / 3)
        return GRAZE_STATUS_TOO_LARGE;
    grz_shape made = {.context = context};
    made.vertex_limit = (size_t)vertex_count;
    made.corner_limit = 3 * (size_t)triangle_count;
    made.vertices = grz_allocate(context, made.vertex_limit, 3 * sizeof(double));
    made.corners = grz_allocate(context, made.corner_limit, sizeof(uint32_t));
    if (made.vertices == NULL || made.corners == NULL)
    {
        grz_shape_discard(&made);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    *shape = made;
    return GRAZE_STATUS_OK;
}

void grz_shape_discard(grz_shape *shape)
{
    grz_release(shape->context, shape->vertices);
    grz_release(shape->context, shape->corners);
    shape->vertices = NULL;
    shape->corners = NULL;
}

uint32_t grz_shape_vertex(grz_shape *shape, v3 point)
{
    if (shape->vertex_count == shape->vertex_limit)
    {
        shape->overfull = true;
        return 0;
    }
    v3_store(point, shape->vertices + 3 * shape->vertex_count);
    return (uint32_t)shape->vertex_count++;
}

void grz_shape_triangle(grz_shape *shape, uint32_t a, uint32_t b, uint32_t c)
{
    if (shape->corner_count == shape->corner_limit)
    {
        shape->overfull = true;
        return;
    }
    uint32_t *corners = shape->corners + shape->corner_count;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    shape->corner_count += 3;
}

void grz_shape_quad(grz_shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    grz_shape_triangle(shape, a, b, c);
    grz_shape_triangle(shape, a, c, d);
}

static bool same_point(const double *vertices, uint32_t a, uint32_t b)
{
    const double *p = vertices + 3 * (size_t)a, *q = vertices + 3 * (size_t)b;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static graze_status check(const grz_shape *shape, graze_error *error)
{
    if (shape->overfull || shape->vertex_count != shape->vertex_limit || shape->corner_count != shape->corner_limit)
        return grz_error(error, GRAZE_STATUS_INTERNAL, "a generated shape has another size than announced");
    for (size_t i = 0; i < 3 * shape->vertex_count; i++)
        if (!isfinite(shape->vertices[i]))
            return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "the shape is too large: a coordinate overflows");
    for (size_t i = 0; i < shape->corner_count; i += 3)
    {
        const uint32_t *corners = shape->corners + i;
        for (int k = 0; k < 3; k++)
            if (same_point(shape->vertices, corners[k], corners[(k + 1) % 3]))
                return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT,
                                 "two corners of a triangle fall together: a size is too small beside the others");
    }
    return GRAZE_STATUS_OK;
}

graze_status grz_shape_finish(grz_shape *shape, graze_error *error, graze_mesh **out_mesh)
{
    graze_status status = check(shape, error);
    if (status == GRAZE_STATUS_OK)
    {
        graze_mesh_def def = graze_mesh_def_default();
        def.vertices = shape->vertices;
        def.vertex_count = shape->vertex_count;
        def.corners = shape->corners;
        def.corner_count = shape->corner_count;
        status = graze_mesh_create(shape->context, &def, error, out_mesh);
    }
    grz_shape_discard(shape);
    return status;
}

void grz_circle(uint64_t index, uint64_t count, double *out_cosine, double *out_sine)
{
    uint64_t eighth = 8 * index / count;
    uint64_t rest = 8 * index - eighth * count;
    if (eighth % 2 == 1)
        rest = count - rest;
    double angle = GRZ_PI / 4 * ((double)rest / (double)count);
    double cosine = rest == count ? sqrt(0.5) : cos(angle);
    double sine = rest == count ? sqrt(0.5) : sin(angle);
    if ((eighth + 1) % 4 >= 2) /* nearer to the y axis than to the x axis */
    {
        double swap = cosine;
        cosine = sine;
        sine = swap;
    }
    eighth %= 8;
    *out_cosine = eighth >= 2 && eighth < 6 ? -cosine : cosine;
    *out_sine = eighth >= 4 ? -sine : sine;
}

uint64_t grz_tube_vertex_count(grz_tube tube)
{
    return grz_count_times(tube.ring_count, tube.segment_count) + 2;
}

uint64_t grz_tube_triangle_count(grz_tube tube)
{
    return grz_count_times(2 * (uint64_t)tube.ring_count, tube.segment_count);
}

void grz_shape_band(grz_shape *shape, uint32_t first_ring, uint32_t second_ring, uint32_t segment_count)
{
    for (uint32_t i = 0; i < segment_count; i++)
    {
        uint32_t j = i + 1 == segment_count ? 0 : i + 1;
        grz_shape_quad(shape, first_ring + i, first_ring + j, second_ring + j, second_ring + i);
    }
}

void grz_shape_tube(grz_shape *shape, grz_tube tube, grz_tube_function *point, const void *user)
{
    uint32_t segment_count = tube.segment_count;
    uint32_t start = grz_shape_vertex(shape, point(user, 0, 0));
    uint32_t first_ring = start + 1;
    for (uint32_t ring = 1; ring <= tube.ring_count; ring++)
        for (uint32_t segment = 0; segment < segment_count; segment++)
            grz_shape_vertex(shape, point(user, ring, segment));
    uint32_t end = grz_shape_vertex(shape, point(user, tube.ring_count + 1, 0));
    uint32_t last_ring = end - segment_count;

    for (uint32_t i = 0; i < segment_count; i++)
        grz_shape_triangle(shape, start, first_ring + (i + 1) % segment_count, first_ring + i);
    for (uint32_t ring = first_ring; ring != last_ring; ring += segment_count)
        grz_shape_band(shape, ring, ring + segment_count, segment_count);
    for (uint32_t i = 0; i < segment_count; i++)
        grz_shape_triangle(shape, last_ring + i, last_ring + (i + 1) % segment_count, end);
}

/* The best number of rings for that many segments. */
static grz_tube with_segments(double triangle_count, uint32_t segment_count, grz_tube least)
{
    double ring_count = floor(triangle_count / (2 * (double)segment_count) + 0.5);
    grz_tube tube = {least.ring_count, segment_count};
    if (ring_count >= UINT32_MAX)
        tube.ring_count = UINT32_MAX - 1;
    else if (ring_count > least.ring_count)
        tube.ring_count = (uint32_t)ring_count;
    return tube;
}

grz_tube grz_tube_fit(double triangle_count, double aspect, grz_tube least)
{
    double ideal = floor(sqrt(triangle_count > 0 ? triangle_count / (2 * aspect) : 0) + 0.5);
    int spread = (int)fmin(ideal / 8, 16); /* how far from the ideal to search for a better count */
    grz_tube best = {0, 0};
    double best_error = INFINITY;
    for (int step = -spread; step <= spread; step++)
    {
        double segment_count = fmin(fmax(ideal + step, least.segment_count), UINT32_MAX - 1);
        grz_tube tube = with_segments(triangle_count, (uint32_t)segment_count, least);
        double error = fabs(2 * (double)tube.ring_count * tube.segment_count - triangle_count);
        if (error < best_error)
        {
            best = tube;
            best_error = error;
        }
    }
    return best;
}
