/* SPDX-License-Identifier: MIT */
/* Contacts between single features of two triangles that are near one another: see feature_contacts.c. */
#ifndef GRZ_PAIR_CONTACT_FEATURE_CONTACTS_H
#define GRZ_PAIR_CONTACT_FEATURE_CONTACTS_H

#include "base/array.h"
#include "convex/manifold.h"
#include "pair/contact/contact_surface.h"

typedef struct grz_feature_contact
{
    v3 normal; /* of unit length, from A to B */
    grz_manifold_point point;
} grz_feature_contact;

/* One of the two meshes. */
typedef struct grz_contact_side
{
    const graze_contact_surface *surface;
    const graze_pose *pose;
    double handedness; /* -1 where the pose mirrors, and normals have to be turned outward again */
} grz_contact_side;

typedef GRZ_ARRAY(grz_feature_contact) grz_feature_contacts;

grz_contact_side grz_contact_side_make(const graze_contact_surface *surface, const graze_pose *pose);

/* Whether the feature of a triangle on which a point of it lies makes contacts along a direction: a face along its
   normal, an edge or a vertex where its surface supports the direction. */
bool grz_contact_feature_supports(const grz_contact_side *side, uint32_t triangle, v3 point, v3 direction);

/* Adds the contacts of triangle a of the first mesh and b of the second with gaps from -margin to margin. The same
   contact is found from several pairs of triangles; it has the same features then. False when out of memory. */
bool grz_add_feature_contacts(const graze_context *context, const grz_contact_side sides[2],
                              const uint32_t triangles[2], double margin, grz_feature_contacts *contacts);

#endif
