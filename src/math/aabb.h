/* SPDX-License-Identifier: MIT */
/* Boxes that callers give. */
#ifndef GRZ_MATH_AABB_H
#define GRZ_MATH_AABB_H

#include <math.h>

#include "graze/box.h"
#include "graze/status.h"

/* Whether the numbers are a box: OK, NOT_FINITE or BAD_ARGUMENT. */
static inline graze_status grz_aabb_check(const graze_box *box)
{
    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(box->lower[axis]) || !isfinite(box->upper[axis]))
            return GRAZE_STATUS_NOT_FINITE;
    for (int axis = 0; axis < 3; axis++)
        if (box->lower[axis] > box->upper[axis])
            return GRAZE_STATUS_BAD_ARGUMENT;
    return GRAZE_STATUS_OK;
}

#endif
