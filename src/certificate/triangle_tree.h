/* SPDX-License-Identifier: MIT */
/*
 * A binary tree over the triangles of a mesh, whose nodes are the ranges of a certificate's order. Nodes of few
 * triangles list their vertices, larger ones have a box of the body's coordinates; it only guides the search.
 */
#ifndef GRZ_CERTIFICATE_TRIANGLE_TREE_H
#define GRZ_CERTIFICATE_TRIANGLE_TREE_H

#include "base/array.h"
#include "base/budget_monitor.h"
#include "graze/mesh.h"

enum
{
    GRZ_NO_NODE = -1,
    GRZ_LISTED_TRIANGLES = 32 /* nodes of at most so many list their vertices */
};

typedef struct grz_triangle_node
{
    uint32_t first, end; /* in the order */
    int children;        /* the first of two neighbours; GRZ_NO_NODE: a single triangle */
    double lower[3], upper[3];
    size_t vertices; /* where the list begins */
    uint32_t vertex_count;
} grz_triangle_node;

typedef struct grz_triangle_tree
{
    const graze_context *context;
    const graze_mesh *mesh;
    uint32_t *order;                    /* of the caller */
    GRZ_ARRAY(grz_triangle_node) nodes; /* the root first, if there is a triangle */
    GRZ_ARRAY(uint32_t) vertices;       /* the lists */
    double *centres;
} grz_triangle_tree;

/* Writes an order. OUT_OF_MEMORY, or the status of the monitor; release in any case. */
graze_status grz_triangle_tree_build(const graze_context *context, const graze_mesh *mesh, uint32_t *order,
                                     grz_monitor *monitor, grz_triangle_tree *out_tree);
void grz_triangle_tree_release(grz_triangle_tree *tree);

#endif
