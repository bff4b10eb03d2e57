/* SPDX-License-Identifier: MIT */
/*
 * Building a tree; build.h names the stages. Subtrees are built independently, so that any number of threads may take
 * part. Their boundaries depend on the mesh alone, and nodes and leaves are numbered when all subtrees are complete.
 */
#include "tree/build.h"

#include <math.h>
#include <string.h>

#include "base/struct_size.h"
#include "base/tasks.h"
#include "mesh/mesh.h"
#include "tree/fit.h"

enum
{
    REFERENCE_BLOCK = 16384 /* triangles for which one task makes references */
};

typedef struct builder
{
    grz_build_plan plan;
    graze_tree *tree;
    grz_reference *references, *spare;
    atomic_size_t built; /* triangles in subtrees that are there */
} builder;

/* ---- the parts ---- */

static void fill_references(void *argument, size_t block)
{
    const builder *b = argument;
    const graze_mesh *mesh = b->tree->mesh;
    double scale = b->tree->inverse_scale, origin[3];
    for (int axis = 0; axis < 3; axis++)
        origin[axis] = b->tree->origin[axis] * scale;
    size_t first = block * REFERENCE_BLOCK, end = first + REFERENCE_BLOCK;
    end = end < mesh->triangle_count ? end : mesh->triangle_count;
    if (!grz_shared_monitor_elements(b->plan.monitor, end - first))
        return;
    for (size_t t = first; t < end; t++)
    {
        const double *p = grz_mesh_scaled(mesh, mesh->triangles[3 * t]);
        const double *q = grz_mesh_scaled(mesh, mesh->triangles[3 * t + 1]);
        const double *r = grz_mesh_scaled(mesh, mesh->triangles[3 * t + 2]);
        grz_reference *reference = &b->references[t];
        reference->triangle = (uint32_t)t;
        reference->weight = 1;
        for (int axis = 0; axis < 3; axis++)
        {
            double lower = p[axis] < q[axis] ? p[axis] : q[axis], upper = p[axis] > q[axis] ? p[axis] : q[axis];
            lower = r[axis] < lower ? r[axis] : lower;
            upper = r[axis] > upper ? r[axis] : upper;
            reference->lower[axis] = (float)(lower * scale - origin[axis]);
            reference->upper[axis] = (float)(upper * scale - origin[axis]);
        }
    }
}

static bool subdivide_mesh(builder *b)
{
    const graze_tree *tree = b->tree;
    float lower[3], upper[3];
    for (int axis = 0; axis < 3; axis++)
    {
        double origin = tree->origin[axis] * tree->inverse_scale;
        lower[axis] = (float)(tree->mesh->scaled_lower[axis] * tree->inverse_scale - origin);
        upper[axis] = (float)(tree->mesh->scaled_upper[axis] * tree->inverse_scale - origin);
    }
    return grz_build_plan_subdivide(&b->plan, b->references, b->spare, tree->triangle_count, lower, upper);
}

static void build_one(void *argument, size_t index)
{
    builder *b = argument;
    grz_subtree *subtree = &b->plan.subtrees.data[index];
    grz_shared_monitor *monitor = b->plan.monitor;
    grz_subtree_build(b->plan.context, monitor, subtree, b->plan.leaf_size, b->plan.group_size, b->tree->order);
    size_t built = atomic_fetch_add_explicit(&b->built, subtree->count, memory_order_relaxed) + subtree->count;
    if (monitor != NULL && grz_thread_self() == monitor->thread)
        grz_monitor_pass(monitor->monitor, 0.2 + 0.6 * (double)built / (double)b->tree->triangle_count);
}

static bool build_all(builder *b)
{
    grz_parallel_for(b->plan.context, b->plan.subtrees.count, build_one, b);
    for (size_t i = 0; i < b->plan.subtrees.count; i++)
    {
        if (b->plan.subtrees.data[i].failed)
            return false;
    }
    return true;
}

/* ---- joining subtrees ---- */

static void clear_node(grz_node *node)
{
    for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
        grz_node_clear_child(node, lane);
}

/* Numbers a subtree's nodes and leaves after those before it; returns the child entry for its parent. */
static uint32_t number_subtree(graze_tree *tree, grz_subtree *subtree, uint32_t level)
{
    subtree->node_start = (uint32_t)tree->node_count;
    subtree->leaf_start = (uint32_t)tree->leaf_count;
    tree->node_count += subtree->nodes.count;
    tree->leaf_count += subtree->leaves.count;
    if (level + subtree->levels > tree->depth)
        tree->depth = level + subtree->levels;
    return (subtree->root & GRZ_LEAF_FLAG) != 0 ? subtree->leaf_start | GRZ_LEAF_FLAG : subtree->node_start;
}

/* Writes the nodes above the subtrees, `level` of them above this one. */
static uint32_t number_child(builder *b, uint32_t child, uint32_t level)
{
    graze_tree *tree = b->tree;
    if ((child & GRZ_LEAF_FLAG) != 0)
        return number_subtree(tree, &b->plan.subtrees.data[child & ~GRZ_LEAF_FLAG], level);
    uint32_t children[GRZ_TREE_WIDTH], index = (uint32_t)tree->node_count++;
    int count = grz_binary_tree_collapse(&b->plan.binary_tree, child, children);
    clear_node(&tree->nodes[index]);
    for (int i = 0; i < count; i++)
        tree->nodes[index].children[i] = number_child(b, children[i], level + 1);
    return index;
}

