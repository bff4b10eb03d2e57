/* SPDX-License-Identifier: MIT */
/*
 * Extrusion of a polygon with holes. The lids are triangulated by graze_mesh_create, exactly, as one flat face; the
 * walls stand on the loops' edges. The direction in which a loop is given does not matter.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graze/exact.h"
#include "graze/generate.h"
#include "mesh/shape_builder.h"

typedef struct outline
{
    const double *points; /* x, y each */
    uint32_t point_count;
    const uint32_t *loop_sizes;
    size_t loop_count;
    double *vertices;  /* the points in the plane z = 0 */
    uint32_t *corners; /* point numbers, the outer loop counter-clockwise, holes clockwise */
} outline;

static graze_status count_points(outline *o, graze_error *error)
{
    uint64_t count = 0;
    for (size_t l = 0; l < o->loop_count; l++)
    {
        if (o->loop_sizes[l] < 3)
            return grz_error_index(error, GRAZE_STATUS_TOO_FEW_CORNERS, l, "loop %zu has %lu corners; it needs three",
                                   l, (unsigned long)o->loop_sizes[l]);
        count += o->loop_sizes[l];
        if (count >= UINT32_MAX)
            return grz_error(error, GRAZE_STATUS_TOO_LARGE, "more points than 32-bit indices can name");
    }
    for (uint64_t i = 0; i < count; i++)
        if (!isfinite(o->points[2 * i]) || !isfinite(o->points[2 * i + 1]))
            return grz_error_index(error, GRAZE_STATUS_NOT_FINITE, i, "point %llu is not finite",
                                   (unsigned long long)i);
    o->point_count = (uint32_t)count;
    return GRAZE_STATUS_OK;
}

/* 1 when a loop that does not cross itself runs counter-clockwise, -1 when clockwise. Its lowest among the leftmost
   points is a convex corner, so the turn there decides; no turn there means that the loop runs back over itself. */
static int loop_direction(const double *points, uint32_t first, uint32_t size)
{
    uint32_t lowest = 0;
    for (uint32_t i = 1; i < size; i++)
    {
        const double *p = points + 2 * (size_t)(first + i), *q = points + 2 * (size_t)(first + lowest);
        if (p[0] < q[0] || (p[0] == q[0] && p[1] < q[1]))
            lowest = i;
    }
    uint32_t before = first + (lowest == 0 ? size - 1 : lowest - 1), after = first + (lowest + 1) % size;
    return graze_point_orient2d(points + 2 * (size_t)before, points + 2 * (size_t)(first + lowest),
                                points + 2 * (size_t)after);
}

static graze_status direct_loops(outline *o, graze_error *error)
{
    uint32_t first = 0;
    for (size_t l = 0; l < o->loop_count; l++)
    {
        uint32_t size = o->loop_sizes[l];
        int direction = loop_direction(o->points, first, size);
        if (direction == 0)
            return grz_error_index(error, GRAZE_STATUS_BAD_ARGUMENT, l, "loop %zu runs back over itself", l);
        bool forward = (direction > 0) == (l == 0);
        for (uint32_t i = 0; i < size; i++)
            o->corners[first + i] = forward ? first + i : first + size - 1 - i;
        first += size;
    }
    return GRAZE_STATUS_OK;
}

/* The outline as one face in the plane z = 0. */
static graze_status cut_lid(const graze_context *context, const outline *o, graze_error *error, graze_mesh **out_lid)
{
    uint32_t loops_of_face = (uint32_t)o->loop_count;
    graze_mesh_def def = graze_mesh_def_default();
    def.vertices = o->vertices;
    def.vertex_count = o->point_count;
    def.corners = o->corners;
    def.corner_count = o->point_count;
    def.loop_sizes = o->loop_sizes;
    def.loop_count = o->loop_count;
    def.face_loop_counts = &loops_of_face;
    def.face_count = 1;
    graze_mesh *lid = NULL;
    graze_status status = graze_mesh_create(context, &def, error, &lid);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (graze_mesh_irregular_face_count(lid) > 0)
    {
        graze_mesh_destroy(lid);
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "the loops cross, or a hole lies outside");
    }
    *out_lid = lid;
    return GRAZE_STATUS_OK;
}

