/* SPDX-License-Identifier: MIT */
/* Contacts of two leaves: one function for each way in which their forms meet. */
#ifndef GRZ_SHAPE_CONTACTS_H
#define GRZ_SHAPE_CONTACTS_H

#include "base/array.h"
#include "convex/convex_pair.h"
#include "convex/manifold.h"
#include "shape/query.h"

typedef struct grz_contact_search
{
    grz_shape_query *q;
    double margin;
    unsigned most_points;
    GRZ_ARRAY(graze_contact_manifold) found; /* of the two leaves at hand */
} grz_contact_search;

/* Adds a manifold. False when out of memory. */
bool grz_contact_search_add(grz_contact_search *s, v3 normal, const grz_manifold_point *points, unsigned count);

/* Two convex leaves, polytopes with or without a radius, or curved. */
graze_status grz_convex_contacts(grz_contact_search *s, const graze_placed *a, const graze_placed *b);

/* A half-space, first, and a leaf of any other form. */
graze_status grz_plane_contacts(grz_contact_search *s, const graze_placed *half_space, const graze_placed *other);

/* Two cores of which one at least is a mesh or height field. */
graze_status grz_mesh_contacts(grz_contact_search *s, const graze_placed *a, const graze_placed *b);

/* A mesh or height field, first, and a curved leaf. */
graze_status grz_mesh_curved_contacts(grz_contact_search *s, const graze_placed *mesh, const graze_placed *curved);

/* The contact surface of a core, which the shape keeps. */
graze_status grz_core_contact_surface(grz_shape_query *q, const graze_shape *core,
                                      const graze_contact_surface **out_surface);

/* The manifold of two such leaves: no points where they are farther apart than the margin. */
graze_status grz_convex_manifold(grz_contact_search *s, const graze_placed *a, const graze_placed *b, v3 *out_normal,
                                 grz_manifold_point points[GRZ_MANIFOLD_MOST], unsigned *out_count);

/* That of two boxes by their axes alone, with the cache of their pair or NULL; false where they do not say it all, as
   under poses that are no rotations, or not finite: then no point was written. */
bool grz_box_manifold(const graze_placed *a, const graze_placed *b, double margin, unsigned most,
                      graze_shape_cache *cache, v3 *out_normal, grz_manifold_point *points, unsigned *out_count);

/* The contact of two convex bodies: normal from A to B, and the closest, or deepest, points. False where they are
   farther apart than the margin, or nothing is known. Hulls are those of polytopes. */
bool grz_convex_contact_frame(const grz_convex_body bodies[2], double margin, grz_convex_cache *cache, v3 *out_normal,
                              v3 out_witnesses[2]);

#endif
