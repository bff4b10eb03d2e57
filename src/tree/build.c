/* SPDX-License-Identifier: MIT */
/*
 * Building a tree; build.h names the stages. The mesh is split into ranges of some thousand triangles, level by level.
 * Over each of them a grove grows apart from the others, so that any number of threads may take part: where the cuts
 * are depends on the mesh alone, and nodes and leaves are numbered when all groves are there.
 */
#include "tree/build.h"

#include <math.h>
#include <string.h>

#include "mesh/mesh.h"
#include "tree/fit.h"

enum
{
    GROVE_SIZE = 8192 /* triangles; what a grove works on stays in the second-level cache */
};

typedef struct builder
{
    const graze_context *context;
    graze_tree *tree;
    uint32_t leaf_size;
    grz_reference *references, *spare;
    GRZ_ARRAY(grz_grove) groves;
    grz_branches branches; /* above the groves, which stand for leaves here */
    uint32_t root;
} builder;

graze_tree_def graze_tree_def_default(void)
{
    graze_tree_def def = {GRZ_TREE_WIDTH};
    return def;
}

static void fill_references(builder *b)
{
    const graze_mesh *mesh = b->tree->mesh;
    double scale = b->tree->shrink;
    const double *o = b->tree->origin;
    for (size_t t = 0; t < mesh->triangle_count; t++)
    {
        const double *p = grz_mesh_vertex(mesh, mesh->triangles[3 * t]);
        const double *q = grz_mesh_vertex(mesh, mesh->triangles[3 * t + 1]);
        const double *r = grz_mesh_vertex(mesh, mesh->triangles[3 * t + 2]);
        grz_reference *reference = &b->references[t];
        reference->triangle = (uint32_t)t;
        reference->unused = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            double lower = p[axis] < q[axis] ? p[axis] : q[axis], upper = p[axis] > q[axis] ? p[axis] : q[axis];
            lower = r[axis] < lower ? r[axis] : lower;
            upper = r[axis] > upper ? r[axis] : upper;
            reference->lower[axis] = (float)(lower * scale - o[axis] * scale);
            reference->upper[axis] = (float)(upper * scale - o[axis] * scale);
        }
    }
}

/* ---- cutting into groves ---- */

static bool cut(builder *b, const grz_range *range, uint32_t depth, uint32_t *out_child)
{
    if (range->count <= GROVE_SIZE)
    {
        grz_grove grove = {.range = *range, .depth = depth};
        *out_child = (uint32_t)b->groves.count | GRZ_LEAF_FLAG;
        return GRZ_PUSH(b->context, &b->groves, grove);
    }
    grz_range halves[2];
    uint32_t left, right;
    grz_range_split(b->references, b->spare, range, b->leaf_size, grz_range_is_deep(range, depth), halves);
    return cut(b, &halves[0], depth + 1, &left) && cut(b, &halves[1], depth + 1, &right) &&
           grz_branches_add(b->context, &b->branches, left, right, grz_range_area(range), out_child);
}

static bool grow_all(builder *b)
{
    for (size_t i = 0; i < b->groves.count; i++)
    {
        grz_grove_grow(b->context, &b->groves.data[i], b->references, b->spare, b->leaf_size);
        if (b->groves.data[i].failed)
            return false;
    }
    return true;
}

/* ---- putting together ---- */

static void clear_node(grz_node *node)
{
    memset(node, 0, sizeof *node);
    for (int place = 0; place < GRZ_TREE_WIDTH; place++)
        grz_node_clear_place(node, place);
}

/* Numbers a grove's nodes and leaves after those before it; gives what its parent calls it. */
static uint32_t place_grove(builder *b, grz_grove *grove, uint32_t level)
{
    graze_tree *tree = b->tree;
    grove->node_start = (uint32_t)tree->node_count;
    grove->leaf_start = (uint32_t)tree->leaf_count;
    tree->node_count += grove->nodes.count;
    tree->leaf_count += grove->leaves.count;
    if (level + grove->levels > tree->depth)
        tree->depth = level + grove->levels;
    return (grove->root & GRZ_LEAF_FLAG) != 0 ? grove->leaf_start | GRZ_LEAF_FLAG : grove->node_start;
}

/* Writes the nodes above the groves, `level` of them above this one. */
static uint32_t place_child(builder *b, uint32_t child, uint32_t level)
{
    graze_tree *tree = b->tree;
    if ((child & GRZ_LEAF_FLAG) != 0)
        return place_grove(b, &b->groves.data[child & ~GRZ_LEAF_FLAG], level);
    uint32_t children[GRZ_TREE_WIDTH], index = (uint32_t)tree->node_count++;
    int count = grz_branches_fold(&b->branches, child, children);
    clear_node(&tree->nodes[index]);
    for (int i = 0; i < count; i++)
        tree->nodes[index].children[i] = place_child(b, children[i], level + 1);
    return index;
}

