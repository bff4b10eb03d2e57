/* SPDX-License-Identifier: MIT */
/* Intersecting triangles of two small placed meshes, by the rational oracle. */
#ifndef FUZZ_BRUTE_FORCE_H
#define FUZZ_BRUTE_FORCE_H

#include "shapes.h"

/* The oracle, created once. */
oracle *brute_force_oracle(void);

graze_placed_triangle shape_triangle(const small_mesh *shape, const graze_pose *pose, uint32_t triangle);

/* Sets two placed meshes, which must stay valid, for queries about pairs of their triangles. */
void brute_force_start(const small_mesh *a, const graze_pose *pose_a, const small_mesh *b, const graze_pose *pose_b);
graze_triangle_contact brute_force_contact(uint32_t i, uint32_t j);

/* Whether any triangles intersect. */
bool brute_force_any(const small_mesh *a, const graze_pose *pose_a, const small_mesh *b, const graze_pose *pose_b);

/* Whether a corner of `inner` lies inside the body that `outer` bounds, if it is closed. */
bool brute_force_contains(const small_mesh *outer, const graze_pose *outer_pose, const small_mesh *inner,
                          const graze_pose *inner_pose);

#endif
