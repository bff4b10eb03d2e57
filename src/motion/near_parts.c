/* SPDX-License-Identifier: MIT */
/* Parts of surfaces near another one; see near_parts.h. */
#include "motion/near_parts.h"

#include <string.h>

#include "base/memory.h"
#include "graze/distance.h"
#include "mesh/mesh.h"
#include "mesh/twins.h"

/* Which triangles of A and B are near the other surface. */
typedef struct near_marks
{
    bool *of[2];
} near_marks;

static bool mark(void *user, const graze_proximity *pair)
{
    near_marks *near = user;
    near->of[0][pair->triangle_a] = near->of[1][pair->triangle_b] = true;
    return true;
}

static bool *make_flags(const graze_context *context, size_t count)
{
    bool *flags = grz_allocate(context, count + 1, sizeof *flags);
    if (flags != NULL)
        memset(flags, 0, (count + 1) * sizeof *flags);
    return flags;
}

/* Whether all triangles of a component are near. */
static graze_status look_for_part(const graze_context *context, const graze_mesh *mesh, const bool *near,
                                  grz_monitor *monitor, bool *out_found)
{
    grz_twins twins;
    graze_status status = grz_twins_make(context, mesh, monitor, &twins);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool *is_far = make_flags(context, twins.component_count);
    for (size_t t = 0; is_far != NULL && t < mesh->triangle_count; t++)
    {
        uint32_t part = twins.components[twins.merged[mesh->triangles[3 * t]]];
        if (!near[t] && part < twins.component_count)
            is_far[part] = true;
    }
    for (size_t part = 0; is_far != NULL && part < twins.component_count; part++)
        *out_found = *out_found || !is_far[part];
    status = is_far != NULL ? GRAZE_STATUS_OK : GRAZE_STATUS_OUT_OF_MEMORY;
    grz_release(context, is_far);
    grz_twins_release(context, &twins);
    return status;
}

graze_status grz_find_near_part(const graze_context *context, const graze_placed_mesh *a, const graze_placed_mesh *b,
                                double tolerance, grz_monitor *monitor, bool *out_found)
{
    near_marks near = {{make_flags(context, a->mesh->triangle_count), make_flags(context, b->mesh->triangle_count)}};
    graze_tolerance_options options = graze_tolerance_options_default();
    options.budget = grz_monitor_budget(monitor);
    graze_status status = GRAZE_STATUS_OUT_OF_MEMORY;
    *out_found = false;
    if (near.of[0] != NULL && near.of[1] != NULL)
    {
        status = graze_pair_tolerance_visit(context, a, b, tolerance, &options, mark, &near);
        status = grz_monitor_end_step(monitor, status, 0);
    }
    if (status == GRAZE_STATUS_OK)
        status = look_for_part(context, a->mesh, near.of[0], monitor, out_found);
    if (status == GRAZE_STATUS_OK && !*out_found)
        status = look_for_part(context, b->mesh, near.of[1], monitor, out_found);
    grz_release(context, near.of[0]);
    grz_release(context, near.of[1]);
    return status;
}
