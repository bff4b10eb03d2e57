/* SPDX-License-Identifier: MIT */
/* The cache between motions; see impact_cache.h. */
#include "motion/impact_cache.h"

#include "mesh/mesh.h"

/* What graze_impact_cache.state holds. It may alias, since callers see other types. */
typedef struct __attribute__((may_alias)) cache_state
{
    const graze_mesh *mesh_a, *mesh_b;
    uint64_t identity_a[2], identity_b[2];
    grz_impact_memory memory;
} cache_state;

_Static_assert(sizeof(cache_state) <= sizeof(((graze_impact_cache *)0)->state), "graze_impact_cache has no room");

static bool has_identity(const graze_mesh *mesh, const uint64_t identity[2])
{
    return mesh->identity.words[0] == identity[0] && mesh->identity.words[1] == identity[1];
}

void grz_impact_witnesses_add(grz_impact_witnesses *witnesses, uint32_t triangle_a, uint32_t triangle_b)
{
    if (witnesses->count == GRZ_WITNESSES)
        return;
    for (int i = 0; i < witnesses->count; i++)
        if (witnesses->pairs[i][0] == triangle_a && witnesses->pairs[i][1] == triangle_b)
            return;
    witnesses->pairs[witnesses->count][0] = triangle_a;
    witnesses->pairs[witnesses->count++][1] = triangle_b;
}

grz_impact_memory grz_impact_cache_load(const graze_impact_cache *cache, const graze_moving_mesh *a,
                                        const graze_moving_mesh *b)
{
    grz_impact_memory memory = {0};
    if (cache == NULL)
        return memory;
    const cache_state *state = (const cache_state *)cache->state;
    /* shortcut: impact-cache-identities */
    if (state->mesh_a == a->mesh && state->mesh_b == b->mesh && has_identity(a->mesh, state->identity_a) &&
        has_identity(b->mesh, state->identity_b))
        memory = state->memory;
    memory.by_gap = memory.by_witness = 0;
    return memory;
}

void grz_impact_cache_store(graze_impact_cache *cache, const graze_moving_mesh *a, const graze_moving_mesh *b,
                            const grz_impact_memory *memory, size_t count)
{
    if (cache == NULL)
        return;
    cache->queries += count;
    cache->answered_by_gap += memory->by_gap;
    cache->answered_by_witness += memory->by_witness;
    cache_state *state = (cache_state *)cache->state;
    *state = (cache_state){.mesh_a = a->mesh,
                           .mesh_b = b->mesh,
                           .identity_a = {a->mesh->identity.words[0], a->mesh->identity.words[1]},
                           .identity_b = {b->mesh->identity.words[0], b->mesh->identity.words[1]},
                           .memory = *memory};
}
