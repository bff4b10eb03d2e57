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

grz_tight_box grz_box_tight(const graze_box *box)
{
    grz_tight_box tight = {{0}, {0}};
    for (int axis = 0; axis < 3; axis++)
    {
        tight.lower[axis] = box->lower[axis];
        tight.upper[axis] = box->upper[axis];
    }
    return tight;
}

static inline float into_range(double x)
{
    return (float)(x > FLT_MAX ? FLT_MAX : (x < -FLT_MAX ? -FLT_MAX : x));
}

static inline float float_below(double x)
{
    float f = into_range(x), lower = f - (fabsf(f) * 0x1p-21f + 0x1p-125f);
    return lower < -FLT_MAX ? -FLT_MAX : lower;
}

static inline float float_above(double x)
{
    float f = into_range(x), upper = f + (fabsf(f) * 0x1p-21f + 0x1p-125f);
    return upper > FLT_MAX ? FLT_MAX : upper;
}

static grz_fat_box grown(const grz_tight_box *box, const double below[3], const double above[3])
{
    grz_fat_box fat = {{0}, {0}};
    for (int axis = 0; axis < 3; axis++)
    {
        fat.lower[axis] = float_below(box->lower[axis] - below[axis]);
        fat.upper[axis] = float_above(box->upper[axis] + above[axis]);
    }
    return fat;
}

grz_fat_box grz_box_fat(const grz_tight_box *box)
{
    static const double none[3] = {0};
    return grown(box, none, none);
}

/*
 * Most room on the side the box moves to, some on the other: what turns, or trembles, goes both ways. A box that jumps
 * by more than half its size is not held by any room worth having, and gets none.
 */
grz_fat_box grz_box_fat_moving(const grz_tight_box *box, const grz_tight_box *before, double steps)
{
    double below[3], above[3], size = 0, largest = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        double down = box->lower[axis] - before->lower[axis], up = box->upper[axis] - before->upper[axis];
        double extent = box->upper[axis] - box->lower[axis], still = 0.25 * steps * fmax(fabs(down), fabs(up));
        below[axis] = fmax(still, -steps * down);
        above[axis] = fmax(still, steps * up);
        size = fmax(size, extent);
        largest = fmax(largest, fmax(fabs(down), fabs(up)));
    }
    if (!(largest <= 0.5 * size) || !(steps * largest < DBL_MAX))
        return grz_box_fat(box);
    for (int axis = 0; axis < 3; axis++)
    {
        below[axis] = fmin(below[axis], 0.5 * size);
        above[axis] = fmin(above[axis], 0.5 * size);
    }
    return grown(box, below, above);
}

/*
 * Slabs (Kay and Kajiya). Everything is halved, so that no difference overflows; a difference errs by u of its size,
 * or by the smallest normal number, and is moved outward by more than that; so is the quotient. A direction
 * of 0 along an axis decides by the origin alone.
 */
bool grz_ray_meets_tight(const grz_ray *ray, const grz_tight_box *box)
{
    double enter = 0, leave = ray->limit;
    for (int axis = 0; axis < 3; axis++)
    {
        double way = 0.5 * ray->direction[axis], from = 0.5 * ray->origin[axis];
        if (ray->direction[axis] == 0)
        {
            if (ray->origin[axis] < box->lower[axis] || ray->origin[axis] > box->upper[axis])
                return false;
            continue;
        }
        double lower = 0.5 * box->lower[axis] - from, upper = 0.5 * box->upper[axis] - from;
        lower -= 4 * GRZ_U * fabs(lower) + 4 * GRZ_SMALLEST_NORMAL;
        upper += 4 * GRZ_U * fabs(upper) + 4 * GRZ_SMALLEST_NORMAL;
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
