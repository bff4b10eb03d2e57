/* SPDX-License-Identifier: MIT */
/* Shells of a body, and whether they bound it; see shells.h. */
#include "pair/solid/shells.h"

#include "base/memory.h"
#include "graze/self.h"
#include "mesh/mesh.h"
#include "mesh/union_find.h"
#include "pair/subquery.h"

enum
{
    MOST_SHELLS = 256 /* inside the other body; testing one takes time linear in the size of the mesh */
};

/* Union-find: triangles with a common edge belong to one shell. */
static void join_shells(const graze_body *body, uint32_t *parents)
{
    size_t triangle_count = body->mesh->triangle_count;
    for (uint32_t t = 0; t < triangle_count; t++)
        parents[t] = t;
    for (uint32_t h = 0; h < 3 * triangle_count; h++)
        if (body->adjacency.twins[h] != GRAZE_NO_HALF_EDGE)
            grz_union_find_join(parents, h / 3, body->adjacency.twins[h] / 3);
}

/* Tests one triangle with area of each shell of `outer` that lies inside `inner`. */
static graze_verdict test_shells(const grz_body_view *outer, const grz_body_view *inner, uint32_t *parents, bool *seen)
{
    const graze_mesh *mesh = outer->mesh;
    int shells = 0;
    for (uint32_t t = 0; t < mesh->triangle_count && grz_monitor_exact_tests(outer->monitor, 1); t++)
    {
        uint32_t shell = grz_union_find_root(parents, t);
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
    size_t triangle_count = placed->mesh->triangle_count;
    uint32_t *parents = grz_allocate(context, triangle_count, sizeof *parents);
    bool *seen = grz_allocate_zeroed(context, triangle_count, sizeof *seen);
    if (parents != NULL && seen != NULL)
    {
        grz_body_view around = grz_placed_body_view(outer), within = grz_placed_body_view(inner);
        join_shells(outer->body, parents);
        *out_ends = test_shells(&around, &within, parents, seen);
        status = grz_monitor_status(outer->monitor);
    }
    else
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    grz_release(context, parents);
    grz_release(context, seen);
    return status;
}
