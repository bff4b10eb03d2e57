/* SPDX-License-Identifier: MIT */
/*
 * Two trees at once: finds every pair of triangles that may meet.
 *
 * Both nodes of a pair are opened while they are of like size, eight by eight children in one kernel call; otherwise
 * the larger one alone. That begins with the boxes around everything: a small mesh stays whole until the nodes of the
 * large one are as small. A mesh whose tree is a single node is then taken by its triangles (small_tree.h). Pairs of
 * leaves go to the triangle kernel, and what that leaves over is proposed to the caller.
 *
 * The pairs yet to be looked at are a stack, which is all there is to remember: a traversal may pause and go on, and it
 * may be cut into several that go on independently. One tree may also be visited against itself; each pair of its
 * triangles then comes up once at most.
 */
#ifndef GRZ_PAIR_HIT_BVH_TRAVERSAL_H
#define GRZ_PAIR_HIT_BVH_TRAVERSAL_H

#include "graze/pair.h"
#include "pair/relative_pose.h"

/* A pair of triangles that may meet, or surely crosses, inside in inside; return false to stop. */
typedef bool (*grz_candidate_function)(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses);

/* Pairs of triangles that surely cross, as numbers (grz_join_halves of B's and A's triangle: in the order of these
   numbers they are in canonical order); return false to stop. */
typedef bool (*grz_crossings_function)(void *user, const uint64_t *numbers, size_t count);

/*
 * A pair yet to be looked at. Children are named by their place: node * 8 + lane, which leads to the child's box and
 * slab as well as to the child. Of a leaf, only the triangles in the mask are still in question.
 *
 * Most pairs are taken from the stack right after they were put there. Numbers written in two pieces and read in one
 * are not handed on by processors without a delay, so they are written in one.
 */
typedef struct grz_node_pair
{
    uint64_t refs;  /* A's in the lower half, B's in the upper */
    uint64_t masks; /* likewise; of a part of a handful both are one set */
} grz_node_pair;

static inline uint64_t grz_join_halves(uint32_t of_a, uint32_t of_b)
{
    return (uint64_t)of_b << 32 | of_a;
}

static inline uint32_t grz_half_a(uint64_t both)
{
    return (uint32_t)both;
}

static inline uint32_t grz_half_b(uint64_t both)
{
    return (uint32_t)(both >> 32);
}

/* Places of leaves that met when the trees were last visited. They may be those of other trees: then it is no good
   hint, and does no harm. */
typedef struct grz_traversal_hint
{
    uint32_t a, b;
} grz_traversal_hint;

#define GRZ_NO_HINT ((grz_traversal_hint){UINT32_MAX, UINT32_MAX})

/* What stands above a root, as if it were a node: its only child is the root, its only box that around everything. */
#define GRZ_ABOVE_ROOT UINT32_C(0x1fffffff)

enum
{
    GRZ_INLINE_PAIRS = 1024
};

typedef struct grz_traversal
{
    const graze_context *context;
    const grz_kernels *kernels;
    const graze_tree *a, *b;
    const grz_tree_transform *to_a, *to_b; /* from B's tree coordinates to A's, and back */
    bool self;                             /* a and b are one tree, and maps move nothing */
    bool eager;                            /* the first hit ends it: candidates are proposed as they come, at first */
    grz_candidate_function propose;
    grz_crossings_function
        take_crossings; /* when all hits are wanted: those that are sure; NULL: proposed like others */
    void *user;
    uint64_t box_tests, leaf_pairs;
    const grz_traversal_hint *hint; /* where to look first; then some pairs come up twice. NULL: nowhere */
    uint64_t stopped_at;            /* refs of the leaves at which the caller's function stopped it */

    bool started;
    grz_node_pair *pairs; /* the last one is looked at next */
    size_t count, capacity;
    grz_node_pair *room; /* the caller's, which pairs may point to; NULL: they are always allocated */
} grz_traversal;

typedef enum grz_traversal_end
{
    GRZ_TRAVERSAL_DONE,
    GRZ_TRAVERSAL_STOPPED, /* by the caller's function; it may go on, but pairs of leaves at hand are lost */
    GRZ_TRAVERSAL_PAUSED,
    GRZ_TRAVERSAL_OUT_OF_MEMORY
} grz_traversal_end;

/* When to pause: from `box_limit` box tests on, and when `go_on` (asked every `interval` pairs) says so. */
typedef struct grz_pause
{
    uint64_t box_limit;
    uint32_t interval; /* at least 1 */
    bool (*go_on)(void *user);
    void *user;
} grz_pause;

/* Sets the pairs to none, with the caller's room of GRZ_INLINE_PAIRS or NULL; the other fields are the caller's. */
void grz_traversal_start(grz_traversal *traversal, grz_node_pair *room);

/* Goes on to the end, or to a pause (NULL: none). */
grz_traversal_end grz_traversal_advance(grz_traversal *traversal, const grz_pause *pause);

/* Replaces pairs by what they open into, in place, until there are `wanted` or only pairs of leaves. What is found, and
   in which order, stays the same. False when out of memory. */
bool grz_traversal_expand(grz_traversal *traversal, size_t wanted);

/* Moves the pairs from `first` on into another traversal, which has none. False when out of memory. */
bool grz_traversal_split(grz_traversal *traversal, size_t first, grz_traversal *out_rest);

void grz_traversal_release(grz_traversal *traversal);

#endif
