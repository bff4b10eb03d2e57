/* SPDX-License-Identifier: MIT */
/* What a traversal works with while it goes on; shared by traverse.c and handful.c. */
#ifndef GRZ_PAIR_TRAVERSE_WORK_H
#define GRZ_PAIR_TRAVERSE_WORK_H

#include "pair/handful.h"
#include "pair/leaves.h"
#include "pair/traverse.h"

enum
{
    GRZ_ALL = 0xff,
    GRZ_IMAGES_KEPT = 64 /* nodes of each tree whose image in the other's frame is kept; a power of two */
};

/* Images of nodes in the other tree's frame. */
typedef struct grz_image_cache
{
    uint32_t keys[GRZ_IMAGES_KEPT]; /* node, or GRZ_NO_CHILD */
    grz_mapped8 images[GRZ_IMAGES_KEPT];
} grz_image_cache;

typedef struct grz_work
{
    grz_traversal *traversal;
    const grz_kernels *kernels; /* the traversal's; and the nodes of its trees */
    const grz_node *nodes_a, *nodes_b;
    uint64_t box_tests;
    grz_place_pair *pairs;
    size_t count, capacity;
    grz_float_map to_a, to_b;
    grz_image_cache a_images, b_images;
    grz_leaves leaves;
    grz_pair_queue queue;              /* triangles yet to be judged, */
    uint64_t queued[GRZ_QUEUE_LEAVES]; /* and the places of their leaves, as in the queue's tables */
    grz_handful_side handful; /* further away than what every query needs: before the leaves it cost interior 6 % */
    float b_scale;            /* a length in B's tree coordinates, in A's */
} grz_work;

static inline unsigned grz_lowest_bit(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

static inline const grz_boxes8 *grz_boxes_of(const graze_tree *tree, uint32_t node)
{
    return node == GRZ_ABOVE_ROOT ? &tree->whole : &tree->nodes[node].boxes;
}

/* Not inlined: looking whether an image is kept must stay short. */
void grz_make_image(const grz_kernels *kernels, const graze_tree *tree, uint32_t node, const grz_float_map *there,
                    const grz_float_map *back, grz_image_cache *cache);

static inline const grz_mapped8 *grz_image_of_a(grz_work *w, uint32_t node)
{
    if (w->a_images.keys[node % GRZ_IMAGES_KEPT] != node)
        grz_make_image(w->kernels, w->traversal->a, node, &w->to_b, &w->to_a, &w->a_images);
    return &w->a_images.images[node % GRZ_IMAGES_KEPT];
}

static inline const grz_mapped8 *grz_image_of_b(grz_work *w, uint32_t node)
{
    if (w->b_images.keys[node % GRZ_IMAGES_KEPT] != node)
        grz_make_image(w->kernels, w->traversal->b, node, &w->to_a, &w->to_b, &w->b_images);
    return &w->b_images.images[node % GRZ_IMAGES_KEPT];
}

static inline void grz_push(grz_work *w, uint32_t place_a, unsigned mask_a, uint32_t place_b, unsigned mask_b)
{
    w->pairs[w->count++] = (grz_place_pair){grz_join_halves(place_a, place_b), grz_join_halves(mask_a, mask_b)};
}

/* A child named by its place, as a box in its own frame and in the other. */
typedef struct grz_seen_box
{
    const grz_mapped8 *image; /* of its node */
    unsigned lane;
} grz_seen_box;

/* Compares the leaves at two places, as far as triangles are in question; what may meet is judged now or later. Returns
   false when the caller asked to stop. */
bool grz_test_leaves(grz_work *w, uint64_t places, uint64_t masks, uint32_t leaf_a, uint32_t leaf_b);

/* Judges the queue and proposes what is left of it. Returns false when the caller asked to stop. */
bool grz_judge_queue(grz_work *w);

/* Turns rows of bits into columns: an 8 x 8 transposition, by exchanging squares of half the size each time. */
static inline uint64_t grz_transpose(uint64_t x)
{
    uint64_t swap = (x ^ x >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    x ^= swap ^ swap << 7;
    swap = (x ^ x >> 14) & UINT64_C(0x0000cccc0000cccc);
    x ^= swap ^ swap << 14;
    swap = (x ^ x >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return x ^ swap ^ swap << 28;
}

#endif
