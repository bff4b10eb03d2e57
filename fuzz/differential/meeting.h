/* SPDX-License-Identifier: MIT */
/* Which triangles of two small placed meshes meet, by the rational oracle. */
#ifndef FUZZ_MEETING_H
#define FUZZ_MEETING_H

#include "shapes.h"

/* The oracle, made once. */
oracle *meeting_judge(void);

graze_placed_triangle shape_triangle(const small_mesh *shape, const graze_pose *pose, uint32_t triangle);

/* Takes two placed meshes, which must stay; then tells of pairs of their triangles. */
void meeting_start(const small_mesh *a, const graze_pose *pose_a, const small_mesh *b, const graze_pose *pose_b);
graze_triangle_contact meeting_contact(uint32_t i, uint32_t j);

/* Whether any meet. */
bool meeting_any(const small_mesh *a, const graze_pose *pose_a, const small_mesh *b, const graze_pose *pose_b);

/* Whether a corner of `inner` lies inside the body that `outer` bounds, if it is closed. */
bool meeting_holds(const small_mesh *outer, const graze_pose *outer_pose, const small_mesh *inner,
                   const graze_pose *inner_pose);

#endif
