/* SPDX-License-Identifier: MIT */
/* Refitting: the same tree over moved vertices. fit.c does the work, which is also the last stage of building. */
#include <string.h>

#include "base/memory.h"
#include "mesh/mesh.h"
#include "tree/fit.h"

grz_tree_parts grz_tree_parts_of(size_t node_count, size_t leaf_count, size_t order_count)
{
    const size_t mask = GRZ_TREE_ALIGNMENT - 1;
    grz_tree_parts parts;
    parts.leaves = (node_count * sizeof(grz_node) + mask) & ~mask;
    parts.order = (parts.leaves + leaf_count * sizeof(grz_leaf) + mask) & ~mask;
    parts.size = (parts.order + order_count * sizeof(uint32_t) + mask) & ~mask;
    return parts;
}

graze_status grz_tree_own(graze_tree *tree)
{
    size_t order_count = tree->node_count > 0 ? tree->triangle_count : 0;
    grz_tree_parts parts = grz_tree_parts_of(tree->node_count, tree->leaf_count, order_count);
    void *memory = grz_allocate(&tree->context, parts.size + GRZ_TREE_ALIGNMENT, 1);
    if (memory == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    size_t skip = (GRZ_TREE_ALIGNMENT - (uintptr_t)memory % GRZ_TREE_ALIGNMENT) % GRZ_TREE_ALIGNMENT;
    char *base = (char *)memory + skip;
    if (tree->node_count > 0)
    {
        memcpy(base, tree->nodes, tree->node_count * sizeof(grz_node));
        memcpy(base + parts.leaves, tree->leaves, tree->leaf_count * sizeof(grz_leaf));
        memcpy(base + parts.order, tree->order, order_count * sizeof(uint32_t));
    }
    tree->nodes = (grz_node *)(void *)base;
    tree->leaves = (grz_leaf *)(void *)(base + parts.leaves);
    tree->order = (uint32_t *)(void *)(base + parts.order);
    tree->node_memory = memory;
    return GRAZE_STATUS_OK;
}

graze_status graze_tree_refit(const graze_context *context, graze_tree *tree, const graze_mesh *mesh)
{
    if (tree == NULL || mesh == NULL || mesh->triangle_count != tree->triangle_count)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (tree->node_memory == NULL && tree->node_count > 0)
    {
        graze_status status = grz_tree_own(tree);
        if (status != GRAZE_STATUS_OK)
            return status;
    }
    tree->mesh = mesh;
    grz_tree_choose_frame(tree);
    /* shortcut: refitted-trees */
    tree->usable = tree->usable && (tree->node_count > 0 || tree->triangle_count == 0);
    if (tree->usable)
        grz_tree_fit(context, NULL, tree);
    return GRAZE_STATUS_OK;
}

void graze_tree_set_on_destroy(graze_tree *tree, graze_destroy_function on_destroy, void *user)
{
    if (tree == NULL)
        return;
    tree->release = on_destroy;
    tree->release_user = user;
}
