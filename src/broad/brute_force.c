/* SPDX-License-Identifier: MIT */
/* Tests every changed box against every other one: the oracle of all other methods, and the fastest for a few boxes. */
#include "broad/linear_scan.h"

static bool update(void *state, const grz_aabb_view *view, const uint32_t *changed, size_t changed_count,
                   grz_pair_sink *sink)
{
    (void)state;
    for (size_t i = 0; i < changed_count; i++)
    {
        uint32_t a = changed[i];
        if (!view->present[a])
            continue;
        for (uint32_t b = 0; b < view->limit; b++)
            if (view->present[b] && b != a && grz_fat_aabb_overlap(&view->fat[a], &view->fat[b]))
                grz_sink_add_pair(sink, a, b);
    }
    return !sink->failed;
}

static bool validate(const void *state, const grz_aabb_view *view)
{
    (void)view;
    return state != NULL;
}

const grz_broad_method grz_brute_force_method = {.state_size = sizeof(graze_context),
                                                 .update = update,
                                                 .in_box = grz_linear_scan_in_box,
                                                 .on_ray = grz_linear_scan_on_ray,
                                                 .validate = validate};
