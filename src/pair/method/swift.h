/* SPDX-License-Identifier: MIT */
/* The state of SWIFT++ (swift.c): a tree over convex patches with a hull a node, for its queries. */
#ifndef GRZ_PAIR_METHOD_SWIFT_H
#define GRZ_PAIR_METHOD_SWIFT_H

#include "convex/convex_pair.h"
#include "convex/convex_table.h"
#include "convex/hull.h"
#include "pair/method/binary_tree.h"
#include "pair/method/surface_patches.h"

/* The hull of a node, as a convex body without a pose. */
typedef struct grz_swift_hull
{
    grz_hull *hull;
    grz_convex_table table;
    grz_convex_body body;
} grz_swift_hull;

typedef struct grz_swift_state
{
    grz_surface_patches patches;
    grz_method_tree tree;
    grz_swift_hull *hulls; /* by node */
    double (*boxes)[6];    /* per triangle: lower and upper ends, scaled */
} grz_swift_state;

typedef struct grz_swift_traversal
{
    grz_method_query *query;
    const grz_swift_state *a, *b;
} grz_swift_traversal;

static inline grz_convex_body grz_swift_placed_hull(const grz_swift_traversal *t, int side, uint32_t node)
{
    grz_convex_body body = (side == 0 ? t->a : t->b)->hulls[node].body;
    body.pose = t->query->placed[side].pose;
    return body;
}

/* The patch of a leaf. */
static inline uint32_t grz_swift_patch(const grz_swift_state *state, uint32_t leaf)
{
    return state->tree.order[state->tree.nodes[leaf].first];
}

/* The node with more vertices is opened. */
bool grz_swift_opens_a(const void *user, uint32_t node_a, uint32_t node_b);

graze_status grz_swift_find_contacts(grz_method_query *query, double tolerance, grz_near_contacts *out);

#endif
