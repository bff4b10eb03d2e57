/* SPDX-License-Identifier: MIT */
/*
 * Exact and fat boxes; see fat_aabb.h.
 *
 * Rounding outward. (float)x differs from x by at most 2^-23 |x| + 2^-126 in any rounding mode, also where small
 * numbers are flushed to zero. So the float f, less 2^-21 |f| + 2^-125, is below x; this subtraction's own rounding is
 * covered by the doubled terms. What lies beyond the range of floats is moved to its end: that keeps the order of
 * numbers, and so overlaps.
 */
#include "broad/fat_aabb.h"

#include <float.h>
#include <math.h>

#include "math/interval.h"

static inline f64x4 into_range(f64x4 x)
{
    return f64x4_max(f64x4_min(x, f64x4_splat(FLT_MAX)), f64x4_splat(-FLT_MAX));
}

/* 2^-21 |f| + 2^-125, and 0 in the fourth lane if that is 0. */
static inline f32x4 outward(f32x4 f)
{
    static const _Alignas(16) float least[4] = {0x1p-125f, 0x1p-125f, 0x1p-125f, 0};
    /* shortcut: fat-boxes */
    f32x4 size = f32x4_max(f, f32x4_sub(f32x4_splat(0), f));
    return f32x4_add(f32x4_mul(size, f32x4_splat(0x1p-21f)), f32x4_load(least));
}

/* Floats around the box from `lower` to `upper`. */
static inline grz_fat_aabb fat_around(f64x4 lower, f64x4 upper)
{
    f32x4 below = f64x4_to_f32x4(into_range(lower)), above = f64x4_to_f32x4(into_range(upper));
    grz_fat_aabb fat;
    f32x4_store(fat.lower, f32x4_max(f32x4_sub(below, outward(below)), f32x4_splat(-FLT_MAX)));
    f32x4_store(fat.upper, f32x4_min(f32x4_add(above, outward(above)), f32x4_splat(FLT_MAX)));
    return fat;
}

grz_fat_aabb grz_fat_aabb_around(const grz_tight_aabb *box)
{
    return fat_around(f64x4_load(box->lower), f64x4_load(box->upper));
}

/*
 * Most room on the side the box moves to, some on the other: what turns, or trembles, goes both ways. A box that jumps
 * by more than half its size is not held by any room worth having, and gets none.
 */
grz_fat_aabb grz_fat_aabb_around_moving(const grz_tight_aabb *box, const grz_tight_aabb *before, double steps)
{
    f64x4 lower = f64x4_load(box->lower), upper = f64x4_load(box->upper), none = f64x4_splat(0);
    f64x4 down = f64x4_sub(f64x4_load(before->lower), lower), up = f64x4_sub(upper, f64x4_load(before->upper));
    f64x4 step = f64x4_max(f64x4_max(down, f64x4_sub(none, down)), f64x4_max(up, f64x4_sub(none, up)));
    double size = f64x4_reduce_max(f64x4_sub(upper, lower)), largest = f64x4_reduce_max(step);
    if (!(largest <= 0.5 * size) || !(steps * largest < DBL_MAX))
        return fat_around(lower, upper);
    f64x4 still = f64x4_mul(step, f64x4_splat(0.125)), most = f64x4_splat(0.5 * size), times = f64x4_splat(steps);
    f64x4 below = f64x4_min(f64x4_mul(f64x4_max(still, down), times), most);
    f64x4 above = f64x4_min(f64x4_mul(f64x4_max(still, up), times), most);
    return fat_around(f64x4_sub(lower, below), f64x4_add(upper, above));
}

/*
 * Slabs (Kay and Kajiya). Places are halved, so that no difference overflows, and so is t; a difference errs by u of
 * its size, or by the smallest normal number, and is moved outward by more than that; so is the quotient. The direction
 * stays as it is: half of one at the low end of the range is another direction. A direction of 0 along an axis
 * decides by the origin alone.
 */
bool grz_ray_hits_tight_aabb(const grz_ray *ray, const grz_tight_aabb *box)
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
        double t_near = way > 0 ? lower / way : upper / way, t_far = way > 0 ? upper / way : lower / way;
        t_near -= 4 * GRZ_U * fabs(t_near) + GRZ_SMALLEST_NORMAL;
        t_far += 4 * GRZ_U * fabs(t_far) + GRZ_SMALLEST_NORMAL;
        if (t_near > enter)
            enter = t_near;
        if (t_far < leave)
            leave = t_far;
    }
    return !(enter > leave);
}

bool grz_ray_hits_fat_aabb(const grz_ray *ray, const grz_fat_aabb *box)
{
    grz_tight_aabb tight = {{0}, {0}};
    for (int axis = 0; axis < 3; axis++)
    {
        /* The ends of the range of floats stand for all that lies beyond. */
        tight.lower[axis] = box->lower[axis] <= -FLT_MAX ? -INFINITY : (double)box->lower[axis];
        tight.upper[axis] = box->upper[axis] >= FLT_MAX ? INFINITY : (double)box->upper[axis];
    }
    return grz_ray_hits_tight_aabb(ray, &tight);
}
