/* SPDX-License-Identifier: MIT */
/* Two moving meshes as their queries take them: arguments checked, trees made where there are none. */
#ifndef GRZ_MOTION_MESH_IMPACT_H
#define GRZ_MOTION_MESH_IMPACT_H

#include "base/budget_monitor.h"
#include "graze/motion_query.h"

typedef struct grz_moving_meshes
{
    const graze_context *context;
    graze_moving_mesh a, b;
    const graze_tree *tree_a, *tree_b;
    graze_tree *own_a, *own_b; /* made for this query, or NULL */
} grz_moving_meshes;

/* Checks two moving meshes without their motions. */
graze_status grz_moving_meshes_check(const graze_moving_mesh *a, const graze_moving_mesh *b);

/* Checks one motion of a mesh. */
graze_status grz_moving_mesh_check_motion(const graze_moving_mesh *mesh, const graze_motion *motion);

/* Makes trees where none are given, or none are usable; an empty mesh has none. The monitor may be NULL. Release in any
   case. */
graze_status grz_moving_meshes_open(grz_moving_meshes *meshes, const graze_context *context, const graze_moving_mesh *a,
                                    const graze_moving_mesh *b, grz_monitor *monitor);
void grz_moving_meshes_close(grz_moving_meshes *meshes);

/* Whether either has no triangles: then nothing ever meets. */
bool grz_moving_meshes_are_empty(const grz_moving_meshes *meshes);

#endif
