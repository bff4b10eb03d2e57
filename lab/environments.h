/* SPDX-License-Identifier: MIT */
/*
 * Environments that the library's shapes do not offer: an interior, obstacles along a path, and objects that fly
 * through them. All return NULL on failure.
 */
#ifndef LAB_ENVIRONMENTS_H
#define LAB_ENVIRONMENTS_H

#include "case.h"

/* Three bars crossing each other at the origin, one along each axis: 36 triangles. */
graze_mesh *lab_make_axis_figure(double half_length, double half_width);

/* `count` small tetrahedra close to the path of B in this case, none of which it ever touches. */
graze_mesh *lab_make_obstacles(const lab_case *c, size_t count, uint64_t seed);

/* A cabin 4 by 2 by 2 around the origin, with rows of seats, racks, ducts and cables: about `triangle_count` triangles.
 */
graze_mesh *lab_make_interior(size_t triangle_count, uint64_t seed);

#endif
