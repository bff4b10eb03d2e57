/* SPDX-License-Identifier: MIT */
/*
 * A handful of triangles, a mesh whose tree is a single node, against the tree of a larger mesh. As its triangles are
 * few, they are not taken leaf by leaf: each node of the larger tree is visited once, with the set of all triangles
 * still in question there, and hands on to each child those that may meet it.
 */
#ifndef GRZ_PAIR_HANDFUL_H
#define GRZ_PAIR_HANDFUL_H

#include "pair/traverse.h"

typedef enum grz_handful_kind
{
    GRZ_NO_HANDFUL,
    GRZ_HANDFUL_A, /* A is one, and B is larger */
    GRZ_HANDFUL_B
} grz_handful_kind;

/* What is known of the handful during a visit. */
typedef struct grz_handful_side
{
    grz_handful_kind is;
    uint64_t present; /* all its triangles, once they are known; then also: */
    float largest;    /* size of a leaf, in the other tree's coordinates */
    unsigned slanted; /* lanes whose triangles their boxes tell little of, */
    unsigned edged;   /* and those whose edges are known */
    grz_handful triangles;
    grz_edges8 edges[GRZ_LANES];
} grz_handful_side;

/* On the stack this stands for some triangles of the handful, and both masks together are the set of them: bit
   8 lane + place is that of a triangle in the leaf in that lane. To others it is the handful as a whole. */
#define GRZ_HANDFUL_PLACE (GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH + 1)

struct grz_work;
struct grz_seen_box;

/* Which of both is a handful; nothing is known of it. */
void grz_handful_begin(grz_handful_side *handful, const graze_tree *a, const graze_tree *b);

/* The whole handful against the node of the other tree at a place, seen as given. */
void grz_handful_start(struct grz_work *work, uint32_t place, struct grz_seen_box seen);

/* Triangles of the handful against the children of a node of the other tree. */
void grz_handful_open(struct grz_work *work, uint32_t node, uint64_t triangles);

#endif
