/* SPDX-License-Identifier: MIT */
/* The border of many polygons that lie side by side, as what two faces share does: sides that two of them have in
 * common are left out, and the others are joined to lines. Points count as the same when their numbers are, which is
 * how graze/region.h makes them. */
#ifndef TOOL_PAGE_CONTOUR_H
#define TOOL_PAGE_CONTOUR_H

#include <stdbool.h>
#include <stddef.h>

typedef struct contour_lines
{
    double *points; /* three numbers each */
    size_t *starts; /* line i goes from point starts[i] to starts[i + 1] - 1; closed ones end where they begin */
    size_t count;
} contour_lines;

/* Polygon i has the points from starts[i] to starts[i + 1] - 1. False when memory ends. Release in any case. */
bool contour_of(const double *points, const size_t *starts, size_t polygon_count, contour_lines *out_lines);
void contour_release(contour_lines *lines);

#endif
