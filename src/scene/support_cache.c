/* SPDX-License-Identifier: MIT */
/* Support tables of a scene; see support_cache.h. */
#include "scene/support_cache.h"

#include "mesh/mesh.h"

enum
{
    MOST_PATIENCE = 256
};

static uint64_t key_of(const graze_mesh *mesh)
{
    return (uint64_t)(uintptr_t)mesh;
}

/* A mesh that has changed may change again, and tables cost time: after each change, twice as many requests are needed
   before a rebuild. Users of the old table notice by its identity that it is out of date. */
static const grz_support_table *refresh_entry(grz_support_cache_entry *known, const graze_tree *tree, bool has_time,
                                              bool *out_made)
{
    if (grz_identity_equal(known->table->identity, tree->mesh->identity))
        return known->table;
    if (!has_time || ++known->asked < known->patience)
        return NULL;
    known->asked = 0;
    known->patience = known->patience < MOST_PATIENCE ? 2 * known->patience : MOST_PATIENCE;
    *out_made = true;
    return grz_support_table_make(tree, known->table) ? known->table : NULL;
}

const grz_support_table *grz_support_cache_get(const graze_context *context, grz_support_cache *support_cache,
                                               const graze_tree *tree, bool has_time, bool *out_made)
{
    const uint32_t *known = grz_hash_map_find(&support_cache->places, key_of(tree->mesh));
    if (known != NULL)
        return refresh_entry(&support_cache->tables.data[*known], tree, has_time, out_made);
    if (!has_time)
        return NULL;
    size_t place = support_cache->tables.count;
    grz_support_table *reach = grz_allocate(context, 1, sizeof *reach);
    if (reach == NULL || !GRZ_RESERVE(context, &support_cache->tables, place + 1) ||
        !grz_support_table_make(tree, reach) ||
        !grz_hash_map_set(context, &support_cache->places, key_of(tree->mesh), (uint32_t)place))
    {
        grz_release(context, reach);
        return NULL;
    }
    support_cache->tables.data[support_cache->tables.count++] = (grz_support_cache_entry){reach, 0, 1};
    *out_made = true;
    return reach;
}

size_t grz_support_cache_memory(const grz_support_cache *support_cache)
{
    size_t size = support_cache->tables.capacity * sizeof *support_cache->tables.data;
    size += support_cache->places.size * sizeof(grz_hash_map_entry);
    for (size_t i = 0; i < support_cache->tables.count; i++)
        size += support_cache->tables.data[i].table != NULL ? sizeof *support_cache->tables.data[i].table : 0;
    return size;
}

void grz_support_cache_release(const graze_context *context, grz_support_cache *support_cache)
{
    for (size_t i = 0; i < support_cache->tables.count; i++)
        grz_release(context, support_cache->tables.data[i].table);
    grz_release(context, support_cache->tables.data);
    grz_hash_map_release(context, &support_cache->places);
    *support_cache = (grz_support_cache){0};
}
