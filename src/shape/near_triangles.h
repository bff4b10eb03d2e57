/* SPDX-License-Identifier: MIT */
/* The triangles of a placed mesh near a box, found in its tree. */
#ifndef GRZ_SHAPE_NEAR_TRIANGLES_H
#define GRZ_SHAPE_NEAR_TRIANGLES_H

#include "shape/query.h"

/* Called for a triangle near a box; `gap` is a lower bound of its distance from the box. Returns false to stop. */
typedef bool (*grz_near_triangle_function)(void *user, uint32_t triangle, double gap);

/* Visits all triangles whose boxes are at most *reach apart from a box; the visitor may reduce it. In an order that
   depends on the tree. Stops where the monitor says so. Returns whether it was not stopped. */
bool grz_visit_near_triangles(grz_shape_query *q, const graze_placed_mesh *mesh, const graze_box *box,
                              const double *reach, grz_near_triangle_function visit, void *user);

#endif
