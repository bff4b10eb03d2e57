/* SPDX-License-Identifier: MIT */
/*
 * Trees of k-dops in bytes; see dop_tree_saved.h. Nothing is trusted: children come after their parents and divide
 * their parents' triangles among them, every node but the first is a child once, every triangle comes once, and dops
 * are enlarged by those of their triangles and children. So forged dops cost time and never an answer: an end that is
 * no number compares as overlapping.
 * shortcut: loaded-dops
 */
#include "pair/method/dop_tree_saved.h"

#include <string.h>

#define SAVED_MAGIC "GRZKDOP1"

typedef struct saved_header
{
    char magic[8];
    uint32_t byte_order, half;
    uint64_t node_count, triangle_count, size;
} saved_header;

enum
{
    BYTE_ORDER_MARK = 0x01020304
};

static size_t size_of(size_t half, size_t node_count, size_t triangle_count)
{
    return sizeof(saved_header) + node_count * (sizeof(grz_method_node) + 2 * half * sizeof(double)) +
           triangle_count * sizeof(uint32_t);
}

size_t grz_dop_tree_saved_size(const grz_dop_tree *tree)
{
    if (tree->kind == &tree->own_kind)
        return 0;
    return size_of((size_t)tree->kind->half, tree->tree.node_count, tree->tree.triangle_count);
}

/* Copies a section, and goes on behind it. */
static void put(unsigned char **at, const void *section, size_t size)
{
    if (size > 0)
        memcpy(*at, section, size);
    *at += size;
}

void grz_dop_tree_save(const grz_dop_tree *tree, void *buffer)
{
    saved_header header = {.byte_order = BYTE_ORDER_MARK,
                           .half = (uint32_t)tree->kind->half,
                           .node_count = tree->tree.node_count,
                           .triangle_count = tree->tree.triangle_count,
                           .size = grz_dop_tree_saved_size(tree)};
    unsigned char *at = buffer;
    memcpy(header.magic, SAVED_MAGIC, sizeof header.magic);
    put(&at, &header, sizeof header);
    put(&at, tree->tree.nodes, tree->tree.node_count * sizeof *tree->tree.nodes);
    put(&at, tree->dops, tree->tree.node_count * 2 * (size_t)tree->kind->half * sizeof(double));
    put(&at, tree->tree.order, tree->tree.triangle_count * sizeof *tree->tree.order);
}

static graze_status check_header(const grz_dop_tree *tree, const graze_mesh *mesh, const void *bytes, size_t size,
                                 saved_header *out)
{
    size_t most_nodes = 2 * mesh->triangle_count;
    if (size < sizeof *out)
        return size < sizeof out->magic || memcmp(bytes, SAVED_MAGIC, sizeof out->magic) != 0 ? GRAZE_STATUS_BAD_FORMAT
                                                                                              : GRAZE_STATUS_TRUNCATED;
    memcpy(out, bytes, sizeof *out);
    if (memcmp(out->magic, SAVED_MAGIC, sizeof out->magic) != 0)
        return GRAZE_STATUS_BAD_FORMAT;
    if (out->byte_order != BYTE_ORDER_MARK || out->half != (uint32_t)tree->kind->half)
        return GRAZE_STATUS_UNSUPPORTED;
    if (out->triangle_count != mesh->triangle_count)
        return GRAZE_STATUS_OTHER_MESH;
    if (out->node_count > most_nodes || (out->node_count == 0) != (mesh->triangle_count == 0) ||
        out->size != size_of(out->half, (size_t)out->node_count, mesh->triangle_count))
        return GRAZE_STATUS_DAMAGED;
    return size < out->size ? GRAZE_STATUS_TRUNCATED : size > out->size ? GRAZE_STATUS_DAMAGED : GRAZE_STATUS_OK;
}

/* Whether every triangle comes once; `seen` has zeros. */
static bool order_fits(const grz_method_tree *tree, uint8_t *seen)
{
    for (size_t i = 0; i < tree->triangle_count; i++)
    {
        uint32_t triangle = tree->order[i];
        if (triangle >= tree->triangle_count || seen[triangle] != 0)
            return false;
        seen[triangle] = 1;
    }
    return true;
}

