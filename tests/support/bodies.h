/* SPDX-License-Identifier: MIT */
/* Small meshes with known answers. All fail the test when out of memory. */
#ifndef SUPPORT_BODIES_H
#define SUPPORT_BODIES_H

#include <stddef.h>
#include <stdint.h>

#include "graze/mesh.h"
#include "support/random.h"

/* Triangles: three corners each. */
graze_mesh *body_of_triangles(double (*vertices)[3], size_t vertex_count, const uint32_t *corners,
                              size_t triangle_count);

/* Polygons of one loop each. */
graze_mesh *body_of_polygons(double (*vertices)[3], size_t vertex_count, const uint32_t *corners,
                             const uint32_t *loop_sizes, size_t face_count);

/* The eight corners of a box: bit 0 of the number is x, bit 1 y, bit 2 z. */
void body_box_vertices(double (*out_vertices)[3], const double lower[3], const double upper[3]);

/* Its six outward quads. */
extern const uint32_t body_box_corners[24];
extern const uint32_t body_box_sizes[6];

graze_mesh *body_box(const double lower[3], const double upper[3]);

/* A tube around the z axis, or a rod where the inner radius is 0; its first facet begins at this share of a segment. At
   most 64 segments. */
graze_mesh *body_tube(double inner, double outer, double bottom, double top, uint32_t segments, double turn);

/* A copy with all triangles turned over. */
graze_mesh *body_inside_out(const graze_mesh *mesh);

/* Random triangles over grid points 0 .. size - 1, with repeated vertices. */
graze_mesh *body_soup(test_random *random, int size, size_t vertex_count, size_t triangle_count);

#endif
