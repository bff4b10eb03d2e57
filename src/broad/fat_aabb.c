/* SPDX-License-Identifier: MIT */
/*
 * Tight and fat AABBs; see fat_aabb.h.
 *
 * Rounding outward: (float)x differs from x by at most 2^-23 |x| + 2^-126 in any rounding mode, also where small
 * numbers are flushed to zero. So the float f, less 2^-21 |f| + 2^-125, is below x; the larger terms also cover the
 * rounding of this subtraction. Coordinates beyond the range of floats are clamped to it: that preserves the order of
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

/* 2^-21 |f| + 2^-125; 0 in the fourth lane if f is 0 there. */
static inline f32x4 outward(f32x4 f)
{
    static const _Alignas(16) float least[4] = {0x1p-125f, 0x1p-125f, 0x1p-125f, 0};
    /* shortcut: fat-boxes */
    f32x4 size = f32x4_max(f, f32x4_sub(f32x4_splat(0), f));
    return f32x4_add(f32x4_mul(size, f32x4_splat(0x1p-21f)), f32x4_load(least));
}

/* The fat AABB around the box from `lower` to `upper`. */
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
 * The larger margin is on the side the box moves to, a smaller one on the other, for motions that turn back or vibrate.
 * A box that jumps by more than half its size gets no margin: none of reasonable size would contain its next position.
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
 * Slab test (Kay and Kajiya). Coordinates and t are halved, so that no difference overflows; a difference errs by u of
 * its magnitude, or by the smallest normal number, and is moved outward by more than that; so is the quotient. The
 * direction is not halved: half of a denormal direction is a different direction. Along an axis where the direction is
 * 0 the origin decides.
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
        /* Clamped coordinates stand for all coordinates beyond. */
        tight.lower[axis] = box->lower[axis] <= -FLT_MAX ? -INFINITY : (double)box->lower[axis];
        tight.upper[axis] = box->upper[axis] >= FLT_MAX ? INFINITY : (double)box->upper[axis];
    }
    return grz_ray_hits_tight_aabb(ray, &tight);
}
