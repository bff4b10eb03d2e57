/* SPDX-License-Identifier: MIT */
/*
 * Generates shapes of any kinds from bytes, compounds of up to three leaves among them. Each leaf is kept beside the
 * library's shape as plain numbers, of which the references know everything: what the library says of its own shapes is
 * checked, not believed.
 */
#ifndef FUZZ_LEAVES_H
#define FUZZ_LEAVES_H

#include "graze/shape.h"
#include "shapes.h"

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

bool is_curved(graze_shape_kind kind);

/* A placed leaf as the library's. */
graze_placed placed_of(const placed_leaf *leaf);

/* A shape of any kind; its pose is not set. */
void side_make(fuzz_bytes *bytes, const graze_context *context, case_side *side);
void side_release(case_side *side);

/* Whether a leaf has a radius or is curved. */
bool side_needs_rigid(const case_side *side);

/* Places the leaves in the world, after a pose has changed; false where that overflows. */
bool side_place(case_side *side);

/* Whether the library takes its pose; it must not take one that is no rotation for those that need one. */
bool side_check_placed(const case_side *side);

/* Notes a leaf's numbers for a finding. */
void leaf_note(char name, const case_leaf *leaf);

#endif