/* Whether a node's children divide its triangles among them; marks them. */
static bool children_fit(const grz_method_tree *tree, size_t n, uint8_t *is_child)
{
    const grz_method_node *node = &tree->nodes[n];
    uint32_t child = grz_node_child(node), count = grz_node_child_count(node), first = node->first;
    uint32_t end = node->first + node->count;
    if (child <= n || child >= tree->node_count || count > tree->node_count - child || count > GRZ_METHOD_MOST_CHILDREN)
        return false;
    for (uint32_t i = 0; i < count; i++)
    {
        const grz_method_node *part = &tree->nodes[child + i];
        if (is_child[child + i] != 0 || part->first != first || part->count == 0 || part->count > end - first)
            return false;
        is_child[child + i] = 1;
        first += part->count;
    }
    return first == end;
}

/* `is_child` has zeros. A node that no node before it has for a child is unreachable, or comes before its parent. */
static bool nodes_fit(const grz_method_tree *tree, uint8_t *is_child)
{
    if (tree->nodes[0].first != 0 || tree->nodes[0].count != tree->triangle_count)
        return false;
    for (size_t n = 0; n < tree->node_count; n++)
        if ((n > 0 && is_child[n] == 0) || (tree->nodes[n].left != 0 && !children_fit(tree, n, is_child)))
            return false;
    return true;
}

static void enlarge_dops(grz_dop_tree *tree, const graze_mesh *mesh)
{
    for (size_t n = tree->tree.node_count; n-- > 0;)
    {
        const grz_method_node *node = &tree->tree.nodes[n];
        double *dop = grz_dop_of(tree, (uint32_t)n);
        for (uint32_t i = 0; node->left == 0 && i < node->count; i++)
            grz_dop_add_triangle(tree->kind, mesh, tree->tree.order[node->first + i], dop);
        for (uint32_t i = 0; node->left != 0 && i < grz_node_child_count(node); i++)
            grz_dop_merge(tree->kind->half, grz_dop_of(tree, grz_node_child(node) + i), dop);
    }
}

graze_status grz_dop_tree_load(grz_dop_tree *tree, const graze_context *context, const graze_mesh *mesh,
                               const void *bytes, size_t size)
{
    saved_header header;
    graze_status status = check_header(tree, mesh, bytes, size, &header);
    if (status != GRAZE_STATUS_OK || header.node_count == 0)
        return status;
    size_t node_count = (size_t)header.node_count, half = header.half, most = 2 * mesh->triangle_count;
    const unsigned char *at = (const unsigned char *)bytes + sizeof header;
    tree->tree.nodes = grz_allocate(context, node_count, sizeof *tree->tree.nodes);
    tree->dops = grz_allocate(context, node_count, 2 * half * sizeof(double));
    tree->tree.order = grz_allocate(context, mesh->triangle_count, sizeof *tree->tree.order);
    uint8_t *marks = grz_allocate_zeroed(context, 2, most);
    if (tree->tree.nodes == NULL || tree->dops == NULL || tree->tree.order == NULL || marks == NULL)
        status = GRAZE_STATUS_OUT_OF_MEMORY;
    else
    {
        tree->tree.node_count = node_count;
        tree->tree.triangle_count = mesh->triangle_count;
        memcpy(tree->tree.nodes, at, node_count * sizeof *tree->tree.nodes);
        memcpy(tree->dops, at + node_count * sizeof *tree->tree.nodes, node_count * 2 * half * sizeof(double));
        memcpy(tree->tree.order, at + node_count * (sizeof *tree->tree.nodes + 2 * half * sizeof(double)),
               mesh->triangle_count * sizeof *tree->tree.order);
        if (!order_fits(&tree->tree, marks) || !nodes_fit(&tree->tree, marks + most))
            status = GRAZE_STATUS_DAMAGED;
    }
    grz_release(context, marks);
    if (status == GRAZE_STATUS_OK)
    {
        grz_dop_facets_make(tree->kind, &tree->facets);
        enlarge_dops(tree, mesh);
    }
    return status;
}
