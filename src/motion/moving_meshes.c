/* SPDX-License-Identifier: MIT */
/* Arguments of queries about two moving meshes; see mesh_impact.h. */
#include <string.h>

#include "mesh/mesh.h"
#include "motion/mesh_impact.h"
#include "tree/tree.h"

static graze_status check_mesh(const graze_moving_mesh *m)
{
    if (m == NULL || m->mesh == NULL || (m->tree != NULL && m->tree->mesh != m->mesh))
        return GRAZE_STATUS_BAD_ARGUMENT;
    const graze_mesh *mesh = m->mesh, *end = m->end_mesh;
    if (end == NULL || end == mesh)
        return GRAZE_STATUS_OK;
    if (end->vertex_count != mesh->vertex_count || end->triangle_count != mesh->triangle_count)
        return GRAZE_STATUS_BAD_ARGUMENT;
    size_t size = 3 * mesh->triangle_count * sizeof *mesh->triangles;
    bool same = size == 0 || memcmp(end->triangles, mesh->triangles, size) == 0;
    return same ? GRAZE_STATUS_OK : GRAZE_STATUS_BAD_ARGUMENT;
}

graze_status grz_moving_meshes_check(const graze_moving_mesh *a, const graze_moving_mesh *b)
{
    graze_status status = check_mesh(a);
    return status == GRAZE_STATUS_OK ? check_mesh(b) : status;
}

graze_status grz_moving_mesh_check_motion(const graze_moving_mesh *mesh, const graze_motion *motion)
{
    graze_status status = graze_motion_check(motion);
    if (status == GRAZE_STATUS_OK && mesh->end_mesh != NULL && motion->kind != GRAZE_MOTION_STILL &&
        motion->kind != GRAZE_MOTION_BLEND)
        return GRAZE_STATUS_BAD_ARGUMENT;
    return status;
}

/* A usable tree of a mesh. */
static graze_status open_tree(const graze_context *context, const graze_moving_mesh *m, const graze_budget *budget,
                              graze_tree **out_own, const graze_tree **out_tree)
{
    *out_tree = m->tree;
    if ((m->tree != NULL && m->tree->usable) || m->mesh->triangle_count == 0)
        return GRAZE_STATUS_OK;
    graze_status status = graze_tree_create(context, m->mesh, NULL, budget, out_own);
    *out_tree = *out_own;
    return status == GRAZE_STATUS_OK && !(*out_tree)->usable ? GRAZE_STATUS_OUT_OF_MEMORY : status;
}

graze_status grz_moving_meshes_open(grz_moving_meshes *meshes, const graze_context *context, const graze_moving_mesh *a,
                                    const graze_moving_mesh *b, grz_monitor *monitor)
{
    *meshes = (grz_moving_meshes){.context = context, .a = *a, .b = *b};
    graze_budget budget = grz_monitor_budget(monitor);
    graze_status status = open_tree(context, a, &budget, &meshes->own_a, &meshes->tree_a);
    if (status == GRAZE_STATUS_OK)
        status = open_tree(context, b, &budget, &meshes->own_b, &meshes->tree_b);
    return status == GRAZE_STATUS_OK ? status : grz_monitor_end_step(monitor, status, 0);
}

void grz_moving_meshes_close(grz_moving_meshes *meshes)
{
    graze_tree_destroy(meshes->own_a);
    graze_tree_destroy(meshes->own_b);
    meshes->own_a = meshes->own_b = NULL;
}

bool grz_moving_meshes_are_empty(const grz_moving_meshes *meshes)
{
    return meshes->a.mesh->triangle_count == 0 || meshes->b.mesh->triangle_count == 0;
}
