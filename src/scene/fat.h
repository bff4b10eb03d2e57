/* SPDX-License-Identifier: MIT */
/*
 * Boxes of a broad phase: the exact ones, and the fat ones around them that its methods see.
 */
#ifndef GRZ_SCENE_FAT_H
#define GRZ_SCENE_FAT_H

#include <float.h>
#include <math.h>

#include "scene/method.h"
#include "simd/four.h"

/* An exact box in one line of the processor's cache. The fourth lanes are 0. */
typedef struct grz_tight_box
{
    double lower[4], upper[4];
} grz_tight_box;

static inline bool grz_tight_overlap(const grz_tight_box *a, const grz_tight_box *b)
{
    return four_all(four_both(four_le(four_load(a->lower), four_load(b->upper)),
                              four_le(four_load(b->lower), four_load(a->upper))));
}

/* Overlaps nothing. */
static inline grz_fat_box grz_fat_empty(void)
{
    return (grz_fat_box){{INFINITY, INFINITY, INFINITY, 0}, {-INFINITY, -INFINITY, -INFINITY, 0}};
}

/* Whether a box is still in its fat one. */
static inline bool grz_fat_holds(const grz_fat_box *fat, const grz_tight_box *box)
{
    return four_all(four_both(four_le(four_from_quad(quad_load(fat->lower)), four_load(box->lower)),
                              four_le(four_load(box->upper), four_from_quad(quad_load(fat->upper)))));
}

/* Whether the numbers are a box: OK, NOT_FINITE or BAD_ARGUMENT. */
graze_status grz_box_check(const graze_box *box);

/* Whether that would be OK; quickly. */
static inline bool grz_box_is_good(const graze_box *box)
{
    four lower = four_load3(box->lower), upper = four_load3(box->upper);
    four within = four_both(four_le(four_fill(-DBL_MAX), lower), four_le(upper, four_fill(DBL_MAX)));
    return four_all(four_both(within, four_le(lower, upper)));
}

static inline grz_tight_box grz_box_tight(const graze_box *box)
{
    grz_tight_box tight;
    four_store(tight.lower, four_load3(box->lower));
    four_store(tight.upper, four_load3(box->upper));
    return tight;
}

/* Whether two boxes are the same numbers. */
static inline bool grz_tight_same(const grz_tight_box *a, const grz_tight_box *b)
{
    return four_all(four_both(four_equal(four_load(a->lower), four_load(b->lower)),
                              four_equal(four_load(a->upper), four_load(b->upper))));
}

/* Floats around a box. */
grz_fat_box grz_box_fat(const grz_tight_box *box);

/* Floats around a box that came from `before`, with room for about `steps` more steps like that. */
grz_fat_box grz_box_fat_moving(const grz_tight_box *box, const grz_tight_box *before, double steps);

/* Whether a ray meets a box; surely true where it does. */
bool grz_ray_meets_tight(const grz_ray *ray, const grz_tight_box *box);

#endif
