/* SPDX-License-Identifier: MIT */
/* Queries by linear scan; see linear_scan.h. */
#include "broad/linear_scan.h"

void grz_linear_scan_in_box(const void *state, const grz_aabb_view *view, const grz_fat_aabb *box, grz_id_sink *sink)
{
    (void)state;
    for (uint32_t id = 0; id < view->limit; id++)
        if (view->present[id] && grz_fat_aabb_overlap(&view->fat[id], box))
            grz_sink_add_id(sink, id);
}

void grz_linear_scan_on_ray(const void *state, const grz_aabb_view *view, const grz_ray *ray, grz_id_sink *sink)
{
    (void)state;
    for (uint32_t id = 0; id < view->limit; id++)
        if (view->present[id] && grz_ray_hits_fat_aabb(ray, &view->fat[id]))
            grz_sink_add_id(sink, id);
}
