/* SPDX-License-Identifier: MIT */
/*
 * What the files of a search for near pairs of two trees share: near_trees.c opens nodes, near_leaves.c compares leaves
 * and proposes triangles, near_dive.c finds a first bound.
 */
#ifndef GRZ_PAIR_NEAR_WORK_H
#define GRZ_PAIR_NEAR_WORK_H

#include "pair/near_aligned.h"

/* A pair yet to be looked at: places are node * 8 + lane. */
typedef struct grz_near_pair
{
    float square; /* of its lower bound */
    uint32_t a, b;
} grz_near_pair;

enum
{
    GRZ_NEAR_INLINE = 1024, /* pairs that wait without memory of their own */
    GRZ_NEAR_KEPT = 32,     /* nodes and leaves whose image in the other's frame is kept; a power of two */
    GRZ_NEAR_CHILDREN = GRZ_TREE_WIDTH * GRZ_TREE_WIDTH
};

typedef struct grz_image_cache
{
    uint32_t keys[GRZ_NEAR_KEPT];
    grz_mapped8 images[GRZ_NEAR_KEPT];
} grz_image_cache;

/* Leaves as the kernels want them: A's as they are, B's turned into A's axes. */
typedef struct grz_leaf_cache
{
    uint32_t keys[GRZ_NEAR_KEPT];
    grz_facets8 facets[GRZ_NEAR_KEPT];
    grz_leaf_view views[GRZ_NEAR_KEPT]; /* B's only */
} grz_leaf_cache;

typedef struct grz_near_work
{
    grz_image_cache a_images, b_images; /* first, as they are aligned */
    grz_near *near;
    grz_near_frame frame;
    const grz_distance_kernels *distances;
    const graze_pose *pose_a, *pose_b;
    grz_aligned aligned;
    bool is_aligned;      /* whether bounds are found in that frame */
    unsigned frames_left; /* that may still be made, */
    unsigned trials_left; /* and openings that may be tried in them */
    float bound;          /* near->bound in the frame's unit, squared, rounded up */
    grz_leaf_cache a_leaves, b_leaves;
    grz_gap_pairs waiting;
    grz_near_pair *pairs;
    size_t count, capacity;
    grz_near_pair inline_pairs[GRZ_NEAR_INLINE];
} grz_near_work;

static inline unsigned grz_lowest_bit(unsigned mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static inline uint32_t grz_child_at(const graze_tree *tree, uint32_t place)
{
    return tree->nodes[place / GRZ_TREE_WIDTH].children[place % GRZ_TREE_WIDTH];
}

/* Into pairs that are sorted, the nearest first. */
static inline void grz_near_insert(grz_near_pair *pairs, unsigned count, grz_near_pair pair)
{
    unsigned i = count;
    for (; i > 0 && pairs[i - 1].square > pair.square; i--)
        pairs[i] = pairs[i - 1];
    pairs[i] = pair;
}

/* How a pair is to be opened. */
typedef struct grz_opening
{
    bool a, b; /* which of the two; neither when both are leaves */
} grz_opening;

grz_opening grz_near_choose(const grz_near_work *w, uint32_t place_a, uint32_t place_b);

/* Takes the bound of the search into floats. */
void grz_near_take_bound(grz_near_work *w);

/* Takes note of the pairs of triangles of two leaves, given by their places, that may be near; they wait until there
   are eight, or are proposed at once while there is no bound. Returns false when the caller asked to stop. */
bool grz_near_look_at(grz_near_work *w, uint32_t place_a, uint32_t place_b);

/* Proposes the pairs that wait. Returns false when the caller asked to stop. */
bool grz_near_flush(grz_near_work *w);

/* Finds near points soon, in a frame along the line between the middles. Returns false when the caller asked to stop.
 */
bool grz_near_approach(grz_near_work *w);

#endif
