/* SPDX-License-Identifier: MIT */
/* Triangles of a mesh whose boxes overlap a box, by its BVH; conservative. */
#ifndef GRZ_TOOL_PATH_NEAR_TRIANGLES_H
#define GRZ_TOOL_PATH_NEAR_TRIANGLES_H

#include <stdbool.h>
#include <stdint.h>

#include "graze/box.h"
#include "graze/mesh.h"
#include "graze/tree.h"

/* Return true to stop. */
typedef bool (*grz_near_triangle)(void *user, uint32_t triangle);

/* Calls `visit` for the triangles whose boxes overlap this one, and maybe for others. `tree` may be NULL. Returns
   whether it was stopped. */
bool grz_near_triangles(const graze_mesh *mesh, const graze_tree *tree, const graze_box *box, grz_near_triangle visit,
                        void *user);

#endif
