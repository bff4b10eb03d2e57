/* SPDX-License-Identifier: MIT */
/*
 * The reference for two bodies: the arrangement of all planes of both divides space into convex cells, and one point of
 * each cell tells whether the cell belongs to either body. So overlap and containment are known for any surfaces, by a
 * method that shares nothing with the library's. For corners that are small multiples of one half in the world.
 */
#ifndef FUZZ_ARRANGEMENT_H
#define FUZZ_ARRANGEMENT_H

#include "shapes.h"

typedef struct arrangement_answer
{
    bool known;                    /* otherwise nothing else is valid */
    bool overlap;                  /* a cell is in both */
    bool a_outside_b, b_outside_a; /* a cell of one is not in the other */
    bool regular_a, regular_b;     /* every triangle has the body on exactly one side */
    size_t cells;
} arrangement_answer;

/* Poses and shapes must be small; both shapes must be closed. `oriented` says what inside means. */
arrangement_answer arrangement_classify(const small_mesh shapes[2], const graze_pose *poses[2], const bool oriented[2]);

#endif
