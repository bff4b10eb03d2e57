/* SPDX-License-Identifier: MIT */
/* Queries by linear scan over all boxes: for methods whose structure does not help. */
#ifndef GRZ_BROAD_LINEAR_SCAN_H
#define GRZ_BROAD_LINEAR_SCAN_H

#include "broad/method.h"

/* in_box and on_ray of a method; the state is not used. */
void grz_linear_scan_in_box(const void *state, const grz_aabb_view *view, const grz_fat_aabb *box, grz_id_sink *sink);
void grz_linear_scan_on_ray(const void *state, const grz_aabb_view *view, const grz_ray *ray, grz_id_sink *sink);

#endif
