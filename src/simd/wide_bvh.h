/* SPDX-License-Identifier: MIT */
/*
 * A tree of boxes along the axes with eight children a node, and the ways through it that are worth compiling for
 * every instruction set (wide_bvh_template.h): the boxes near one, and all pairs that are near. What is compared are
 * floats as they stand, so all variants give the same pairs in the same order.
 *
 * A place of a node that is free holds an empty box, from infinity to minus infinity, which overlaps nothing.
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

/* Four lines of the processor's cache. */
typedef struct grz_wide_node
{
    _Alignas(64) float lower[3][GRZ_WIDE];
    float upper[3][GRZ_WIDE];
    uint32_t child[GRZ_WIDE]; /* nodes, or boxes by number; UINT32_MAX in places that are free */
    uint32_t parent;
    uint8_t place;                      /* in the parent */
    uint8_t inner;                      /* places with nodes */
    uint8_t used;                       /* places with nodes or boxes */
    uint8_t changed;                    /* places with boxes that changed, or with nodes that have some below */
    float home_lower[3], home_upper[3]; /* the box around all, as it was when the node was made */
} grz_wide_node;

typedef struct grz_wide_box
{
    float lower[3], upper[3];
} grz_wide_box;

/* A box that changed. */
typedef struct grz_wide_query
{
    grz_wide_box now, before; /* before: empty for one that was not there */
    uint32_t id;
} grz_wide_query;

/* Where pairs go, each as a << 32 | b. */
typedef struct grz_wide_pairs
{
    uint64_t *data;
    size_t count, capacity;
    bool (*grow)(struct grz_wide_pairs *pairs); /* makes room for GRZ_WIDE * GRZ_WIDE more; false: out of memory */
    bool failed;                                /* then the search has ended early */
} grz_wide_pairs;

typedef struct grz_wide_kernels
{
    const char *name;

    /* The box around all children. */
    void (*bounds)(const grz_wide_node *node, grz_wide_box *out);

    /* The places whose boxes overlap this one. */
    unsigned (*overlap)(const grz_wide_node *node, const grz_wide_box *box);

    /* Of the boxes in the tree that overlap one in query now: those that did not before, and of those that changed
       themselves the ones with a larger number. Up to GRZ_WIDE_QUERIES at a time. */
    void (*query)(const grz_wide_node *nodes, const grz_wide_query *queries, unsigned query_count,
                  grz_wide_pairs *pairs);

    /* All pairs of boxes in the tree that overlap, once each, if one of them changed. */
    void (*self_pairs)(const grz_wide_node *nodes, grz_wide_pairs *pairs);
} grz_wide_kernels;

/* The kernels for a choice, or for the best below it that this machine and this build have. */
const grz_wide_kernels *grz_wide_kernels_for(graze_instructions choice);

#endif
