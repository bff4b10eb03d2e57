/* SPDX-License-Identifier: MIT */
/* Tables of how far meshes reach; see reaches.h. */
#include "scene/reaches.h"

#include "mesh/mesh.h"

static uint64_t key_of(const graze_mesh *mesh)
{
    return (uint64_t)(uintptr_t)mesh;
}

const grz_reach *grz_reaches_get(const graze_context *context, grz_reaches *reaches, const graze_tree *tree,
                                 bool *out_made)
{
    const uint32_t *known = grz_table_find(&reaches->places, key_of(tree->mesh));
    if (known != NULL)
    {
        const grz_reach *reach = reaches->tables.data[*known];
        return reach->stamp == tree->mesh->stamp ? reach : NULL;
    }
    size_t place = reaches->tables.count;
    grz_reach *reach = grz_allocate(context, 1, sizeof *reach);
    if (reach == NULL || !GRZ_RESERVE(context, &reaches->tables, place + 1) || !grz_reach_make(tree, reach) ||
        !grz_table_set(context, &reaches->places, key_of(tree->mesh), (uint32_t)place))
    {
        grz_release(context, reach);
        return NULL;
    }
    reaches->tables.data[reaches->tables.count++] = reach;
    *out_made = true;
    return reach;
}

void grz_reaches_release(const graze_context *context, grz_reaches *reaches)
{
    for (size_t i = 0; i < reaches->tables.count; i++)
        grz_release(context, reaches->tables.data[i]);
    grz_release(context, reaches->tables.data);
    grz_table_release(context, &reaches->places);
    *reaches = (grz_reaches){0};
}