static graze_status extrude(const graze_context *context, const outline *o, const graze_mesh *lid, double height,
                            graze_error *error, graze_mesh **out_mesh)
{
    uint32_t n = o->point_count;
    size_t lid_count = graze_mesh_triangle_count(lid);
    const uint32_t *cut = graze_mesh_triangles(lid);
    grz_shape shape;
    graze_status status = grz_shape_begin(&shape, context, 2 * (uint64_t)n, 2 * (uint64_t)lid_count + 2 * (uint64_t)n);
    if (status != GRAZE_STATUS_OK)
        return grz_error(error, status, "cannot extrude %lu points", (unsigned long)n);
    for (int layer = 0; layer < 2; layer++)
        for (uint32_t i = 0; i < n; i++)
            grz_shape_vertex(&shape,
                             v3_make(o->points[2 * (size_t)i], o->points[2 * (size_t)i + 1], layer == 0 ? 0 : height));
    for (size_t t = 0; t < lid_count; t++, cut += 3)
    {
        grz_shape_triangle(&shape, cut[0], cut[2], cut[1]);
        grz_shape_triangle(&shape, n + cut[0], n + cut[1], n + cut[2]);
    }
    uint32_t first = 0;
    for (size_t l = 0; l < o->loop_count; l++)
    {
        uint32_t size = o->loop_sizes[l];
        for (uint32_t i = 0; i < size; i++)
        {
            uint32_t a = o->corners[first + i], b = o->corners[first + (i + 1) % size];
            grz_shape_quad(&shape, a, b, n + b, n + a);
        }
        first += size;
    }
    return grz_shape_finish(&shape, error, out_mesh);
}

static graze_status direct_and_extrude(const graze_context *context, outline *o, double height, graze_error *error,
                                       graze_mesh **out_mesh)
{
    for (uint32_t i = 0; i < o->point_count; i++)
    {
        o->vertices[3 * (size_t)i] = o->points[2 * (size_t)i];
        o->vertices[3 * (size_t)i + 1] = o->points[2 * (size_t)i + 1];
        o->vertices[3 * (size_t)i + 2] = 0;
    }
    graze_status status = direct_loops(o, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    graze_mesh *lid = NULL;
    status = cut_lid(context, o, error, &lid);
    if (status != GRAZE_STATUS_OK)
        return status;
    status = extrude(context, o, lid, height, error, out_mesh);
    graze_mesh_destroy(lid);
    return status;
}

graze_status graze_mesh_create_extrusion(const graze_context *context, const double *points, const uint32_t *loop_sizes,
                                         size_t loop_count, double height, graze_error *error, graze_mesh **out_mesh)
{
    if (points == NULL || loop_sizes == NULL || loop_count == 0 || loop_count >= UINT32_MAX || out_mesh == NULL)
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "there are no loops to extrude, or out_mesh is NULL");
    if (!grz_size_valid(height))
        return grz_error(error, GRAZE_STATUS_BAD_ARGUMENT, "the height is not positive and finite");
    outline o = {.points = points, .loop_sizes = loop_sizes, .loop_count = loop_count};
    graze_status status = count_points(&o, error);
    if (status != GRAZE_STATUS_OK)
        return status;
    o.vertices = grz_allocate(context, o.point_count, 3 * sizeof(double));
    o.corners = grz_allocate(context, o.point_count, sizeof(uint32_t));
    if (o.vertices == NULL || o.corners == NULL)
        status = grz_error(error, GRAZE_STATUS_OUT_OF_MEMORY, "no memory for %lu points", (unsigned long)o.point_count);
    else
        status = direct_and_extrude(context, &o, height, error, out_mesh);
    grz_release(context, o.vertices);
    grz_release(context, o.corners);
    return status;
}
