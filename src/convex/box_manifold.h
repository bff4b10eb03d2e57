/* SPDX-License-Identifier: MIT */
/*
 * Contact manifolds of two boxes, without hulls, facets and projections: the axis of least overlap among fifteen, then
 * one face clipped by the other in its own coordinates. The same normal, points and names as those of manifold.h with
 * the faces of facet.h, up to rounding; see box_manifold.c.
 */
#ifndef GRZ_CONVEX_BOX_MANIFOLD_H
#define GRZ_CONVEX_BOX_MANIFOLD_H

#include "convex/convex_table.h"
#include "convex/manifold.h"

/* How the hull of a box numbers its features. Faces: 2 * axis, and 1 more for the upper one. Corners of a face: around
   it, beginning where both other coordinates are lower, those of the next axis growing first. */
typedef struct grz_box_features
{
    uint32_t faces[6];
    uint32_t corners[6][4]; /* vertices */
    uint32_t edges[6][4];   /* from corner i to the next: the vertex that names it, see manifold.c */
} grz_box_features;

/* The hull is that of a box: its table says so. */
void grz_box_features_make(const grz_hull *hull, const grz_convex_table *table, grz_box_features *out_features);

typedef struct grz_placed_box
{
    const grz_convex_table *table;
    const grz_box_features *features;
    const graze_pose *pose;
} grz_placed_box;

typedef enum grz_box_contact
{
    GRZ_BOXES_UNKNOWN, /* poses that are no rotations, or features that are not as near as the axis says */
    GRZ_BOXES_FAR,     /* farther apart than the margin: no points */
    GRZ_BOXES_NEAR
} grz_box_contact;

/* Points as grz_manifold_make writes them; *axis (0 to 14, or anything) is the axis of the last frame, tried first. The
   margin is not negative. */
grz_box_contact grz_box_manifold_make(const grz_placed_box *a, const grz_placed_box *b, double margin, unsigned most,
                                      uint32_t *axis, v3 *out_normal, grz_manifold_point *points, unsigned *out_count);

#endif
