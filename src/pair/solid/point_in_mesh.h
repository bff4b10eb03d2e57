/* SPDX-License-Identifier: MIT */
/*
 * Where points lie with respect to the body that a closed mesh bounds, by a ray with every singular case decided.
 */
#ifndef GRZ_PAIR_SOLID_POINT_IN_MESH_H
#define GRZ_PAIR_SOLID_POINT_IN_MESH_H

#include "graze/pair.h"
#include "pair/aabb.h"
#include "pair/world_tree.h"

/* A body and what is needed to ask about it: a tree, or else the boxes of its placed triangles, in any order. */
typedef struct grz_body_view
{
    const graze_mesh *mesh;
    const graze_pose *pose; /* NULL moves nothing */
    grz_world_tree world;
    const grz_placed_aabb *boxes; /* not needed with a tree */
    bool oriented;                /* inside where the winding number is not zero; else where crossings are odd */
    grz_monitor *monitor;         /* may be NULL. What is said after it has stopped the call means nothing. */
} grz_body_view;

graze_location grz_locate_point(const grz_body_view *body, const double point[3], const graze_pose *point_pose);

/* Whether a triangle of the surface has area, in the frame of its mesh. */
bool grz_body_triangle_has_area(const grz_body_view *body, uint32_t triangle);

/* Whether the body surely ends at a triangle of its surface: right next to every inner point of the triangle, one side
   is outside. False also when that cannot be told. */
bool grz_body_is_bounded_at(const grz_body_view *body, uint32_t triangle);

/* On which side of a triangle of its surface an oriented body surely is, with the outside on the other: 1 in front,
   where its corners, as placed, are seen counter-clockwise; -1 behind, as usual; 0 when that cannot be told. */
int grz_body_interior_side(const grz_body_view *body, uint32_t triangle);

#endif
