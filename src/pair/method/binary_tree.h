/* SPDX-License-Identifier: MIT */
/*
 * Binary trees over the triangles of a mesh, or over patches of it, built from the root by the split rules of the
 * literature (Klosowski et al. 1998, 4.2): elements go to the side of their centroid along an axis, at the mean or the
 * median. The bounding volumes
 * are the method's own arrays, by node. Children are neighbours and come after their parent.
 */
#ifndef GRZ_PAIR_METHOD_BINARY_TREE_H
#define GRZ_PAIR_METHOD_BINARY_TREE_H

#include "base/array.h"
#include "mesh/mesh.h"
#include "pair/method/method.h"

typedef struct grz_method_node
{
    uint32_t left;         /* the right child is left + 1; 0: a leaf */
    uint32_t first, count; /* its triangles, in `order` */
} grz_method_node;

typedef struct grz_method_tree
{
    grz_method_node *nodes;
    size_t node_count; /* 0: no triangles */
    uint32_t *order;
    size_t triangle_count;
} grz_method_tree;

/* What an axis is chosen from. */
typedef struct grz_method_split
{
    const graze_mesh *mesh;
    const double (*centroids)[3]; /* by triangle */
    const uint32_t *triangles;
    uint32_t count;
    bool at_median;
    void *user;
} grz_method_split;

typedef struct grz_method_tree_plan
{
    uint32_t leaf_size; /* at most */
    bool at_median;
    /* The axis, of any length. *out_value is where it is cut, and NaN before: the mean or median of the centroids. */
    void (*choose_axis)(const grz_method_split *split, double out_axis[3], double *out_value);
    void *user;
} grz_method_tree_plan;

/* OK, OUT_OF_MEMORY, UNFINISHED or CANCELLED; nothing is left to release after a failure. */
graze_status grz_method_tree_build(const graze_context *context, const graze_mesh *mesh,
                                   const grz_method_tree_plan *plan, grz_monitor *monitor, grz_method_tree *out_tree);

/* The same over elements of which only the centroids are known; `order` holds their numbers, `triangle_count` their
   count. Rules that look at triangles cannot be used. */
graze_status grz_method_tree_build_over(const graze_context *context, const double (*centroids)[3], size_t count,
                                        const grz_method_tree_plan *plan, grz_monitor *monitor,
                                        grz_method_tree *out_tree);

void grz_method_tree_release(const graze_context *context, grz_method_tree *tree);
size_t grz_method_tree_memory(const grz_method_tree *tree);

/* The mean of the centroids along an axis. */
double grz_split_mean(const grz_method_split *split, const double axis[3]);

/* The coordinate axis with the largest variance of the centroids: "splatter". */
void grz_split_by_variance(const grz_method_split *split, double out_axis[3]);

/* Covariance of the centroids, or of the surface (weighted by area: Gottschalk et al. 1996), about their mean. */
void grz_split_covariance(const grz_method_split *split, bool by_area, double out_mean[3], double out_covariance[3][3]);

/* The corners of a triangle, scaled. */
static inline const double *grz_scaled_corner(const graze_mesh *mesh, uint32_t triangle, int corner)
{
    return grz_mesh_scaled(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)corner]);
}

/* All pairs of triangles of two leaves. */
static inline bool grz_propose_leaves(grz_method_query *query, const grz_method_tree *a, uint32_t node_a,
                                      const grz_method_tree *b, uint32_t node_b)
{
    const grz_method_node *x = &a->nodes[node_a], *y = &b->nodes[node_b];
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t k = 0; k < y->count; k++)
            if (!grz_method_propose(query, a->order[x->first + i], b->order[y->first + k]))
                return false;
    return true;
}

/* Nodes of both trees yet to be opened. */
typedef struct grz_method_node_pair
{
    uint32_t a, b;
} grz_method_node_pair;

/* Whether the volumes of two nodes overlap; may be true where they do not. */
typedef bool (*grz_method_overlap)(void *user, uint32_t node_a, uint32_t node_b);

/* Which of two inner nodes is opened: true for A's. */
typedef bool (*grz_method_opening)(const void *user, uint32_t node_a, uint32_t node_b);

/* Proposes the pairs of triangles of two leaves; false when the query is over. */
typedef bool (*grz_method_leaves)(void *user, uint32_t node_a, uint32_t node_b);

/* Simultaneous traversal, from the roots, which are tested when `test_roots`. The functions are inlined where they are
   constants. Without `leaves` all pairs of their triangles are proposed. */
static inline void grz_method_traverse(grz_method_query *query, const grz_method_tree *a, const grz_method_tree *b,
                                       bool test_roots, grz_method_overlap test, grz_method_opening opens_a,
                                       grz_method_leaves leaves, void *user)
{
    GRZ_ARRAY(grz_method_node_pair) stack = {0};
    grz_method_node_pair pair = {0, 0};
    bool go_on = !test_roots || (grz_method_count_volumes(query, 1) && test(user, 0, 0));
    while (go_on)
    {
        const grz_method_node *x = &a->nodes[pair.a], *y = &b->nodes[pair.b];
        grz_method_node_pair next[2] = {pair, pair};
        size_t kept = 0;
        if (x->left == 0 && y->left == 0)
            go_on = leaves != NULL ? leaves(user, pair.a, pair.b) : grz_propose_leaves(query, a, pair.a, b, pair.b);
        else
        {
            bool open_a = y->left == 0 || (x->left != 0 && opens_a(user, pair.a, pair.b));
            go_on = grz_method_count_volumes(query, 2);
            for (uint32_t side = 0; side < 2; side++)
            {
                grz_method_node_pair child = {open_a ? x->left + side : pair.a, open_a ? pair.b : y->left + side};
                if (test(user, child.a, child.b))
                    next[kept++] = child;
            }
        }
        if (kept == 2 && !GRZ_PUSH(query->context, &stack, next[1]))
            query->out_of_memory = true;
        if (kept == 0 && stack.count > 0)
            next[0] = stack.data[--stack.count];
        else if (kept == 0)
            break;
        go_on = go_on && !query->out_of_memory;
        pair = next[0];
    }
    grz_release(query->context, stack.data);
}

#endif
