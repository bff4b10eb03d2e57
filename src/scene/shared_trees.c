/* SPDX-License-Identifier: MIT */
/* Trees that a scene builds for meshes given without, one for all objects with the same mesh. */
#include "mesh/mesh.h"
#include "scene/scene.h"

static uint64_t key_of(const graze_mesh *mesh)
{
    return (uint64_t)(uintptr_t)mesh;
}

/* Allocates an element of scene->trees; `users` of a free one is the index of the next. False when out of memory. */
static bool allocate_slot(graze_scene *scene, uint32_t *out_place)
{
    *out_place = scene->free_tree;
    if (scene->free_tree != GRZ_NO_OBJECT)
    {
        scene->free_tree = scene->trees.data[scene->free_tree].users;
        return true;
    }
    *out_place = (uint32_t)scene->trees.count;
    return GRZ_PUSH(&scene->context, &scene->trees, (grz_shared_tree){0});
}

static void free_slot(graze_scene *scene, uint32_t place)
{
    scene->trees.data[place] = (grz_shared_tree){.users = scene->free_tree};
    scene->free_tree = place;
}

graze_status grz_scene_share_tree(graze_scene *scene, const graze_mesh *mesh, uint32_t *out_place)
{
    uint32_t *known = grz_hash_map_find(&scene->tree_of_mesh, key_of(mesh)), place;
    /* shortcut: shared-trees */
    if (known != NULL && grz_identity_equal(scene->trees.data[*known].identity, mesh->identity))
    {
        scene->trees.data[*known].users++;
        *out_place = *known;
        return GRAZE_STATUS_OK;
    }
    graze_tree *tree;
    graze_status status = graze_tree_create(&scene->context, mesh, NULL, NULL, &tree);
    if (status != GRAZE_STATUS_OK)
        return status;
    bool taken = allocate_slot(scene, &place);
    if (!taken || !grz_hash_map_set(&scene->context, &scene->tree_of_mesh, key_of(mesh), place))
    {
        if (taken)
            free_slot(scene, place);
        graze_tree_destroy(tree);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    scene->trees.data[place] = (grz_shared_tree){mesh, tree, mesh->identity, 1};
    *out_place = place;
    return GRAZE_STATUS_OK;
}

void grz_scene_release_tree(graze_scene *scene, uint32_t place)
{
    grz_shared_tree *shared = &scene->trees.data[place];
    if (--shared->users > 0)
        return;
    uint32_t *known = grz_hash_map_find(&scene->tree_of_mesh, key_of(shared->mesh));
    if (known != NULL && *known == place)
        grz_hash_map_remove(&scene->tree_of_mesh, key_of(shared->mesh));
    graze_tree_destroy(shared->tree);
    free_slot(scene, place);
}
