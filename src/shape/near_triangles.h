/* SPDX-License-Identifier: MIT */
/* The triangles of a placed mesh near something, found in its tree, nearest nodes first. */
#ifndef GRZ_SHAPE_NEAR_TRIANGLES_H
#define GRZ_SHAPE_NEAR_TRIANGLES_H

#include "shape/query.h"

/* A lower bound for everything in a box: of the distance from something, or of the height over it. */
typedef double (*grz_box_bound_function)(const void *what, const graze_box *box);

/* Called for a triangle whose bound is within reach. Returns false to stop. */
typedef bool (*grz_near_triangle_function)(void *user, uint32_t triangle);

/* Visits all triangles whose boxes have a bound of at most *reach; the visitor may reduce it. In an order that depends
   on the tree. Stops where the monitor says so. Returns whether it was not stopped. */
bool grz_visit_triangles_within(grz_shape_query *q, const graze_placed_mesh *mesh, grz_box_bound_function bound,
                                const void *what, const double *reach, grz_near_triangle_function visit, void *user);

/* The same with distances from a box. */
bool grz_visit_near_triangles(grz_shape_query *q, const graze_placed_mesh *mesh, const graze_box *box,
                              const double *reach, grz_near_triangle_function visit, void *user);

#endif
