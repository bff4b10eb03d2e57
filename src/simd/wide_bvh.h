/* SPDX-License-Identifier: MIT */
/*
 * A BVH of AABBs with eight children per node, and its traversals that are compiled for every instruction set
 * (wide_bvh_template.h): boxes that overlap a box, and all overlapping pairs. They only compare floats, so all variants
 * give the same pairs in the same order.
 *
 * An unused child holds an empty box, from infinity to minus infinity, which overlaps nothing.
 */
#ifndef GRZ_SIMD_WIDE_BVH_H
#define GRZ_SIMD_WIDE_BVH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/context.h"

enum
{
    GRZ_WIDE = 8,
    GRZ_WIDE_DEPTH = 64, /* levels at most */
    GRZ_WIDE_QUERIES = 64
};

/* Four cache lines. */
typedef struct grz_wide_node
{
    _Alignas(64) float lower[3][GRZ_WIDE];
    float upper[3][GRZ_WIDE];
    uint32_t child[GRZ_WIDE]; /* nodes, or boxes by number; UINT32_MAX for unused children */
    uint32_t parent;
    uint8_t slot;                       /* index in the parent */
    uint8_t inner;                      /* children that are nodes */
    uint8_t used;                       /* children that are nodes or boxes */
    uint8_t changed;                    /* children that are changed boxes, or nodes with changed boxes below */
    float home_lower[3], home_upper[3]; /* bounds of all, as they were when the node was made */
} grz_wide_node;

typedef struct grz_wide_box
{
    float lower[3], upper[3];
} grz_wide_box;

/* A box that changed. */
typedef struct grz_wide_query
{
    grz_wide_box now, before; /* before: empty for a box that is new */
    uint32_t id;
} grz_wide_query;

/* Output of pairs, each as a << 32 | b. */
typedef struct grz_wide_pairs
{
    uint64_t *data;
    size_t count, capacity;
    bool (*grow)(struct grz_wide_pairs *pairs); /* grows by GRZ_WIDE * GRZ_WIDE pairs or more; false: out of memory */
    bool failed;                                /* out of memory; the search ended early */
} grz_wide_pairs;

typedef struct grz_wide_kernels
{
    const char *name;

    /* The bounds of all children. */
    void (*bounds)(const grz_wide_node *node, grz_wide_box *out);

    /* The children whose boxes overlap this one. */
    unsigned (*overlap)(const grz_wide_node *node, const grz_wide_box *box);

    /* The boxes in the tree that overlap a query's box now: those that did not before, and of those that changed
       themselves the ones with a larger number. Up to GRZ_WIDE_QUERIES at a time. */
    void (*query)(const grz_wide_node *nodes, const grz_wide_query *queries, unsigned query_count,
                  grz_wide_pairs *pairs);

    /* All pairs of boxes in the tree that overlap, once each, if one of them changed. */
    void (*self_pairs)(const grz_wide_node *nodes, grz_wide_pairs *pairs);
} grz_wide_kernels;

/* The kernels for a choice, or for the best below it that this machine and this build support. */
const grz_wide_kernels *grz_wide_kernels_for(graze_instructions choice);

#endif
