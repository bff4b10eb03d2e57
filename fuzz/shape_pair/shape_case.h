/* SPDX-License-Identifier: MIT */
/*
 * The case that fuzz_shape_pair makes of its bytes: two placed shapes of any kinds, compounds of up to three leaves
 * among them; a context, a floating-point environment.
 */
#ifndef FUZZ_SHAPE_CASE_H
#define FUZZ_SHAPE_CASE_H

#include "brute_force.h"
#include "finding.h"
#include "graze/shape_contact.h"
#include "leaves.h"
#include "poses.h"
#include "support/environment.h"

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

/* Of both shapes; infinite for half-spaces. */
double largest_coordinate(const shape_case *c);

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
