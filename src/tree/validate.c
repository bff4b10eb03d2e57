/* SPDX-License-Identifier: MIT */
/*
 * Facts of a tree, and validation of every invariant of tree.h. Validation recomputes from the mesh in doubles what
 * each box, slab and leaf must contain, with code of its own.
 */
#include <math.h>
#include <stdbool.h>

#include "base/memory.h"
#include "mesh/mesh.h"
#include "tree/tree.h"

graze_tree_facts graze_tree_examine(const graze_tree *tree)
{
    if (tree == NULL)
        return (graze_tree_facts){0};
    graze_tree_facts facts = {0};
    facts.triangles = tree->triangle_count;
    facts.leaves = tree->leaf_count;
    facts.nodes = tree->node_count;
    facts.depth = tree->depth;
    facts.quality = 1;
    facts.bytes = tree->node_count * sizeof(grz_node) + tree->leaf_count * sizeof(grz_leaf) +
                  tree->triangle_count * sizeof *tree->order + sizeof *tree;
    if (tree->leaf_count == 0)
        return facts;
    facts.fill = (double)tree->triangle_count / ((double)tree->leaf_count * GRZ_TREE_WIDTH);
    facts.cost = tree->cost;
    facts.quality = tree->built_cost / tree->cost;
    return facts;
}

/* A triangle's corner in tree coordinates, with an error below 2^-50. */
static void local_corner(const graze_tree *tree, uint32_t triangle, int corner, double out[3])
{
    const double *vertex = grz_mesh_scaled(tree->mesh, tree->mesh->triangles[3 * (size_t)triangle + (size_t)corner]);
    double scale = ldexp(1.0, -tree->exponent);
    for (int axis = 0; axis < 3; axis++)
        out[axis] = vertex[axis] * scale - tree->origin[axis] * scale;
}

/* Whether the box and slab of a child contain a point. Slab heights are computed in doubles, with an error below
   2^-49. */
static bool child_contains(const graze_tree *tree, uint32_t ref, const double point[3])
{
    const grz_boxes8 *boxes = &tree->nodes[ref / GRZ_TREE_WIDTH].boxes;
    uint32_t lane = ref % GRZ_TREE_WIDTH;
    double height = 0;
    for (int axis = 0; axis < 3; axis++)
    {
        if (!(boxes->lower[axis][lane] <= point[axis] && point[axis] <= boxes->upper[axis][lane]))
            return false;
        height += (double)boxes->normal[axis][lane] * point[axis];
    }
    return boxes->slab_lower[lane] <= height && height <= boxes->slab_upper[lane];
}

/* Whether the bounds of the whole contain a point. */
static bool bounds_contain(const graze_tree *tree, const double point[3])
{
    for (int axis = 0; axis < 3; axis++)
    {
        if (!(tree->lower[axis] <= point[axis] && point[axis] <= tree->upper[axis]))
            return false;
    }
    return true;
}

/* Path of a traversal: the children from the root to the current node. */
typedef struct validation_walk
{
    const graze_tree *tree;
    bool *seen; /* triangles visited so far */
    uint32_t path[GRZ_TREE_MAX_DEPTH];
    uint32_t depth;
    size_t leaves, nodes, triangles;
} validation_walk;

static bool triangle_is_contained(const validation_walk *w, const grz_leaf *leaf, uint32_t slot)
{
    for (int corner = 0; corner < 3; corner++)
    {
        double point[3];
        local_corner(w->tree, w->tree->order[leaf->first + slot], corner, point);
        if (!bounds_contain(w->tree, point))
            return false;
        for (uint32_t level = 0; level < w->depth; level++)
        {
            if (!child_contains(w->tree, w->path[level], point))
                return false;
        }
        for (int axis = 0; axis < 3; axis++)
        {
            double stored = (double)leaf->triangles.centre[axis] +
                            (double)leaf->triangles.unit * leaf->triangles.corners[corner][axis][slot];
            if (!(fabs(stored - point[axis]) <= (double)GRZ_QUANTIZATION_ERROR * leaf->triangles.unit))
                return false;
        }
    }
    return true;
}

static bool leaf_contains(validation_walk *w, const grz_leaf *leaf)
{
    w->leaves++;
    if (leaf->count < 1 || leaf->count > GRZ_TREE_WIDTH || leaf->first > w->tree->triangle_count ||
        leaf->count > w->tree->triangle_count - leaf->first)
        return false;
    for (uint32_t slot = 0; slot < leaf->count; slot++)
    {
        uint32_t triangle = w->tree->order[leaf->first + slot];
        if (triangle >= w->tree->triangle_count || w->seen[triangle] || !triangle_is_contained(w, leaf, slot))
            return false;
        w->seen[triangle] = true;
        w->triangles++;
    }
    return true;
}

static bool node_contains(validation_walk *w, uint32_t index)
{
    if (index >= w->tree->node_count || w->depth == GRZ_TREE_MAX_DEPTH || w->nodes == w->tree->node_count)
        return false;
    w->nodes++;
    for (uint32_t lane = 0; lane < GRZ_TREE_WIDTH; lane++)
    {
        uint32_t child = w->tree->nodes[index].children[lane];
        if (child == GRZ_NO_CHILD)
            continue;
        w->path[w->depth++] = index * GRZ_TREE_WIDTH + lane;
        uint32_t leaf = child & ~GRZ_LEAF_FLAG;
        bool holds = (child & GRZ_LEAF_FLAG) == 0
                         ? node_contains(w, child)
                         : leaf < w->tree->leaf_count && leaf_contains(w, &w->tree->leaves[leaf]);
        w->depth--;
        if (!holds)
            return false;
    }
    return true;
}

graze_status graze_tree_validate(const graze_context *context, const graze_tree *tree)
{
    if (tree == NULL)
        return GRAZE_STATUS_BAD_ARGUMENT;
    if (!tree->usable)
        return GRAZE_STATUS_OK; /* queries do not use it */
    if (tree->node_count == 0)
        return tree->leaf_count == 0 && tree->triangle_count == 0 ? GRAZE_STATUS_OK : GRAZE_STATUS_INTERNAL;
    validation_walk w = {.tree = tree, .seen = grz_allocate_zeroed(context, tree->triangle_count, sizeof *w.seen)};
    if (w.seen == NULL)
        return GRAZE_STATUS_OUT_OF_MEMORY;
    bool holds = node_contains(&w, 0) && w.triangles == tree->triangle_count && w.leaves == tree->leaf_count &&
                 w.nodes == tree->node_count;
    grz_release(context, w.seen);
    return holds ? GRAZE_STATUS_OK : GRAZE_STATUS_INTERNAL;
}
