/* SPDX-License-Identifier: MIT */
/* Checking and ordering two placed meshes; see arguments.h. */
#include "pair/arguments.h"

#include <string.h>

#include "mesh/mesh.h"
#include "tree/tree.h"

graze_status grz_check_arguments(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    if (a == NULL || b == NULL || a->mesh == NULL || b->mesh == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if ((a->tree != NULL && a->tree->mesh != a->mesh) || (b->tree != NULL && b->tree->mesh != b->mesh))
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_status status = graze_pose_check(&a->pose, NULL);
    return status == GRAZE_STATUS_OK ? graze_pose_check(&b->pose, NULL) : status;
}

bool grz_arguments_swapped(const graze_placed_mesh *a, const graze_placed_mesh *b)
{
    int order = memcmp(&a->pose, &b->pose, sizeof a->pose);
    if (order != 0 || a->mesh == b->mesh)
        return order > 0;
    const graze_mesh *x = a->mesh, *y = b->mesh;
    if (x->triangle_count != y->triangle_count)
        return x->triangle_count > y->triangle_count;
    if (x->vertex_count != y->vertex_count)
        return x->vertex_count > y->vertex_count;
    if (x->vertex_count > 0)
        order = memcmp(x->vertices, y->vertices, x->vertex_count * 3 * sizeof *x->vertices);
    if (order == 0 && x->triangle_count > 0)
        order = memcmp(x->triangles, y->triangles, x->triangle_count * 3 * sizeof *x->triangles);
    return order > 0;
}
