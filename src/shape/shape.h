/* SPDX-License-Identifier: MIT */
/*
 * One notion of a thing that collides. A shape is one of
 * - a core with a radius, which is 0 for most: a mesh of triangles that is a surface, a solid or convex;
 * - a curved convex body, known by its numbers: cylinder, cone, ellipsoid;
 * - a half-space;
 * - a compound of placed shapes.
 * Queries dispatch on this form; faster ways for single kinds stand in front of it.
 */
#ifndef GRZ_SHAPE_SHAPE_H
#define GRZ_SHAPE_SHAPE_H

#include "convex/hull.h"
#include "graze/contact.h"
#include "graze/shape.h"
#include "pair/derived_data.h"

typedef enum grz_shape_form
{
    GRZ_FORM_CORE,
    GRZ_FORM_CURVED,
    GRZ_FORM_HALF_SPACE,
    GRZ_FORM_COMPOUND
} grz_shape_form;

struct graze_shape
{
    graze_context context;
    graze_shape_kind kind;
    grz_shape_form form;
    bool solid; /* of a core: whether the inside of `mesh` belongs to it, and it has one: convex cores in three
                   dimensions; of a compound: whether all parts are solid */

    /* The core. */
    const graze_mesh *mesh; /* of the caller, of the core that is rounded, or own_mesh */
    graze_mesh *own_mesh;
    const graze_tree *tree;   /* of the caller, or NULL: `derived` has one when it is needed */
    grz_derived_data derived; /* of `mesh` */
    grz_derived_data *shared; /* instead of `derived`: the owner's of the mesh; or NULL */
    double radius;
    const graze_shape *core;                       /* of a rounded shape */
    _Atomic(struct grz_convex_part *) convex_part; /* of `hull`; made when it is first needed */
    const grz_hull *hull; /* of convex cores, that is of all but meshes and height fields: vertices, neighbours */
    grz_hull *own_hull;

    _Atomic(graze_contact_surface *) contact_surface; /* of `mesh`; made when contacts are first asked for */

    double numbers[4]; /* see graze_shape_numbers */
    size_t number_count;

    graze_placed *parts;
    size_t part_count;
    size_t leaf_count; /* shapes below a compound that are no compounds; 1 for others */
    int depth;         /* levels of compounds; 0 for others */
};

/* What is derived of the core is kept; it changes nothing that others see. */
static inline grz_derived_data *grz_shape_derived(const graze_shape *shape)
{
    return shape->shared != NULL ? shape->shared : (grz_derived_data *)(uintptr_t)&shape->derived;
}

#endif
