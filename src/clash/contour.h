/* SPDX-License-Identifier: MIT */
/* The boundary of adjacent polygons, such as the shared region of two faces: edges that occur an even number of times
 * cancel, and the others are joined to polylines. Points are equal when their coordinates are, as graze/region.h makes
 * them. */
#ifndef GRZ_CLASH_CONTOUR_H
#define GRZ_CLASH_CONTOUR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct grz_contour_lines
{
    double *points; /* three coordinates each */
    size_t *starts; /* polyline i: points starts[i] to starts[i + 1] - 1; closed ones end at their first point */
    size_t count;
} grz_contour_lines;

/* Polygon i has the points starts[i] to starts[i + 1] - 1. False when out of memory. Release in any case. */
bool grz_contour_of(const graze_context *context, const double *points, const size_t *starts, size_t polygon_count,
                    grz_contour_lines *out_lines);
void grz_contour_release(const graze_context *context, grz_contour_lines *lines);

#endif
