/* SPDX-License-Identifier: MIT */
/*
 * Data derived from meshes (pair/derived_data.h), one for all objects of a scene with the same mesh. An object uses the
 * data of the mesh it was given last, and those of the mesh that the last update placed.
 */
#include "mesh/mesh.h"
#include "scene/scene.h"
#include "shape/create.h"

static uint64_t key_of(const graze_mesh *mesh)
{
    return (uint64_t)(uintptr_t)mesh;
}

/* Allocates an element of scene->shared_data; `users` of a free one is the index of the next. False when out of memory.
 */
static bool allocate_slot(graze_scene *scene, uint32_t *out_place)
{
    *out_place = scene->free_shared_data;
    if (scene->free_shared_data != GRZ_NO_OBJECT)
    {
        scene->free_shared_data = scene->shared_data.data[scene->free_shared_data].users;
        return true;
    }
    *out_place = (uint32_t)scene->shared_data.count;
    return GRZ_PUSH(&scene->context, &scene->shared_data, (grz_shared_data){0});
}

static void free_slot(graze_scene *scene, uint32_t place)
{
    scene->shared_data.data[place] = (grz_shared_data){.users = scene->free_shared_data};
    scene->free_shared_data = place;
}

graze_status grz_scene_share_data(graze_scene *scene, const graze_mesh *mesh, uint32_t *out_place)
{
    const uint32_t *known = grz_hash_map_find(&scene->shared_data_of_mesh, key_of(mesh));
    /* shortcut: shared-data */
    if (known != NULL && grz_derived_data_is_current(scene->shared_data.data[*known].derived))
    {
        scene->shared_data.data[*known].users++;
        *out_place = *known;
        return GRAZE_STATUS_OK;
    }
    grz_derived_data *derived = grz_allocate(&scene->context, 1, sizeof *derived);
    if (derived == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    grz_derived_data_init(derived, &scene->context, mesh);
    if (known != NULL)
        grz_derived_data_succeed(derived, scene->shared_data.data[*known].derived);
    uint32_t place;
    bool taken = allocate_slot(scene, &place);
    if (!taken || !grz_hash_map_set(&scene->context, &scene->shared_data_of_mesh, key_of(mesh), place))
    {
        if (taken)
            free_slot(scene, place);
        grz_release(&scene->context, derived);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    scene->shared_data.data[place] = (grz_shared_data){.derived = derived, .users = 1};
    *out_place = place;
    return GRAZE_STATUS_OK;
}

static void destroy_shared(const graze_scene *scene, grz_shared_data *shared)
{
    for (int solid = 0; solid < 2; solid++)
        graze_shape_destroy(atomic_load(&shared->shapes[solid]));
    grz_derived_data_release(shared->derived);
    grz_release(&scene->context, shared->derived);
}

void grz_scene_release_data(graze_scene *scene, uint32_t place)
{
    grz_shared_data *shared = &scene->shared_data.data[place];
    if (--shared->users > 0)
        return;
    const uint32_t *known = grz_hash_map_find(&scene->shared_data_of_mesh, key_of(shared->derived->mesh));
    if (known != NULL && *known == place)
        grz_hash_map_remove(&scene->shared_data_of_mesh, key_of(shared->derived->mesh));
    destroy_shared(scene, shared);
    free_slot(scene, place);
}

grz_derived_data *grz_scene_placed_data(const graze_scene *scene, uint32_t index)
{
    return scene->shared_data.data[scene->objects.data[index].placed_shared_data - 1].derived;
}

bool grz_scene_as_shape(const graze_scene *scene, uint32_t index, graze_placed *out_placed)
{
    *out_placed = grz_scene_placed_shape(scene, index);
    if (out_placed->shape != NULL)
        return true;
    uint32_t place = scene->objects.data[index].placed_shared_data - 1;
    bool solid = scene->shapes.data[index].solid;
    grz_shared_data *shared = &scene->shared_data.data[place];
    graze_shape *known = atomic_load_explicit(&shared->shapes[solid], memory_order_acquire);
    if (known == NULL)
    {
        graze_shape *made = grz_shape_create_shared(shared->derived, solid);
        if (made == NULL)
            return false;
        if (atomic_compare_exchange_strong(&shared->shapes[solid], &known, made))
            known = made;
        else
            graze_shape_destroy(made); /* another thread was first */
    }
    out_placed->shape = known;
    return true;
}

static size_t memory_of_shared(const grz_shared_data *shared)
{
    size_t size = sizeof(grz_derived_data) + grz_derived_data_memory(shared->derived);
    for (int solid = 0; solid < 2; solid++)
        size += graze_shape_memory_size(atomic_load(&shared->shapes[solid]));
    return size;
}

size_t grz_scene_shared_data_memory(const graze_scene *scene)
{
    size_t size = scene->shared_data.capacity * sizeof *scene->shared_data.data;
    size += scene->shared_data_of_mesh.size * sizeof(grz_hash_map_entry);
    for (size_t i = 0; i < scene->shared_data.count; i++)
        if (scene->shared_data.data[i].derived != NULL)
            size += memory_of_shared(&scene->shared_data.data[i]);
    return size;
}

void grz_scene_shared_data_release(graze_scene *scene)
{
    for (size_t i = 0; i < scene->shared_data.count; i++)
        if (scene->shared_data.data[i].derived != NULL)
            destroy_shared(scene, &scene->shared_data.data[i]);
    grz_release(&scene->context, scene->shared_data.data);
    grz_hash_map_release(&scene->context, &scene->shared_data_of_mesh);
}
