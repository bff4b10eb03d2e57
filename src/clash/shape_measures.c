/* SPDX-License-Identifier: MIT */
/* Depth, way out and volume of shapes; see shape_measures.h. */
#include "clash/shape_measures.h"

#include <math.h>
#include <string.h>

/* The middle of the intersection of both AABBs. */
static void common_middle(const grz_clash_part *a, const grz_clash_part *b, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = 0.5 * fmax(a->lower[axis], b->lower[axis]) + 0.5 * fmin(a->upper[axis], b->upper[axis]);
}

static void take_depth(const graze_shape_depth *depth, grz_clash_shape_measures *m)
{
    m->overlap = depth->overlap;
    m->way_out[0] = depth->lower;
    m->way_out[1] = depth->upper;
    m->depth[0] = depth->depth_lower;
    m->depth[1] = fmin(depth->depth_upper, depth->upper);
    memcpy(m->translation, depth->translation, sizeof m->translation);
    if (depth->has_point)
        memcpy(m->point, depth->point, sizeof m->point);
    if (m->overlap == GRAZE_VERDICT_UNKNOWN && m->depth[0] > 0)
        m->overlap = GRAZE_VERDICT_YES;
}

graze_status grz_clash_measure_shapes(const graze_context *context, const grz_clash_part *a, const grz_clash_part *b,
                                      const graze_shape_hit *hit, double resolution,
                                      grz_clash_shape_measures *out_measures)
{
    grz_clash_shape_measures m = {.overlap = GRAZE_VERDICT_UNKNOWN};
    graze_shape_depth depth;
    (void)resolution;
    common_middle(a, b, m.point);
    if (hit != NULL && hit->has_point)
        memcpy(m.point, hit->point, sizeof m.point);
    graze_status status = graze_shape_pair_depth(context, &a->placed_shape, &b->placed_shape, NULL, &depth);
    if (status != GRAZE_STATUS_OK)
        return status;
    take_depth(&depth, &m);
    memcpy(m.nearest, m.point, sizeof m.nearest);
    *out_measures = m;
    return status;
}
