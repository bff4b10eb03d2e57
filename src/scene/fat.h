/* SPDX-License-Identifier: MIT */
/*
 * Boxes of a broad phase: the exact ones, and the fat ones around them that its methods see.
 */
#ifndef GRZ_SCENE_FAT_H
#define GRZ_SCENE_FAT_H

#include "scene/method.h"

/* An exact box in one line of the processor's cache. The fourth lanes are not used. */
typedef struct grz_tight_box
{
    double lower[4], upper[4];
} grz_tight_box;

static inline bool grz_tight_overlap(const grz_tight_box *a, const grz_tight_box *b)
{
    return (int)(a->lower[0] <= b->upper[0]) & (int)(b->lower[0] <= a->upper[0]) & (int)(a->lower[1] <= b->upper[1]) &
           (int)(b->lower[1] <= a->upper[1]) & (int)(a->lower[2] <= b->upper[2]) & (int)(b->lower[2] <= a->upper[2]);
}

/* Whether a box is still in its fat one. */
static inline bool grz_fat_holds(const grz_fat_box *fat, const grz_tight_box *box)
{
    return (int)(fat->lower[0] <= box->lower[0]) & (int)(box->upper[0] <= fat->upper[0]) &
           (int)(fat->lower[1] <= box->lower[1]) & (int)(box->upper[1] <= fat->upper[1]) &
           (int)(fat->lower[2] <= box->lower[2]) & (int)(box->upper[2] <= fat->upper[2]);
}

/* Whether the numbers are a box: OK, NOT_FINITE or BAD_ARGUMENT. */
graze_status grz_box_check(const graze_box *box);
grz_tight_box grz_box_tight(const graze_box *box);

/* Floats around a box. */
grz_fat_box grz_box_fat(const grz_tight_box *box);

/* Floats around a box that came from `before`, with room for about `steps` more steps like that. */
grz_fat_box grz_box_fat_moving(const grz_tight_box *box, const grz_tight_box *before, double steps);

/* Whether a ray meets a box; surely true where it does. */
bool grz_ray_meets_tight(const grz_ray *ray, const grz_tight_box *box);

#endif
