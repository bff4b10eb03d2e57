/* SPDX-License-Identifier: MIT */
/* Translations that separate; see depth.h. */
#include <math.h>
#include <string.h>

#include "shape/depth.h"

double grz_placed_move(const graze_placed *b, const double translation[3], graze_placed *out_moved)
{
    double sum = 0;
    *out_moved = *b;
    for (int k = 0; k < 3; k++)
    {
        double *entry = &out_moved->pose.m[4 * k + 3];
        *entry += translation[k];
        interval motion = interval_sub(interval_point(*entry), interval_point(b->pose.m[4 * k + 3]));
        double most = fmax(fabs(motion.lower), fabs(motion.upper));
        sum += most * most;
    }
    /* Three squares and their sum round by 3 u, the root once more; squares that underflow lose less than 2^-537. */
    return sqrt(sum) * (1 + 8 * GRZ_U) + 0x1p-500;
}

void grz_depth_try_boxes(const graze_box *a, const graze_box *b, graze_shape_depth *depth)
{
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2)
        {
            interval way = side > 0 ? interval_sub(interval_point(a->upper[k]), interval_point(b->lower[k]))
                                    : interval_sub(interval_point(b->upper[k]), interval_point(a->lower[k]));
            if (!(way.upper < depth->upper) || way.upper < 0)
                continue;
            depth->upper = way.upper;
            memset(depth->translation, 0, sizeof depth->translation);
            depth->translation[k] = side * way.upper;
        }
    depth->depth_upper = fmin(depth->depth_upper, depth->upper);
}

graze_status grz_depth_try_cores(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                 const double translation[3], graze_shape_depth *depth)
{
    graze_placed moved;
    double length = grz_placed_move(b, translation, &moved);
    graze_verdict overlap = GRAZE_VERDICT_NO;
    if (!(length < depth->upper) || graze_pose_check(&moved.pose, NULL) != GRAZE_STATUS_OK)
        return GRAZE_STATUS_OK;
    graze_status status = grz_leaves_decide(q, a, &moved, (grz_reach){0, true}, &overlap, NULL);
    if (status != GRAZE_STATUS_OK || overlap != GRAZE_VERDICT_NO)
        return status;
    depth->upper = length;
    depth->depth_upper = fmin(depth->depth_upper, length);
    memcpy(depth->translation, translation, sizeof depth->translation);
    return GRAZE_STATUS_OK;
}
