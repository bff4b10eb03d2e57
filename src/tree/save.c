/* SPDX-License-Identifier: MIT */
/* Saving a tree into one block; see blob.h. */
#include <string.h>

#include "base/bits.h"
#include "base/checksum.h"
#include "mesh/mesh.h"
#include "tree/blob.h"

uint64_t grz_blob_mesh_checksum(const graze_mesh *mesh, grz_monitor *monitor)
{
    uint64_t sum = grz_checksum(0, mesh->vertices, mesh->vertex_count * 3 * sizeof(double), monitor);
    return grz_checksum(sum, mesh->triangles, mesh->triangle_count * 3 * sizeof(uint32_t), monitor);
}

uint64_t grz_blob_checksum(const grz_blob_header *header, const void *blob, grz_monitor *monitor)
{
    grz_blob_header copy = *header;
    copy.checksum = 0;
    uint64_t sum = grz_checksum(0, &copy, sizeof copy, monitor);
    return grz_checksum(sum, (const char *)blob + sizeof copy, header->size - sizeof copy, monitor);
}

/* Of an unusable tree nothing is saved. */
static grz_tree_parts saved_parts(const graze_tree *tree)
{
    bool kept = tree->usable && tree->node_count > 0;
    return grz_tree_parts_of(kept ? tree->node_count : 0, kept ? tree->leaf_count : 0, kept ? tree->triangle_count : 0);
}

size_t graze_tree_saved_size(const graze_tree *tree)
{
    return tree != NULL ? sizeof(grz_blob_header) + saved_parts(tree).size : 0;
}

static grz_blob_header make_header(const graze_tree *tree)
{
    grz_blob_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, GRZ_BLOB_MAGIC, sizeof header.magic);
    header.byte_order = GRZ_BLOB_BYTE_ORDER;
    header.version = GRZ_BLOB_VERSION;
    header.size = graze_tree_saved_size(tree);
    header.node_size = sizeof(grz_node);
    header.leaf_size = sizeof(grz_leaf);
    header.triangle_count = tree->triangle_count;
    header.vertex_count = tree->mesh->vertex_count;
    header.mesh_checksum = grz_blob_mesh_checksum(tree->mesh, NULL);
    header.usable = tree->usable;
    if (!tree->usable || tree->node_count == 0)
        return header;
    header.node_count = tree->node_count;
    header.leaf_count = tree->leaf_count;
    for (int axis = 0; axis < 3; axis++)
        header.origin[axis] = grz_scale(tree->origin[axis], tree->mesh->exponent);
    header.cost = tree->cost;
    header.built_cost = tree->built_cost;
    memcpy(header.lower, tree->lower, sizeof header.lower);
    memcpy(header.upper, tree->upper, sizeof header.upper);
    header.exponent = tree->exponent + tree->mesh->exponent;
    header.depth = tree->depth;
    return header;
}

graze_status graze_tree_save(const graze_tree *tree, void *buffer, size_t size)
{
    if (tree == NULL || buffer == NULL || size < graze_tree_saved_size(tree))
        return GRAZE_STATUS_BAD_ARGUMENT;
    grz_blob_header header = make_header(tree);
    grz_tree_parts parts = saved_parts(tree);
    char *base = (char *)buffer + sizeof header;
    memset(base, 0, parts.size);
    if (header.node_count > 0)
    {
        memcpy(base, tree->nodes, tree->node_count * sizeof(grz_node));
        memcpy(base + parts.leaves, tree->leaves, tree->leaf_count * sizeof(grz_leaf));
        memcpy(base + parts.order, tree->order, tree->triangle_count * sizeof(uint32_t));
    }
    header.checksum = grz_blob_checksum(&header, buffer, NULL);
    memcpy(buffer, &header, sizeof header);
    return GRAZE_STATUS_OK;
}
