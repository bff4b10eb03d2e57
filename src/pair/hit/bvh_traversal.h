/* SPDX-License-Identifier: MIT */
/*
 * Simultaneous traversal of two BVHs: finds every pair of triangles that may intersect.
 *
 * Both nodes of a pair are opened while they are of similar size, eight by eight children in one kernel call; otherwise
 * the larger one alone. It starts with the root boxes: a small mesh is not opened until the nodes of the large one are
 * as small. A tree of a single node is then tested as a set of triangles (small_tree.h). Leaf pairs go to the triangle
 * kernel, and the pairs that it cannot separate are proposed to the caller.
 *
 * The node pairs yet to be visited are a stack, which is the whole state: a traversal may pause and resume, and it may
 * be split into several that run independently. A tree may also be traversed against itself; each pair of its triangles
 * then comes up once at most.
 */
#ifndef GRZ_PAIR_HIT_BVH_TRAVERSAL_H
#define GRZ_PAIR_HIT_BVH_TRAVERSAL_H

#include "graze/pair.h"
#include "pair/relative_pose.h"
#include "pair/transformed_nodes.h"

/* A candidate pair of triangles; `crosses` when they certainly cross, in the interior of both. Return false to stop. */
typedef bool (*grz_candidate_function)(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses);

/* Pairs of triangles that certainly cross, as keys: grz_join_halves of B's and A's triangle, which is grz_hit_key, so
   sorted keys are in canonical order. Return false to stop. */
typedef bool (*grz_crossings_function)(void *user, const uint64_t *keys, size_t count);

/* Pairs of triangles that may meet, likewise; `corners` are theirs, of GRZ_CONTACT_PAIRS pairs, or NULL. */
typedef bool (*grz_candidates_function)(void *user, const uint64_t *keys, size_t count,
                                        const grz_contact_pairs *corners);

/*
 * A node pair yet to be visited. A child is named by its ref: node * 8 + lane, which leads to the child's box and slab
 * as well as to the child. Of a leaf, only the triangles in the mask are still candidates.
 *
 * Most pairs are popped right after they were pushed. Two 32-bit stores that are read by one 64-bit load defeat
 * store-to-load forwarding, so each field is stored as 64 bits.
 */
typedef struct grz_node_pair
{
    uint64_t refs;  /* A's in the lower half, B's in the upper */
    uint64_t masks; /* likewise; for a subset of a small tree both halves are one set */
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

/* Refs of leaves that intersected in the last traversal. Refs of other trees are allowed: a useless hint, but harmless.
 */
typedef struct grz_traversal_hint
{
    uint32_t a, b;
} grz_traversal_hint;

#define GRZ_NO_HINT ((grz_traversal_hint){UINT32_MAX, UINT32_MAX})

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
    bool self;                             /* a and b are one tree, and the transforms are the identity */
    bool eager; /* the first hit ends it: at first, candidates are proposed without queueing */
    grz_candidate_function propose;
    grz_crossings_function take_crossings;   /* for certain crossings, when all hits are wanted; NULL: `propose` */
    grz_candidates_function take_candidates; /* for the other pairs of a queue, likewise */
    void *user;
    uint64_t box_tests, leaf_pairs;
    const grz_traversal_hint *hint; /* leaves to test first; then some pairs come up twice. May be NULL */
    uint64_t stopped_at;            /* refs of the leaves at which the caller's function stopped it */

    bool started;
    grz_node_pair *pairs; /* a stack: the last one is visited next */
    size_t count, capacity;
    grz_node_pair *room; /* the caller's array, which `pairs` may point to; NULL: pairs are always allocated */
} grz_traversal;

typedef enum grz_traversal_end
{
    GRZ_TRAVERSAL_DONE,
    GRZ_TRAVERSAL_STOPPED, /* by the caller's function; it may be resumed, but queued leaf pairs are lost */
    GRZ_TRAVERSAL_PAUSED,
    GRZ_TRAVERSAL_OUT_OF_MEMORY
} grz_traversal_end;

/* When to pause: after `box_limit` box tests, and when `go_on` (called every `interval` pairs) returns false. */
typedef struct grz_pause
{
    uint64_t box_limit;
    uint32_t interval; /* at least 1 */
    bool (*go_on)(void *user);
    void *user;
} grz_pause;

/* Starts with an empty stack, in the caller's room of GRZ_INLINE_PAIRS or NULL; the caller sets the other fields. */
void grz_traversal_start(grz_traversal *traversal, grz_node_pair *room);

/* Runs to the end, or to a pause (NULL: none). */
grz_traversal_end grz_traversal_advance(grz_traversal *traversal, const grz_pause *pause);

/* Replaces pairs by the children they open into, in place, until there are `wanted` or only leaf pairs. The pairs
   found, and their order, stay the same. False when out of memory. */
bool grz_traversal_expand(grz_traversal *traversal, size_t wanted);

/* Moves the pairs from `first` on into another traversal, which has an empty stack. False when out of memory. */
bool grz_traversal_split(grz_traversal *traversal, size_t first, grz_traversal *out_rest);

void grz_traversal_release(grz_traversal *traversal);

#endif
