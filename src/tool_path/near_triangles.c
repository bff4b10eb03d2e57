/* SPDX-License-Identifier: MIT */
/* Descent of a box into a BVH; see near_triangles.h. */
#include "tool_path/near_triangles.h"

#include <math.h>

#include "math/interval.h"
#include "mesh/mesh.h"
#include "tree/tree.h"

enum
{
    STACK_SIZE = GRZ_TREE_MAX_DEPTH * GRZ_TREE_WIDTH
};

typedef struct float_box
{
    float lower[3], upper[3];
} float_box;

/*
 * The box in tree coordinates, outward. Two roundings of at most u (|x| + |origin|) each before the scaling by a power
 * of two, and one to float; all are covered by 2^-22 of the result, 8 u of the operands and 2^-100.
 */
static float_box tree_box(const graze_tree *tree, const graze_box *box)
{
    float_box out;
    for (int axis = 0; axis < 3; axis++)
    {
        double ends[2] = {box->lower[axis], box->upper[axis]};
        for (int end = 0; end < 2; end++)
        {
            double x = (ends[end] - tree->origin[axis]) * tree->inverse_scale;
            double error = fabs(x) * 0x1p-22 + 0x1p-100 +
                           8 * GRZ_U * (fabs(ends[end]) + fabs(tree->origin[axis])) * tree->inverse_scale;
            x = fmin(fmax(end == 0 ? x - error : x + error, -1e30), 1e30);
            if (end == 0)
                out.lower[axis] = (float)x;
            else
                out.upper[axis] = (float)x;
        }
    }
    return out;
}

/* The children whose boxes overlap, as bits. */
static unsigned overlapping(const grz_boxes8 *boxes, const float_box *box)
{
    unsigned mask = 0;
    for (int lane = 0; lane < GRZ_TREE_WIDTH; lane++)
    {
        bool overlaps = true;
        for (int axis = 0; axis < 3; axis++)
            /* shortcut: tool-box-descent */
            overlaps = overlaps && boxes->lower[axis][lane] <= box->upper[axis] &&
                       boxes->upper[axis][lane] >= box->lower[axis];
        mask |= (unsigned)overlaps << lane;
    }
    return mask;
}

static bool triangle_overlaps(const graze_mesh *mesh, uint32_t triangle, const graze_box *box)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    for (int axis = 0; axis < 3; axis++)
    {
        double a = grz_mesh_vertex(mesh, corners[0])[axis], b = grz_mesh_vertex(mesh, corners[1])[axis];
        double c = grz_mesh_vertex(mesh, corners[2])[axis];
        if (fmin(fmin(a, b), c) > box->upper[axis] || fmax(fmax(a, b), c) < box->lower[axis])
            return false;
    }
    return true;
}

bool grz_near_triangles(const graze_mesh *mesh, const graze_tree *tree, const graze_box *box, grz_near_triangle visit,
                        void *user)
{
    if (tree == NULL || !tree->usable || tree->node_count == 0 || mesh->exponent != 0)
    {
        for (size_t i = 0; i < mesh->triangle_count; i++)
            if (triangle_overlaps(mesh, (uint32_t)i, box) && visit(user, (uint32_t)i))
                return true;
        return false;
    }
    const float_box wanted = tree_box(tree, box);
    uint32_t stack[STACK_SIZE];
    int count = 0;
    stack[count++] = 0;
    while (count > 0)
    {
        const grz_node *node = &tree->nodes[stack[--count]];
        for (unsigned mask = overlapping(&node->boxes, &wanted); mask != 0; mask &= mask - 1)
        {
            uint32_t child = node->children[__builtin_ctz(mask)];
            if ((child & GRZ_LEAF_FLAG) == 0)
            {
                stack[count++] = child;
                continue;
            }
            const grz_leaf *leaf = &tree->leaves[child & ~GRZ_LEAF_FLAG];
            for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++)
                if (triangle_overlaps(mesh, tree->order[i], box) && visit(user, tree->order[i]))
                    return true;
        }
    }
    return false;
}
