/* SPDX-License-Identifier: MIT */
/* A look at every box; see all_boxes.h. */
#include "scene/all_boxes.h"

void grz_all_in_box(const void *state, const grz_boxes_view *view, const grz_fat_box *box, grz_id_sink *sink)
{
    (void)state;
    for (uint32_t id = 0; id < view->limit; id++)
        if (view->present[id] && grz_fat_overlap(&view->fat[id], box))
            grz_sink_id(sink, id);
}

void grz_all_on_ray(const void *state, const grz_boxes_view *view, const grz_ray *ray, grz_id_sink *sink)
{
    (void)state;
    for (uint32_t id = 0; id < view->limit; id++)
        if (view->present[id] && grz_ray_meets_fat(ray, &view->fat[id]))
            grz_sink_id(sink, id);
}
