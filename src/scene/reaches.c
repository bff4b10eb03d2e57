/* SPDX-License-Identifier: MIT */
/* Tables of how far meshes reach; see reaches.h. */
#include "scene/reaches.h"

#include "mesh/mesh.h"

enum
{
    MOST_PATIENCE = 256
};

static uint64_t key_of(const graze_mesh *mesh)
{
    return (uint64_t)(uintptr_t)mesh;
}

/* A mesh that has changed may do so again, and tables are not for nothing: the more often that happened, the more often
   it must be asked for. Whoever names the former table notices that it is none of its mesh any more. */
static const grz_reach *renew(grz_known_reach *known, const graze_tree *tree, bool has_time, bool *out_made)
{
    if (known->table->stamp == tree->mesh->stamp)
        return known->table;
    if (!has_time || ++known->asked < known->patience)
        return NULL;
    known->asked = 0;
    known->patience = known->patience < MOST_PATIENCE ? 2 * known->patience : MOST_PATIENCE;
    *out_made = true;
    return grz_reach_make(tree, known->table) ? known->table : NULL;
}

const grz_reach *grz_reaches_get(const graze_context *context, grz_reaches *reaches, const graze_tree *tree,
                                 bool has_time, bool *out_made)
{
    const uint32_t *known = grz_table_find(&reaches->places, key_of(tree->mesh));
    if (known != NULL)
        return renew(&reaches->tables.data[*known], tree, has_time, out_made);
    if (!has_time)
        return NULL;
    size_t place = reaches->tables.count;
    grz_reach *reach = grz_allocate(context, 1, sizeof *reach);
    if (reach == NULL || !GRZ_RESERVE(context, &reaches->tables, place + 1) || !grz_reach_make(tree, reach) ||
        !grz_table_set(context, &reaches->places, key_of(tree->mesh), (uint32_t)place))
    {
        grz_release(context, reach);
        return NULL;
    }
    reaches->tables.data[reaches->tables.count++] = (grz_known_reach){reach, 0, 1};
    *out_made = true;
    return reach;
}

size_t grz_reaches_memory(const grz_reaches *reaches)
{
    size_t size = reaches->tables.capacity * sizeof *reaches->tables.data;
    size += reaches->places.size * sizeof(grz_table_entry);
    for (size_t i = 0; i < reaches->tables.count; i++)
        size += reaches->tables.data[i].table != NULL ? sizeof *reaches->tables.data[i].table : 0;
    return size;
}

void grz_reaches_release(const graze_context *context, grz_reaches *reaches)
{
    for (size_t i = 0; i < reaches->tables.count; i++)
        grz_release(context, reaches->tables.data[i].table);
    grz_release(context, reaches->tables.data);
    grz_table_release(context, &reaches->places);
    *reaches = (grz_reaches){0};
}
