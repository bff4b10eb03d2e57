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
    const graze_tree *few, *many; /* the handful and the other tree, and the ways between them */
    const grz_float_map *to_few, *to_many;
    float scale;        /* a length of the handful's, in the other's coordinates */
    float smallest;     /* size of boxes that are compared with groups */
    bool has_groups;    /* whether these are known: */
    grz_mapped8 seen;   /* the boxes of groups, as the other tree sees them */
    float row_sums[3];  /* of magnitudes in the matrix to the handful */
    bool has_triangles; /* and these, which takes longer: */
    float largest;      /* size of a leaf, in the other tree's coordinates */
    unsigned edged;     /* lanes whose edges are known */
    grz_handful triangles;
    grz_edges8 edges[GRZ_LANES];
} grz_handful_side;

/* On the stack these stand for a part of the handful, to others for the handful as a whole. Both masks together are the
   set of groups (tree/leaf_groups.h), or the set of triangles: bit 8 lane + place is one in the leaf in that lane. */
#define GRZ_GROUPS_PLACE (GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH + 1)
#define GRZ_TRIANGLES_PLACE (GRZ_ABOVE_ROOT * GRZ_TREE_WIDTH + 2)

struct grz_work;
struct grz_seen_box;

/* Which of both trees is a handful; nothing else is known of it. */
void grz_handful_begin(struct grz_work *work);

/* The whole handful against the node of the other tree at a place, seen as given. */
void grz_handful_start(struct grz_work *work, uint32_t place, struct grz_seen_box seen);

/* A part of the handful, as it is on the stack, against the children of what is at a place of the other tree. */
void grz_handful_open(struct grz_work *work, uint32_t place, uint32_t few_place, uint64_t part);

#endif
