/* SPDX-License-Identifier: MIT */
/*
 * Trees over the triangles of a mesh, or over patches of it, built from the root by the split rules of the literature
 * (Klosowski et al. 1998, 4.2; tree_split.h): elements go to the side of their centroid along an axis; or from the
 * leaves (tree_join.c). They are binary, or with up to eight children a node. The bounding volumes are the method's own
 * arrays, by node. Children are neighbours and come after their parent.
 */
#ifndef GRZ_PAIR_METHOD_BINARY_TREE_H
#define GRZ_PAIR_METHOD_BINARY_TREE_H

#include "base/array.h"
#include "mesh/mesh.h"
#include "pair/method/method.h"
#include "volume/k_dop.h"

enum
{
    GRZ_METHOD_MOST_CHILDREN = 8,
    GRZ_METHOD_CHILD_BITS = 29
};

typedef struct grz_method_node
{
    uint32_t left;         /* the first child, others follow; 0: a leaf. The highest bits: how many children beyond 2 */
    uint32_t first, count; /* its triangles, in `order` */
} grz_method_node;

/* Of an inner node. */
static inline uint32_t grz_node_child(const grz_method_node *node)
{
    return node->left & ((1u << GRZ_METHOD_CHILD_BITS) - 1);
}

static inline uint32_t grz_node_child_count(const grz_method_node *node)
{
    return 2 + (node->left >> GRZ_METHOD_CHILD_BITS);
}

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
    graze_split_point point;
    struct grz_split_work *work; /* tree_split.h */
    void *user;
} grz_method_split;

typedef struct grz_method_tree_plan
{
    uint32_t leaf_size; /* at most */
    /* The axis, of any length. *out_value is where it is cut, and NaN before: where `point` says. */
    void (*choose_axis)(const grz_method_split *split, double out_axis[3], double *out_value);
    void *user;
    graze_split_axis rule; /* instead of choose_axis, if it is not GRAZE_SPLIT_SPLATTER */
    graze_split_point point;
    uint32_t candidates; /* of GRAZE_SPLIT_AT_BEST_OF_SOME, by `seed` */
    uint64_t seed;
    uint32_t degree; /* 0: 2 */
    bool bottom_up;
    const grz_dop_kind *kind; /* whose volumes rules compare; NULL: boxes */
} grz_method_tree_plan;

/* The plan of a caller's parameters. */
grz_method_tree_plan grz_method_tree_plan_of(const graze_method_parameters *parameters, uint32_t own_leaf_size);

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

/* The pairs that a query with a used-up budget did not open. */
static inline void grz_method_leave_pairs(grz_method_query *query, size_t count)
{
    if (!grz_monitor_may_continue(&query->monitor))
        query->counters.pairs_left = count;
}

/* Tests the pairs of one node with the children of another; returns how many overlap. */
static inline size_t grz_method_open(const grz_method_node *opened, bool opened_a, grz_method_node_pair pair,
                                     grz_method_overlap test, void *user,
                                     grz_method_node_pair out[GRZ_METHOD_MOST_CHILDREN])
{
    uint32_t child = grz_node_child(opened), end = child + grz_node_child_count(opened);
    size_t kept = 0;
    for (; child < end; child++)
    {
        grz_method_node_pair next = {opened_a ? child : pair.a, opened_a ? pair.b : child};
        if (test(user, next.a, next.b))
            out[kept++] = next;
    }
    return kept;
}

/* Simultaneous traversal, from the roots, which are tested when `test_roots`. The functions are inlined where they are
   constants. Without `leaves` all pairs of their triangles are proposed. `own` is the order where the caller wishes
   none.
   Restart: a leaf of A that meets an inner node of B leaves all else that waits for that node, which lies on top of the
   stack; its children begin at A's root. */
static inline void grz_method_traverse(grz_method_query *query, const grz_method_tree *a, const grz_method_tree *b,
                                       bool test_roots, grz_method_overlap test, graze_traversal_order own,
                                       grz_method_opening larger_a, grz_method_leaves leaves, void *user)
{
    GRZ_ARRAY(grz_method_node_pair) stack = {0};
    grz_method_node_pair pair = {0, 0};
    graze_traversal_order order = query->order != GRAZE_TRAVERSAL_DEFAULT ? query->order : own;
    bool go_on = !test_roots || grz_method_count_volumes(query, 1);
    if (!go_on)
        grz_method_leave_pairs(query, 1);
    go_on = go_on && (!test_roots || test(user, 0, 0));
    while (go_on)
    {
        const grz_method_node *x = &a->nodes[pair.a], *y = &b->nodes[pair.b];
        grz_method_node_pair next[GRZ_METHOD_MOST_CHILDREN];
        size_t kept = 0;
        if (x->left == 0 && y->left == 0)
        {
            go_on = leaves != NULL ? leaves(user, pair.a, pair.b) : grz_propose_leaves(query, a, pair.a, b, pair.b);
            if (!go_on)
                grz_method_leave_pairs(query, stack.count + 1);
        }
        else
        {
            bool open_a = y->left == 0 ||
                          (x->left != 0 && (order != GRAZE_TRAVERSAL_LARGER_FIRST || larger_a(user, pair.a, pair.b)));
            const grz_method_node *opened = open_a ? x : y;
            if (order == GRAZE_TRAVERSAL_RESTART && !open_a)
            {
                while (stack.count > 0 && stack.data[stack.count - 1].b == pair.b)
                    stack.count--;
                pair.a = 0;
            }
            go_on = grz_method_count_volumes(query, grz_node_child_count(opened));
            kept = grz_method_open(opened, open_a, pair, test, user, next);
            if (!go_on)
                grz_method_leave_pairs(query, stack.count + kept);
        }
        for (size_t i = kept; i-- > 1;)
            if (!GRZ_PUSH(query->context, &stack, next[i]))
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
