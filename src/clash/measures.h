/* SPDX-License-Identifier: MIT */
/* Measures of a pair as members of its finding: what contact regions, interference and distance queries answer. */
#ifndef GRZ_CLASH_MEASURES_H
#define GRZ_CLASH_MEASURES_H

#include "clash/report.h"
#include "graze/depth.h"
#include "graze/distance.h"

/* The contact: kind, area, point, box, and locations where it has several pieces. `offset` is added to all points.
 * Details are made where they are needed. False when out of memory. */
bool grz_clash_set_contact(const graze_context *context, graze_clash_finding *f, const graze_region *region,
                           const double offset[3]);

/* Depth, way out and volume of parts that cross, and the deepest point as the finding's point; those of its locations,
 * if it has some. False when out of memory. */
bool grz_clash_set_interference(const graze_context *context, graze_clash_finding *f,
                                const graze_interference *measures, bool has_volume);

/* The gap and its ends. False when out of memory. */
bool grz_clash_set_gap(const graze_context *context, graze_clash_finding *f, const graze_distance *distance);

#endif
