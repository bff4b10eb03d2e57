/* SPDX-License-Identifier: MIT */
/*
 * Boxes of a broad phase: tight AABBs, exact, in doubles, and the fat AABBs in floats around them that methods see.
 */
#ifndef GRZ_BROAD_FAT_AABB_H
#define GRZ_BROAD_FAT_AABB_H

#include <float.h>
#include <math.h>

#include "broad/method.h"
#include "math/aabb.h"
#include "simd/f64x4.h"

/* A tight AABB, one cache line. The fourth lanes are 0. */
typedef struct grz_tight_aabb
{
    double lower[4], upper[4];
} grz_tight_aabb;

static inline bool grz_tight_aabb_overlap(const grz_tight_aabb *a, const grz_tight_aabb *b)
{
    return f64x4_all(f64x4_and(f64x4_le(f64x4_load(a->lower), f64x4_load(b->upper)),
                               f64x4_le(f64x4_load(b->lower), f64x4_load(a->upper))));
}

/* Overlaps no box. */
static inline grz_fat_aabb grz_fat_aabb_empty(void)
{
    return (grz_fat_aabb){{INFINITY, INFINITY, INFINITY, 0}, {-INFINITY, -INFINITY, -INFINITY, 0}};
}

/* Whether a fat AABB contains a tight one. */
static inline bool grz_fat_aabb_contains(const grz_fat_aabb *fat, const grz_tight_aabb *box)
{
    return f64x4_all(f64x4_and(f64x4_le(f64x4_from_f32x4(f32x4_load(fat->lower)), f64x4_load(box->lower)),
                               f64x4_le(f64x4_load(box->upper), f64x4_from_f32x4(f32x4_load(fat->upper)))));
}

/* Whether grz_aabb_check returns OK; fast. */
static inline bool grz_aabb_is_valid(const graze_box *box)
{
    f64x4 lower = f64x4_load3(box->lower), upper = f64x4_load3(box->upper);
    f64x4 within = f64x4_and(f64x4_le(f64x4_splat(-DBL_MAX), lower), f64x4_le(upper, f64x4_splat(DBL_MAX)));
    return f64x4_all(f64x4_and(within, f64x4_le(lower, upper)));
}

static inline grz_tight_aabb grz_tight_aabb_from_box(const graze_box *box)
{
    grz_tight_aabb tight;
    f64x4_store(tight.lower, f64x4_load3(box->lower));
    f64x4_store(tight.upper, f64x4_load3(box->upper));
    return tight;
}

/* Whether all coordinates of two boxes are equal. */
static inline bool grz_tight_aabb_equal(const grz_tight_aabb *a, const grz_tight_aabb *b)
{
    return f64x4_all(f64x4_and(f64x4_eq(f64x4_load(a->lower), f64x4_load(b->lower)),
                               f64x4_eq(f64x4_load(a->upper), f64x4_load(b->upper))));
}

/* The smallest fat AABB around a box, rounded outward. */
grz_fat_aabb grz_fat_aabb_around(const grz_tight_aabb *box);

/* A fat AABB around a box that moved from `before`, with a margin for about `steps` more such steps. */
grz_fat_aabb grz_fat_aabb_around_moving(const grz_tight_aabb *box, const grz_tight_aabb *before, double steps);

/* Whether a ray hits a box; conservative: never false for a hit. */
bool grz_ray_hits_tight_aabb(const grz_ray *ray, const grz_tight_aabb *box);

#endif