static void write_subtree(void *argument, size_t index)
{
    const builder *b = argument;
    const grz_subtree *subtree = &b->plan.subtrees.data[index];
    if (!grz_shared_monitor_elements(b->plan.monitor, subtree->count))
        return;
    for (size_t i = 0; i < subtree->nodes.count; i++)
    {
        grz_node *node = &b->tree->nodes[subtree->node_start + i];
        clear_node(node);
        for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
        {
            uint32_t child = subtree->nodes.data[i].children[lane];
            if (child != GRZ_NO_CHILD)
                node->children[lane] =
                    child + ((child & GRZ_LEAF_FLAG) != 0 ? subtree->leaf_start : subtree->node_start);
        }
    }
    for (size_t i = 0; i < subtree->leaves.count; i++)
    {
        grz_leaf *leaf = &b->tree->leaves[subtree->leaf_start + i];
        leaf->first = subtree->leaves.data[i].first;
        leaf->count = subtree->leaves.data[i].count;
    }
}

static bool make_room(builder *b)
{
    graze_tree *tree = b->tree;
    size_t nodes = b->plan.binary_tree.count + 1, leaves = 0; /* the collapse drops some of the branches */
    for (size_t i = 0; i < b->plan.subtrees.count; i++)
    {
        nodes += b->plan.subtrees.data[i].nodes.count;
        leaves += b->plan.subtrees.data[i].leaves.count;
    }
    tree->node_memory = grz_allocate(b->plan.context, nodes * sizeof(grz_node) + GRZ_TREE_ALIGNMENT, 1);
    tree->leaf_memory = grz_allocate(b->plan.context, leaves, sizeof(grz_leaf));
    if (tree->node_memory == NULL || tree->leaf_memory == NULL)
        return false;
    size_t skip = (GRZ_TREE_ALIGNMENT - (uintptr_t)tree->node_memory % GRZ_TREE_ALIGNMENT) % GRZ_TREE_ALIGNMENT;
    tree->nodes = (grz_node *)(void *)((char *)tree->node_memory + skip);
    tree->leaves = tree->leaf_memory;
    return true;
}

static bool assemble(builder *b)
{
    graze_tree *tree = b->tree;
    if (!make_room(b))
        return false;
    bool single = (b->plan.root & GRZ_LEAF_FLAG) != 0 && (b->plan.subtrees.data[0].root & GRZ_LEAF_FLAG) != 0;
    if (single) /* the root is a node even where one leaf would suffice */
    {
        tree->node_count = tree->depth = 1;
        clear_node(&tree->nodes[0]);
        tree->nodes[0].children[0] = number_child(b, b->plan.root, 1);
    }
    else
        number_child(b, b->plan.root, 0);
    grz_parallel_for(b->plan.context, b->plan.subtrees.count, write_subtree, b);
    return grz_shared_monitor_may_continue(b->plan.monitor);
}

/* ---- the whole ---- */

static bool build(builder *b)
{
    const graze_context *context = b->plan.context;
    graze_tree *tree = b->tree;
    size_t count = tree->mesh->triangle_count;
    tree->triangle_count = count;
    grz_tree_choose_frame(tree);
    if (!tree->usable || count == 0)
        return true;
    tree->order_memory = grz_allocate(context, count, sizeof *tree->order);
    b->references = grz_allocate(context, count, sizeof *b->references);
    if (count > GRZ_SUBTREE_SIZE) /* otherwise they do not move */
        b->spare = grz_allocate(context, count, sizeof *b->spare);
    if (tree->order_memory == NULL || b->references == NULL || (count > GRZ_SUBTREE_SIZE && b->spare == NULL))
        return false;
    tree->order = tree->order_memory;
    grz_parallel_for(context, (count + REFERENCE_BLOCK - 1) / REFERENCE_BLOCK, fill_references, b);
    if (!grz_shared_monitor_may_continue(b->plan.monitor) || !subdivide_mesh(b) || !build_all(b) || !assemble(b) ||
        !grz_tree_fit(context, b->plan.monitor, tree))
        return false;
    tree->built_cost = tree->cost;
    return true;
}

static void clear_builder(builder *b)
{
    const graze_context *context = b->plan.context;
    for (size_t i = 0; i < b->plan.subtrees.count; i++)
    {
        grz_release(context, b->plan.subtrees.data[i].nodes.data);
        grz_release(context, b->plan.subtrees.data[i].leaves.data);
    }
    grz_release(context, b->plan.subtrees.data);
    grz_release(context, b->plan.binary_tree.data);
    grz_release(context, b->references);
    grz_release(context, b->spare);
}

graze_status graze_tree_create(const graze_context *context, const graze_mesh *mesh, const graze_tree_def *def,
                               const graze_budget *budget, graze_tree **out_tree)
{
    GRZ_FULL_STRUCT(graze_tree_def, def);
    if (!def_fits)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_tree_def used = def != NULL ? *def : graze_tree_def_default();
    if (mesh == NULL || out_tree == NULL || used.leaf_size < 1 || used.leaf_size > GRZ_TREE_WIDTH)
        return GRAZE_STATUS_BAD_ARGUMENT;
    graze_tree *tree = grz_allocate_zeroed(context, 1, sizeof *tree);
    if (tree == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    tree->context = grz_context_copy(context);
    tree->mesh = mesh;
    builder b = {.plan = {.context = context, .leaf_size = used.leaf_size, .group_size = 1}, .tree = tree};
    if (used.quick) /* two groups fill a leaf */
        b.plan.group_size = used.leaf_size / 2;
    grz_monitor monitor = grz_monitor_make_for_mesh(budget);
    grz_shared_monitor shared;
    grz_shared_monitor_start(&shared, &monitor);
    b.plan.monitor = budget != NULL ? &shared : NULL;
    bool done = build(&b);
    clear_builder(&b);
    if (!done)
    {
        graze_tree_destroy(tree);
        return grz_monitor_or_memory(&monitor);
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
