/* SPDX-License-Identifier: MIT */
/* Cores of placed leaves as placed meshes, and which of them lie in solids. */
#ifndef GRZ_SHAPE_CORE_H
#define GRZ_SHAPE_CORE_H

#include "shape/query.h"

/* The core as a placed mesh with a tree, which is made when it is first needed. */
graze_status grz_core_mesh(grz_shape_query *q, const graze_placed *core, graze_placed_mesh *out);

/* Whether a point of the world, or a placed point, lies inside a solid core; not on its surface. */
graze_status grz_core_holds_point(grz_shape_query *q, const graze_placed *core, const double point[3],
                                  const graze_pose *pose, bool *out_inside);

/* Whether two cores whose surfaces share no point do so inside: a component of one lies inside the other solid. Then
   the hit gets a point, and its triangles are none. */
graze_status grz_cores_nested(grz_shape_query *q, const graze_placed *a, const graze_placed *b, bool *out_nested,
                              graze_shape_hit *out_hit);

/* Whether a component of `inner` lies inside the solid `outer`. */
graze_status grz_core_nested_in(grz_shape_query *q, const graze_placed *inner, const graze_placed *outer,
                                bool *out_nested, graze_shape_hit *out_hit);

/* The radii of both and a tolerance: the terms of a reach. */
enum
{
    GRZ_REACH_TERMS = 3
};

/* Whether the surfaces of two cores are within the sum of the terms. The hit gets triangles, contact and point. */
graze_status grz_core_surfaces_within(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                      const double terms[GRZ_REACH_TERMS], bool strict, bool *out_within,
                                      graze_shape_hit *out_hit);

/* The distance of two cores without their radii: 0 where they meet, also inside a solid. */
graze_status grz_cores_distance(grz_shape_query *q, const graze_placed *a, const graze_placed *b,
                                graze_shape_distance *out_distance);

/* The vertices of a core, as far as they belong to it: visit number i of `count`. */
size_t grz_core_vertex_count(const graze_shape *core);
const double *grz_core_vertex(const graze_shape *core, size_t i);

/* The triangle of visit number i; GRAZE_NO_TRIANGLE where shapes of that kind list none. */
uint32_t grz_core_vertex_triangle(const graze_shape *core, size_t i);

/* Removes triangles from a hit where the leaves list none. */
void grz_core_hide_triangles(const graze_shape *a, const graze_shape *b, graze_shape_hit *hit);

#endif
