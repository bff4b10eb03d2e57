/* SPDX-License-Identifier: MIT */
/*
 * A tree with a k-dop for each node, and the dops of B's nodes in A's frame: each is moved when it is first asked for,
 * once a query (Klosowski et al. 1998), in one of the ways of dop_tumbling.h.
 */
#ifndef GRZ_PAIR_METHOD_DOP_TREE_H
#define GRZ_PAIR_METHOD_DOP_TREE_H

#include "pair/method/binary_tree.h"
#include "volume/k_dop.h"

struct grz_dop_tumbling;

typedef struct grz_dop_tree
{
    const grz_dop_kind *kind;
    grz_method_tree tree;
    double *dops; /* 2 half numbers a node */
    grz_dop_facets facets;
    uint32_t corner_limit;             /* nodes of up to as many triangles are moved by their corners; 0: none */
    struct grz_dop_tumbling *tumbling; /* for other ways than duality; NULL: none */
    grz_dop_kind own_kind;             /* of own directions */
    double own_directions[GRZ_DOP_MOST_HALF][3];
} grz_dop_tree;

static inline double *grz_dop_of(const grz_dop_tree *tree, uint32_t node)
{
    return tree->dops + 2 * (size_t)tree->kind->half * node;
}

void grz_dop_add_triangle(const grz_dop_kind *kind, const graze_mesh *mesh, uint32_t triangle, double *dop);

/* Adds an element of the tree, a number from `order`, to a dop. */
typedef void (*grz_dop_adder)(const void *user, const grz_dop_kind *kind, uint32_t element, double *dop);

/* Fits the dops of a tree that was built; OK, OUT_OF_MEMORY, UNFINISHED or CANCELLED. Without `add`, elements are
   triangles of the mesh `user`. */
graze_status grz_dop_tree_fit(grz_dop_tree *tree, const graze_context *context, grz_dop_adder add, const void *user,
                              grz_monitor *monitor);
void grz_dop_tree_release(const graze_context *context, grz_dop_tree *tree);
size_t grz_dop_tree_memory(const grz_dop_tree *tree);

enum
{
    GRZ_DOP_FEW_NODES = 512
};

/* Dops of B that were moved already. */
typedef struct grz_dop_mover
{
    grz_method_query *query;
    const grz_dop_tree *tree;
    grz_dop_map map;
    double slack[GRZ_DOP_MOST_HALF]; /* of the ends of moved points */
    double extent;                   /* of the coordinates that are moved */
    grz_hash_map moved;              /* node -> its place below */
    bool few;                        /* nodes: then `places` is the map, with UINT32_MAX for none */
    uint32_t places[GRZ_DOP_FEW_NODES];
    GRZ_ARRAY(double) dops;
    uint32_t last;     /* the node that was moved or looked up last, */
    size_t last_place; /* of its first number */
} grz_dop_mover;

void grz_dop_mover_start(grz_dop_mover *mover, grz_method_query *query, const grz_dop_tree *tree);
void grz_dop_mover_end(grz_dop_mover *mover);

/* The moved dop of a node that is not the last one asked for; NULL when out of memory. */
const double *grz_dop_find_moved(grz_dop_mover *mover, uint32_t node);

/* The moved dop of a node; NULL when out of memory. Valid until the next one is moved. */
static inline const double *grz_dop_moved(grz_dop_mover *mover, uint32_t node)
{
    return node == mover->last ? mover->dops.data + mover->last_place : grz_dop_find_moved(mover, node);
}

#endif
