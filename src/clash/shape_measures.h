/* SPDX-License-Identifier: MIT */
/* How deep a pair is in each other in which a part is tested as a shape: depth, way out, volume and contact. */
#ifndef GRZ_CLASH_SHAPE_MEASURES_H
#define GRZ_CLASH_SHAPE_MEASURES_H

#include "clash/report.h"
#include "graze/shape_query.h"

typedef struct grz_clash_shape_measures
{
    graze_verdict overlap;       /* of the interiors */
    double depth[2], way_out[2]; /* certified bounds */
    double translation[3];       /* the way out, of b */
    double point[3], nearest[3]; /* the deepest point that is known, and about the closest one of the surface */
    bool has_volume;
    double volume, volume_error; /* certified */
    graze_region *region;        /* about the contact, and its pieces; owned by the caller; NULL: not known */
} grz_clash_shape_measures;

/* Measures two parts that meet, or may; `hit` (may be NULL) is a place where they do. The depth is known well enough
 * when it is known up to `resolution`, or to a hundredth. Fails as the queries of graze/shape_query.h. */
graze_status grz_clash_measure_shapes(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                      const graze_shape_hit *hit, double resolution,
                                      grz_clash_shape_measures *out_measures);

/* Bounds of the volume of a sphere, capsule, cylinder, cone or ellipsoid; false for other parts. */
bool grz_clash_volume_of(const grz_clash_part *part, double out_bounds[2]);

#endif
