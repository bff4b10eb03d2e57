/* SPDX-License-Identifier: MIT */
/*
 * Contact manifolds of two boxes, without hulls, facets and projections: the axis of least overlap among fifteen, then
 * one face clipped by the other in its own coordinates. The same normal, points and names as those of manifold.h with
 * the faces of facet.h, up to rounding; see box_manifold.c.
 */
#ifndef GRZ_CONVEX_BOX_MANIFOLD_H
#define GRZ_CONVEX_BOX_MANIFOLD_H

#include "convex/box_clip.h"
#include "convex/convex_table.h"
#include "convex/manifold.h"

/* What is known of a box. Of its faces, 2 * axis and 1 more for the upper one: the names of their features in
   manifolds, in the order of box_clip.h. Corners of a face go around it, beginning where both other coordinates are
   lower, those of the next axis growing first. */
typedef struct grz_box_features
{
    uint32_t names[6][GRZ_CLIP_FEATURES];
    double half[3], centre[3];
    double size;     /* sum of the largest coordinates */
    bool is_centred; /* at the origin */
} grz_box_features;

/* The hull is that of a box: its table says so. */
void grz_box_features_make(const grz_hull *hull, const grz_convex_table *table, grz_box_features *out_features);

typedef struct grz_placed_box
{
    const grz_box_features *features;
    const graze_pose *pose;
} grz_placed_box;

typedef enum grz_box_contact
{
    GRZ_BOXES_UNKNOWN, /* poses that are no rotations, or features that are not as near as the axis says */
    GRZ_BOXES_FAR,     /* farther apart than the margin: no points */
    GRZ_BOXES_NEAR
} grz_box_contact;

enum
{
    GRZ_BOX_NO_AXIS = 15
};

/* Points as grz_manifold_make writes them; *axis is the axis on which the boxes were too far apart in the last frame,
   tried first: 0 to 14, or anything. The margin is not negative. Of points, up to GRZ_MANIFOLD_MOST are written, and
   none where the boxes are not near. */
grz_box_contact grz_box_manifold_make(const grz_placed_box *a, const grz_placed_box *b, double margin, unsigned most,
                                      uint32_t *axis, v3 *out_normal, grz_manifold_point *points, unsigned *out_count);

#endif
