/* SPDX-License-Identifier: MIT */
/*
 * The case that fuzz_shape_pair makes of its bytes: two placed shapes of any kinds, compounds of up to three leaves
 * among them; a context, a floating-point environment. Each leaf is kept beside the library's shape as plain numbers,
 * of which the references know everything: what the library says of its own shapes is checked, not believed.
 */
#ifndef FUZZ_SHAPE_CASE_H
#define FUZZ_SHAPE_CASE_H

#include "brute_force.h"
#include "finding.h"
#include "graze/shape_contact.h"
#include "poses.h"
#include "support/environment.h"

enum
{
    MOST_LEAVES = 3
};

/* A shape that is no compound. */
typedef struct case_leaf
{
    graze_shape_kind kind;
    bool has_core, solid; /* solid: of a mesh, said to be one */
    small_mesh core;      /* its triangles; a segment or point is one with equal corners */
    double radius;
    double numbers[4]; /* of curved shapes and half-spaces, as graze_shape_numbers */
    graze_shape *shape, *inner;
    graze_mesh *mesh;
} case_leaf;

/* A leaf somewhere. */
typedef struct placed_leaf
{
    const case_leaf *leaf;
    graze_pose pose;
} placed_leaf;

typedef struct case_side
{
    case_leaf leaves[MOST_LEAVES];
    uint32_t leaf_count;
    graze_placed parts[MOST_LEAVES], nest; /* of the compound; of a compound around it */
    graze_shape *compound, *nested;        /* or NULL */
    graze_placed placed;
    placed_leaf world[MOST_LEAVES]; /* the leaves as they are placed then */
} case_side;

typedef struct shape_case
{
    case_side sides[2];
    graze_context context;
    int environment; /* in which queries run */
    uint64_t allocations_left;
} shape_case;

/* False where the poses are refused, as they must be. */
bool shape_case_make(fuzz_bytes *bytes, shape_case *out);
void shape_case_release(shape_case *c);

/* The leaves in the world, after a pose has changed. */
bool shape_case_place(case_side *side);

/* Of both shapes; infinite for half-spaces. */
double largest_coordinate(const shape_case *c);

bool is_curved(graze_shape_kind kind);

/* A placed leaf as the library's. */
graze_placed placed_of(const placed_leaf *leaf);

/* Evaluates a call in the environment of the case. */
#define IN_ENVIRONMENT(c, status, call)                                                                                \
    do                                                                                                                 \
    {                                                                                                                  \
        saved_environment saved_here;                                                                                  \
        environment_enter(&saved_here, (c)->environment);                                                              \
        (status) = (call);                                                                                             \
        environment_leave(&saved_here);                                                                                \
    } while (0)

/* The checks; each reads further input from the bytes. */
void check_collision(fuzz_bytes *bytes, shape_case *c); /* any, with every option, and swapped */
void check_tolerances(fuzz_bytes *bytes, shape_case *c);
void check_distances(fuzz_bytes *bytes, shape_case *c);
void check_depths(fuzz_bytes *bytes, shape_case *c);
void check_rays(fuzz_bytes *bytes, shape_case *c);
void check_casts(fuzz_bytes *bytes, shape_case *c);
void check_triangles(fuzz_bytes *bytes, shape_case *c);
void check_contacts(fuzz_bytes *bytes, shape_case *c);
void check_limits(fuzz_bytes *bytes, shape_case *c); /* budgets, cancelling, failing allocations */
void check_frames(fuzz_bytes *bytes, shape_case *c); /* poses one after the other, with one cache */

#endif
