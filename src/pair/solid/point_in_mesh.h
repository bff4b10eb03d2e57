/* SPDX-License-Identifier: MIT */
/*
 * Exact point location in the body of a closed mesh, by ray casting with symbolic perturbation.
 */
#ifndef GRZ_PAIR_SOLID_POINT_IN_MESH_H
#define GRZ_PAIR_SOLID_POINT_IN_MESH_H

#include "graze/pair.h"
#include "pair/aabb.h"
#include "pair/world_tree.h"

/* A body and its acceleration structure: a tree, or else the AABBs of its placed triangles, in any order. */
typedef struct grz_body_view
{
    const graze_mesh *mesh;
    const graze_pose *pose; /* NULL: identity */
    grz_world_tree world;
    const grz_placed_aabb *boxes; /* used without a tree only */
    bool oriented;                /* inside: winding number not zero; if not oriented: odd number of crossings */
    grz_monitor *monitor;         /* may be NULL. Results are invalid once it has stopped the call. */
} grz_body_view;

graze_location grz_locate_point(const grz_body_view *body, const double point[3], const graze_pose *point_pose);

/* The winding number of an oriented body's placed surface around a point of the world: 1 inside a solid whose triangles
   are counter-clockwise seen from outside. False for a point of the surface. Exact. */
bool grz_winding_number(const grz_body_view *body, const double point[3], long *out_winding);

/* Whether a triangle of the surface has area, in the frame of its mesh. */
bool grz_body_triangle_has_area(const grz_body_view *body, uint32_t triangle);

/* Whether a triangle surely bounds the body: near every interior point of it, one side is outside. False also when
   undecided. */
bool grz_body_is_bounded_at(const grz_body_view *body, uint32_t triangle);

/* On which side of a triangle the interior of an oriented body surely lies, with the exterior on the other: 1 in front,
   where the placed corners are counter-clockwise; -1 behind, the usual case; 0 when undecided. */
int grz_body_interior_side(const grz_body_view *body, uint32_t triangle);

#endif
