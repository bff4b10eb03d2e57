/* SPDX-License-Identifier: MIT */
/* Questions answered by a look at every box: for methods that keep nothing that would help. */
#ifndef GRZ_BROAD_LINEAR_SCAN_H
#define GRZ_BROAD_LINEAR_SCAN_H

#include "broad/method.h"

/* As in_box and on_ray of a method; any state. */
void grz_linear_scan_in_box(const void *state, const grz_aabb_view *view, const grz_fat_aabb *box, grz_id_sink *sink);
void grz_linear_scan_on_ray(const void *state, const grz_aabb_view *view, const grz_ray *ray, grz_id_sink *sink);

#endif
