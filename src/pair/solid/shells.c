/* SPDX-License-Identifier: MIT */
/* Shells of a body, and whether they bound it; see shells.h. */
#include "pair/solid/shells.h"

#include "base/memory.h"
#include "graze/self.h"
#include "mesh/mesh.h"
#include "pair/subquery.h"

enum
{
    MOST_SHELLS = 256 /* inside the other body; testing one takes time linear in the size of the mesh */
};

/* Tests one triangle with area of each shell of `outer` that lies inside `inner`. */
static graze_verdict test_shells(const grz_body_view *outer, const grz_body_view *inner, const uint32_t *shell_of,
                                 bool *seen)
{
    const graze_mesh *mesh = outer->mesh;
    int shells = 0;
    for (uint32_t t = 0; t < mesh->triangle_count && grz_monitor_exact_tests(outer->monitor, 1); t++)
    {
        uint32_t shell = shell_of[t];
        if (seen[shell] || !grz_body_triangle_has_area(outer, t))
            continue;
        seen[shell] = true; /* shortcut: one-triangle-a-shell */
        const double *corner = grz_mesh_vertex(mesh, mesh->triangles[3 * (size_t)t]);
        if (grz_locate_point(inner, corner, outer->pose) != GRAZE_LOCATION_INSIDE)
            continue;
        if (grz_body_is_bounded_at(outer, t))
            return GRAZE_VERDICT_YES;
        if (++shells == MOST_SHELLS)
            return GRAZE_VERDICT_UNKNOWN;
    }
    return GRAZE_VERDICT_NO;
}

graze_status grz_is_bounded_within(const graze_context *context, const grz_placed_body *outer,
                                   const grz_placed_body *inner, graze_verdict *out_ends)
{
    const graze_placed_mesh *placed = outer->placed;
    const graze_self_subject subject = {placed->mesh, placed->tree, true};
    bool meets_itself = false;
    graze_stats stats;
    graze_pair_options options = grz_subquery_options(outer->monitor, &stats);
    graze_status status =
        grz_subquery_end(outer->monitor, graze_self_any(context, &subject, &options, &meets_itself, NULL), &stats);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (meets_itself || graze_pose_handedness(&placed->pose) == 0)
    {
        *out_ends = GRAZE_VERDICT_UNKNOWN;
        return GRAZE_STATUS_OK;
    }
    bool *seen = grz_allocate_zeroed(context, outer->body->shell_count, sizeof *seen);
    if (seen != NULL)
    {
        grz_body_view around = grz_placed_body_view(outer), within = grz_placed_body_view(inner);
        *out_ends = test_shells(&around, &within, outer->body->shells, seen);
        status = grz_monitor_status(outer->monitor);
    }
    else
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    grz_release(context, seen);
    return status;
}
