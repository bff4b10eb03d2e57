/* SPDX-License-Identifier: MIT */
/*
 * First impact of two moving triangles: what the traversal of two moving meshes calls for pairs of triangles in leaves.
 *
 * Contract. Motions are kernel motions that graze_motion_check has accepted, coordinates finite, the environment the
 * default one. Answers are exact: for equal motions and corners the same, whatever was asked before. Only a status of
 * OUT_OF_MEMORY can be returned.
 *
 * Use in a search for the first impact of meshes: keep the best `when` and the pairs that have it. Pass its upper end
 * as `until`: later impacts are then not looked for. Of two impacts the one with the lesser lower end, then the lesser
 * upper end, is earlier. If both are equal and lower < upper, the two times are different numbers between neighbouring
 * doubles, or one: grz_triangle_impact_order says which. If lower == upper they are equal. So all pairs that meet at
 * the first time can be found, and the lowest of them is the witness.
 */
#ifndef GRZ_MOTION_TRIANGLE_IMPACT_H
#define GRZ_MOTION_TRIANGLE_IMPACT_H

#include "graze/context.h"
#include "graze/motion.h"
#include "motion/stored_root.h"

typedef struct grz_impact_question
{
    bool crossing;                 /* first crossing instead of first impact */
    bool details;                  /* `crosses` and `contact` are wanted: else they are not set */
    double until;                  /* impacts whose lower end is greater may be reported as none; 1 for all */
    double from;                   /* known: they do not meet before this; 0 for nothing */
    const grz_stored_root *likely; /* when they are likely to meet; changes no answer; may be NULL */
    grz_stored_root *out_root;     /* the very time, if they meet; may be NULL */
    bool root_later;               /* it need not be stored where doubles decide: then it is not usable */
    int *out_side;                 /* the volume (moving_pair.h) of which that time is the only root between its bounds,
                                      where doubles decide; else -1. May be NULL */
    bool by_integers;              /* doubles do not decide: changes no answer, tests compare */
} grz_impact_question;

/* The context provides memory in rare cases only; may be NULL. */
graze_status grz_triangle_impact(const graze_context *context, const graze_moving_triangle *a,
                                 const graze_moving_triangle *b, const grz_impact_question *question,
                                 graze_moving_contact *out);

/* The order of the first impacts (or crossings) of two pairs of triangles, which both have one: -1, 0 or 1. Both are
   known to be at `within.from` at least, and at `within.until` at most. */
graze_status grz_triangle_impact_order(const graze_context *context, const graze_moving_triangle first[2],
                                       const graze_moving_triangle second[2], const grz_impact_question *within,
                                       int *out_order);

#endif