static void write_grove(const builder *b, const grz_grove *grove)
{
    graze_tree *tree = b->tree;
    for (size_t i = 0; i < grove->nodes.count; i++)
    {
        grz_node *node = &tree->nodes[grove->node_start + i];
        clear_node(node);
        for (int place = 0; place < GRZ_TREE_WIDTH; place++)
        {
            uint32_t child = grove->nodes.data[i].children[place];
            if (child != GRZ_NO_CHILD)
                node->children[place] = child + ((child & GRZ_LEAF_FLAG) != 0 ? grove->leaf_start : grove->node_start);
        }
    }
    for (size_t i = 0; i < grove->leaves.count; i++)
    {
        grz_leaf *leaf = &tree->leaves[grove->leaf_start + i];
        leaf->first = grove->leaves.data[i].first;
        leaf->count = grove->leaves.data[i].count;
    }
    for (size_t i = grove->range.first; i < grove->range.first + grove->range.count; i++)
        tree->order[i] = b->references[i].triangle;
}

/* Memory for just the nodes and leaves there will be. */
static bool make_room(builder *b)
{
    graze_tree *tree = b->tree;
    size_t nodes = b->branches.count + 1, leaves = 0; /* folding leaves some of the branches out */
    for (size_t i = 0; i < b->groves.count; i++)
    {
        nodes += b->groves.data[i].nodes.count;
        leaves += b->groves.data[i].leaves.count;
    }
    tree->node_memory = grz_allocate(b->context, nodes * sizeof(grz_node) + GRZ_TREE_ALIGNMENT, 1);
    tree->leaf_memory = grz_allocate(b->context, leaves, sizeof(grz_leaf));
    if (tree->node_memory == NULL || tree->leaf_memory == NULL)
        return false;
    size_t skip = (GRZ_TREE_ALIGNMENT - (uintptr_t)tree->node_memory % GRZ_TREE_ALIGNMENT) % GRZ_TREE_ALIGNMENT;
    tree->nodes = (grz_node *)(void *)((char *)tree->node_memory + skip);
    tree->leaves = tree->leaf_memory;
    return true;
}

static bool put_together(builder *b)
{
    graze_tree *tree = b->tree;
    if (!make_room(b))
        return false;
    bool single = (b->root & GRZ_LEAF_FLAG) != 0 && (b->groves.data[0].root & GRZ_LEAF_FLAG) != 0;
    if (single) /* the root is a node also where one leaf would do */
    {
        clear_node(&tree->nodes[tree->node_count++]);
        tree->nodes[0].children[0] = place_child(b, b->root, 1);
    }
    else
        place_child(b, b->root, 0);
    for (size_t i = 0; i < b->groves.count; i++)
        write_grove(b, &b->groves.data[i]);
    return true;
}

/* ---- the whole ---- */

static bool build(builder *b)
{
    graze_tree *tree = b->tree;
    size_t count = tree->mesh->triangle_count;
    tree->triangle_count = count;
    grz_tree_choose_frame(tree);
    if (!tree->usable || count == 0)
        return true;
    tree->order_memory = grz_allocate(b->context, count, sizeof *tree->order);
    b->references = grz_allocate(b->context, count, sizeof *b->references);
    b->spare = grz_allocate(b->context, count, sizeof *b->spare);
    if (tree->order_memory == NULL || b->references == NULL || b->spare == NULL)
        return false;
    tree->order = tree->order_memory;
    fill_references(b);
    grz_range all = grz_range_make(b->references, 0, count);
    if (!cut(b, &all, 0, &b->root) || !grow_all(b) || !put_together(b))
        return false;
    grz_tree_fit(tree);
    tree->built_cost = tree->cost;
    return true;
}

static void clear_builder(builder *b)
{
    for (size_t i = 0; i < b->groves.count; i++)
    {
        grz_release(b->context, b->groves.data[i].nodes.data);
        grz_release(b->context, b->groves.data[i].leaves.data);
    }
    grz_release(b->context, b->groves.data);
    grz_release(b->context, b->branches.data);
    grz_release(b->context, b->references);
    grz_release(b->context, b->spare);
}

graze_status graze_tree_create(const graze_context *context, const graze_mesh *mesh, const graze_tree_def *def,
                               graze_tree **out_tree)
{
    graze_tree_def used = def != NULL ? *def : graze_tree_def_default();
    if (mesh == NULL || used.leaf_size < 1 || used.leaf_size > GRZ_TREE_WIDTH)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_tree *tree = grz_allocate_zeroed(context, 1, sizeof *tree);
    if (tree == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    tree->context = grz_context_copy(context);
    tree->mesh = mesh;
    builder b = {.context = &tree->context, .tree = tree, .leaf_size = used.leaf_size};
    bool done = build(&b);
    clear_builder(&b);
    if (!done)
    {
        graze_tree_destroy(tree);
        return GRAZE_STATUS_OUT_OF_MEMORY;
    }
    *out_tree = tree;
    return GRAZE_STATUS_OK;
}

void graze_tree_destroy(graze_tree *tree)
{
    if (tree == NULL)
        return;
    graze_context context = tree->context;
    void (*release)(void *user) = tree->release;
    void *release_user = tree->release_user;
    grz_release(&context, tree->node_memory);
    grz_release(&context, tree->leaf_memory);
    grz_release(&context, tree->order_memory);
    grz_release(&context, tree);
    if (release != NULL)
        release(release_user);
}
