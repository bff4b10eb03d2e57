/* SPDX-License-Identifier: MIT */
/*
 * Two trees at once: finds every pair of triangles that may meet.
 *
 * Both nodes of a pair are opened while they are of like size, eight by eight children in one kernel call; otherwise
 * the larger one alone. Pairs of leaves go to the triangle kernel, and what that leaves over is proposed to the caller.
 */
#ifndef GRZ_PAIR_TRAVERSE_H
#define GRZ_PAIR_TRAVERSE_H

#include "graze/pair.h"
#include "pair/relative.h"

/* A pair of triangles that may meet, or surely crosses, inside in inside; return false to stop. */
typedef bool (*grz_candidate_function)(void *user, uint32_t triangle_a, uint32_t triangle_b, bool crosses);

typedef struct grz_traversal
{
    const graze_context *context;
    const grz_kernels *kernels;
    const graze_tree *a, *b;
    grz_map to_a, to_b; /* from B's tree coordinates to A's, and back */
    grz_candidate_function propose;
    void *user;
    uint64_t box_tests, leaf_pairs;
} grz_traversal;

typedef enum grz_traversal_end
{
    GRZ_TRAVERSAL_DONE,
    GRZ_TRAVERSAL_STOPPED,
    GRZ_TRAVERSAL_OUT_OF_MEMORY
} grz_traversal_end;

grz_traversal_end grz_traverse(grz_traversal *traversal);

#endif
