/* SPDX-License-Identifier: MIT */
/*
 * The first time at which a vertex meets a face, or an edge an edge, among several: exactly. Before that time the two
 * are disjoint.
 */
#ifndef GRZ_MOTION_FIRST_IMPACT_H
#define GRZ_MOTION_FIRST_IMPACT_H

#include "motion/moving_points.h"
#include "motion/stored_root.h"

/* The earliest impact found so far. */
typedef struct grz_first_impact
{
    const grz_moving_points *points;
    double until; /* later impacts do not matter */
    grz_root_range range;
    const grz_moving_arcs *arcs; /* of the points, to know where they are at a root; may be NULL */
    bool found;
    grz_root root;
    double lower, upper;           /* the doubles around it */
    const grz_stored_root *likely; /* of other triangles; may be NULL */
    bool knows_root, known_is_found;
    grz_root known; /* one that was tried in the range and is no double: that of others, often */
} grz_first_impact;

/* Makes a root in the range the known one. */
void grz_first_impact_know(grz_first_impact *first, const grz_stored_root *root);

/* The first impact in the range, after t = 0, of vertex p and face a b c, and of edges a0 a1 and b0 b1, if it is
 * earlier. */
void grz_first_impact_of_vertex_and_face(grz_first_impact *first, int p, int a, int b, int c);
void grz_first_impact_of_edges(grz_first_impact *first, int a0, int a1, int b0, int b1);

#endif
