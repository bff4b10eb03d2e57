/* SPDX-License-Identifier: MIT */
/*
 * Exact and fat boxes; see fat.h.
 *
 * Rounding outward. (float)x differs from x by at most 2^-23 |x| + 2^-126 in any rounding mode, also where small
 * numbers are flushed to zero. So the float f, less 2^-21 |f| + 2^-125, is below x; this subtraction's own rounding is
 * covered by the doubled terms. What lies beyond the range of floats is moved to its end: that keeps the order of
 * numbers, and so overlaps.
 */
#include "scene/fat.h"

#include <float.h>
#include <math.h>

#include "math/interval.h"

graze_status grz_box_check(const graze_box *box)
{
    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(box->lower[axis]) || !isfinite(box->upper[axis]))
            return GRAZE_STATUS_NOT_FINITE;
    for (int axis = 0; axis < 3; axis++)
        if (box->lower[axis] > box->upper[axis])
            return GRAZE_STATUS_BAD_ARGUMENT;
    return GRAZE_STATUS_OK;
}

static inline four into_range(four x)
{
    return four_max(four_min(x, four_fill(FLT_MAX)), four_fill(-FLT_MAX));
}

/* 2^-21 |f| + 2^-125, and 0 in the fourth lane if that is 0. */
static inline quad outward(quad f)
{
    static const _Alignas(16) float least[4] = {0x1p-125f, 0x1p-125f, 0x1p-125f, 0};
    /* shortcut: fat-boxes */
    quad size = quad_max(f, quad_subtract(quad_fill(0), f));
    return quad_add(quad_multiply(size, quad_fill(0x1p-21f)), quad_load(least));
}

/* Floats around the box from `lower` to `upper`. */
static inline grz_fat_box fat_around(four lower, four upper)
{
    quad below = four_to_quad(into_range(lower)), above = four_to_quad(into_range(upper));
    grz_fat_box fat;
    quad_store(fat.lower, quad_max(quad_subtract(below, outward(below)), quad_fill(-FLT_MAX)));
    quad_store(fat.upper, quad_min(quad_add(above, outward(above)), quad_fill(FLT_MAX)));
    return fat;
}

grz_fat_box grz_box_fat(const grz_tight_box *box)
{
    return fat_around(four_load(box->lower), four_load(box->upper));
}

/*
 * Most room on the side the box moves to, some on the other: what turns, or trembles, goes both ways. A box that jumps
 * by more than half its size is not held by any room worth having, and gets none.
 */
grz_fat_box grz_box_fat_moving(const grz_tight_box *box, const grz_tight_box *before, double steps)
{
    four lower = four_load(box->lower), upper = four_load(box->upper), none = four_fill(0);
    four down = four_subtract(four_load(before->lower), lower), up = four_subtract(upper, four_load(before->upper));
    four step = four_max(four_max(down, four_subtract(none, down)), four_max(up, four_subtract(none, up)));
    double size = four_highest(four_subtract(upper, lower)), largest = four_highest(step);
    if (!(largest <= 0.5 * size) || !(steps * largest < DBL_MAX))
        return fat_around(lower, upper);
    four still = four_multiply(step, four_fill(0.125)), most = four_fill(0.5 * size), times = four_fill(steps);
    four below = four_min(four_multiply(four_max(still, down), times), most);
    four above = four_min(four_multiply(four_max(still, up), times), most);
    return fat_around(four_subtract(lower, below), four_add(upper, above));
}

/*
 * Slabs (Kay and Kajiya). Places are halved, so that no difference overflows, and so is t; a difference errs by u of
 * its size, or by the smallest normal number, and is moved outward by more than that; so is the quotient. The direction
 * stays as it is: half of one at the low end of the range is another direction. A direction of 0 along an axis
 * decides by the origin alone.
 */
bool grz_ray_meets_tight(const grz_ray *ray, const grz_tight_box *box)
{
    double enter = 0, leave = 0.5 * ray->limit + GRZ_SMALLEST_NORMAL;
    for (int axis = 0; axis < 3; axis++)
    {
        double way = ray->direction[axis], from = 0.5 * ray->origin[axis];
        if (way == 0)
        {
            if (ray->origin[axis] < box->lower[axis] || ray->origin[axis] > box->upper[axis])
                return false;
            continue;
        }
        double lower = 0.5 * box->lower[axis] - from, upper = 0.5 * box->upper[axis] - from;
        lower -= 4 * GRZ_U * fabs(lower) + 4 * GRZ_SMALLEST_NORMAL;
        upper += 4 * GRZ_U * fabs(upper) + 4 * GRZ_SMALLEST_NORMAL;
        /* shortcut: ray-slabs */
        double near = way > 0 ? lower / way : upper / way, far = way > 0 ? upper / way : lower / way;
        near -= 4 * GRZ_U * fabs(near) + GRZ_SMALLEST_NORMAL;
        far += 4 * GRZ_U * fabs(far) + GRZ_SMALLEST_NORMAL;
        if (near > enter)
            enter = near;
        if (far < leave)
            leave = far;
    }
    return !(enter > leave);
}

bool grz_ray_meets_fat(const grz_ray *ray, const grz_fat_box *box)
{
    grz_tight_box tight = {{0}, {0}};
    for (int axis = 0; axis < 3; axis++)
    {
        /* The ends of the range of floats stand for all that lies beyond. */
        tight.lower[axis] = box->lower[axis] <= -FLT_MAX ? -INFINITY : (double)box->lower[axis];
        tight.upper[axis] = box->upper[axis] >= FLT_MAX ? INFINITY : (double)box->upper[axis];
    }
    return grz_ray_meets_tight(ray, &tight);
}
