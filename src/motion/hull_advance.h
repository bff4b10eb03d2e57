/* SPDX-License-Identifier: MIT */
/*
 * Conservative advancement (Mirtich 1996) of two rigid meshes by separating planes of their convex hulls, before
 * anything is traversed. Of convex bodies it comes as near to the first impact as doubles do; bodies that pass one
 * another are mostly done with by one plane. For meshes of few vertices, which are all looked at.
 */
#ifndef GRZ_MOTION_HULL_ADVANCE_H
#define GRZ_MOTION_HULL_ADVANCE_H

#include "graze/motion_query.h"

enum
{
    GRZ_HULL_VERTICES = 1024 /* of both meshes together at most */
};

/* A time, at least `from`, so that no points of the two meshes are common from then to it: 1 if not at all, `from` if
   nothing is known. Motions have been checked. In the default environment. */
double grz_hull_advance(const graze_moving_mesh *a, const graze_moving_mesh *b, double from);

#endif
