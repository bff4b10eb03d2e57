/* SPDX-License-Identifier: MIT */
/* See plane.h. */
#include "shape/plane.h"

#include <math.h>

#include "base/memory.h"

graze_status grz_plane_create(grz_shape_query *q, const graze_placed *placed, grz_half_space **out)
{
    grz_half_space *h = grz_allocate(q->context, 1, sizeof *h);
    if (h == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    if (!grz_half_space_place(placed, h))
    {
        grz_release(q->context, h);
        return GRAZE_STATUS_SINGULAR;
    }
    *out = h;
    return GRAZE_STATUS_OK;
}

void grz_plane_direction(const grz_half_space *h, double out[3])
{
    double d[3], largest = 0, length = 0;
    for (int k = 0; k < 3; k++)
    {
        d[k] = 0.5 * h->direction[k].lower + 0.5 * h->direction[k].upper;
        largest = fmax(largest, fabs(d[k]));
    }
    for (int k = 0; k < 3; k++)
    {
        out[k] = largest > 0 && largest < INFINITY ? d[k] / largest : 0;
        length = hypot(length, out[k]);
    }
    for (int k = 0; k < 3 && length > 0; k++)
        out[k] /= length;
}

graze_shape_depth grz_plane_depth(const grz_half_space *h, interval gap, graze_verdict overlap)
{
    graze_shape_depth depth = grz_shape_depth_none();
    double d[3];
    depth.overlap = overlap;
    depth.lower = depth.depth_lower = gap.upper < 0 ? -gap.upper : 0;
    depth.upper = depth.depth_upper = gap.lower < 0 ? -gap.lower : 0;
    grz_plane_direction(h, d);
    for (int k = 0; k < 3 && depth.upper < INFINITY; k++)
        depth.translation[k] = d[k] != 0 ? -d[k] * depth.upper : 0; /* of the half-space */
    return depth;
}
