/* SPDX-License-Identifier: MIT */
/* Questions answered by a look at every box: for methods that keep nothing that would help. */
#ifndef GRZ_SCENE_ALL_BOXES_H
#define GRZ_SCENE_ALL_BOXES_H

#include "scene/method.h"

/* As in_box and on_ray of a method; any state. */
void grz_all_in_box(const void *state, const grz_boxes_view *view, const grz_fat_box *box, grz_id_sink *sink);
void grz_all_on_ray(const void *state, const grz_boxes_view *view, const grz_ray *ray, grz_id_sink *sink);

#endif
