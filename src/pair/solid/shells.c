/* SPDX-License-Identifier: MIT */
/* Shells of a body, and where it ends; see shells.h. */
#include "pair/solid/shells.h"

#include "base/memory.h"
#include "graze/self.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"
#include "mesh/union_find.h"
#include "pair/subquery.h"

enum
{
    MOST_SHELLS = 256 /* within the other body; each takes time by the size of the mesh */
};

/* Faces with a common edge are of one shell. */
static void join_shells(const graze_topology *topology, uint32_t *parents)
{
    for (uint32_t f = 0; f < topology->mesh->face_count; f++)
        parents[f] = f;
    for (uint32_t h = 0; h < topology->half_edge_count; h++)
    {
        uint32_t twin = topology->half_edges[h].twin;
        if (twin != GRAZE_NO_HALF_EDGE)
            grz_union_find_join(parents, topology->half_edges[h].face, topology->half_edges[twin].face);
    }
}

/* Looks at one triangle with area of each shell that lies within `inner`. */
static graze_verdict look_at_shells(const grz_body_view *outer, const grz_body_view *inner, uint32_t *parents,
                                    bool *seen)
{
    const graze_mesh *mesh = outer->mesh;
    int shells = 0;
    for (uint32_t t = 0; t < mesh->triangle_count && grz_monitor_exact_tests(outer->monitor, 1); t++)
    {
        uint32_t shell = grz_union_find_root(parents, grz_mesh_face(mesh, t));
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

graze_status grz_is_bounded_within(const graze_context *context, const grz_body_view *outer,
                                   const graze_topology *topology, const graze_tree *tree, const grz_body_view *inner,
                                   graze_verdict *out_ends)
{
    const graze_self_subject subject = {outer->mesh, tree, true};
    bool meets_itself = false;
    graze_stats stats;
    graze_pair_options options = grz_subquery_options(outer->monitor, &stats);
    graze_status status =
        grz_subquery_end(outer->monitor, graze_self_any(context, &subject, &options, &meets_itself, NULL), &stats);
    if (status != GRAZE_STATUS_OK)
        return status;
    if (meets_itself || (outer->pose != NULL && graze_pose_handedness(outer->pose) == 0))
    {
        *out_ends = GRAZE_VERDICT_UNKNOWN;
        return GRAZE_STATUS_OK;
    }
    size_t face_count = outer->mesh->face_count;
    uint32_t *parents = grz_allocate(context, face_count, sizeof *parents);
    bool *seen = grz_allocate_zeroed(context, face_count, sizeof *seen);
    if (parents != NULL && seen != NULL)
    {
        join_shells(topology, parents);
        *out_ends = look_at_shells(outer, inner, parents, seen);
        status = grz_monitor_status(outer->monitor);
    }
    else
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    grz_release(context, parents);
    grz_release(context, seen);
    return status;
}
