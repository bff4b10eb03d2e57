/* SPDX-License-Identifier: MIT */
/* Patches of a surface; see surface_patches.h. */
#include "pair/method/surface_patches.h"

#include "base/memory.h"
#include "mesh/mesh.h"

static void sort_by_patch(const graze_mesh *mesh, const uint32_t *patch_of, grz_surface_patches *patches)
{
    for (size_t t = 0; t < mesh->triangle_count; t++)
        patches->starts[patch_of[t] + 1]++;
    for (size_t p = 0; p < patches->count; p++)
        patches->starts[p + 1] += patches->starts[p];
    for (size_t t = mesh->triangle_count; t-- > 0;)
        patches->triangles[--patches->starts[patch_of[t] + 1]] = (uint32_t)t;
    /* Each end has become the start of its patch, one place too far. */
    for (size_t p = 0; p < patches->count; p++)
        patches->starts[p] = patches->starts[p + 1];
    patches->starts[patches->count] = (uint32_t)mesh->triangle_count;
}

bool grz_surface_patches_make(const graze_context *context, const graze_mesh *mesh, const uint32_t *patch_of,
                              size_t count, grz_surface_patches *out_patches)
{
    grz_surface_patches *p = out_patches;
    p->count = count;
    p->starts = grz_allocate_zeroed(context, count + 1, sizeof *p->starts);
    p->triangles = grz_allocate(context, mesh->triangle_count, sizeof *p->triangles);
    p->centroids = grz_allocate_zeroed(context, count, sizeof *p->centroids);
    if (p->starts == NULL || p->triangles == NULL || p->centroids == NULL)
        return false;
    sort_by_patch(mesh, patch_of, p);
    for (size_t patch = 0; patch < count; patch++)
    {
        uint32_t first = p->starts[patch], end = p->starts[patch + 1];
        for (uint32_t i = first; i < end; i++)
            for (size_t corner = 0; corner < 3; corner++)
            {
                const double *point = grz_mesh_scaled(mesh, mesh->triangles[3 * (size_t)p->triangles[i] + corner]);
                for (int k = 0; k < 3; k++)
                    p->centroids[patch][k] += point[k] / (3.0 * (end - first));
            }
    }
    return true;
}

void grz_surface_patches_release(const graze_context *context, grz_surface_patches *patches)
{
    grz_release(context, patches->starts);
    grz_release(context, patches->triangles);
    grz_release(context, patches->centroids);
    *patches = (grz_surface_patches){0};
}

size_t grz_surface_patches_memory(const grz_surface_patches *patches)
{
    if (patches->starts == NULL)
        return 0;
    return (patches->count + 1 + patches->starts[patches->count]) * sizeof(uint32_t) +
           patches->count * sizeof *patches->centroids;
}
