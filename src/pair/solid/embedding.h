/* SPDX-License-Identifier: MIT */
/*
 * Triangles of a mesh that surely meet no other triangle of it beside common vertices and edges, by separating planes
 * in doubles. In the frame of the mesh: an invertible pose changes nothing.
 */
#ifndef GRZ_PAIR_SOLID_EMBEDDING_H
#define GRZ_PAIR_SOLID_EMBEDDING_H

#include "pair/solid/body.h"

typedef struct grz_embedding
{
    const graze_body *body;
    const graze_tree *tree;
    grz_world_tree frame; /* the tree in the frame of the mesh */
    grz_monitor *monitor; /* may be NULL */
    graze_box *boxes;     /* of all triangles */
    bool *tested;         /* per leaf: whether its triangles are clear */
} grz_embedding;

/* The tree is one of the mesh. False when out of memory, and where doubles do not suffice; to be ended in any case. */
bool grz_embedding_start(const graze_context *context, const graze_body *body, const graze_tree *tree,
                         grz_monitor *monitor, grz_embedding *out);

/* Whether the triangles of a leaf surely meet no others; false also when undecided. */
bool grz_embedding_leaf_is_clear(grz_embedding *embedding, uint32_t leaf);

void grz_embedding_end(const graze_context *context, grz_embedding *s);

#endif
