/* SPDX-License-Identifier: MIT */
/* What a geometry of a report page is, where facets only stand for it (viewer/README.md). */
#ifndef TOOL_PAGE_SHAPE_JSON_H
#define TOOL_PAGE_SHAPE_JSON_H

#include "graze/shape.h"
#include "text/json_writer.h"

/* Writes the member "shape" of a sphere, capsule, cylinder, cone, ellipsoid or half-space; nothing of others, NULL
 * among them. */
void page_shape_describe(grz_json_writer *json, const graze_shape *shape);

#endif
