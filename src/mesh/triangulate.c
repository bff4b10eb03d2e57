/* SPDX-License-Identifier: MIT */
/* Triangulation; see triangulate.h. */
#include "mesh/triangulate.h"

#include "base/memory.h"

graze_status grz_triangulate(grz_triangulator *triangulator, const grz_polygon *polygon, uint32_t *out_triangles,
                             bool *out_irregular)
{
    (void)triangulator;
    size_t count = polygon->loop_starts[polygon->loop_count] - polygon->loop_starts[0];
    size_t triangle_count = grz_polygon_triangle_count(count, polygon->loop_count);
    for (size_t t = 0; t < triangle_count; t++)
    {
        out_triangles[3 * t] = polygon->corners[0];
        out_triangles[3 * t + 1] = polygon->corners[(t + 1) % count];
        out_triangles[3 * t + 2] = polygon->corners[(t + 2) % count];
    }
    *out_irregular = polygon->loop_count > 1;
    return GRAZE_STATUS_OK;
}

void grz_triangulator_release(grz_triangulator *triangulator)
{
    grz_release(triangulator->context, triangulator->memory);
    triangulator->memory = NULL;
}
