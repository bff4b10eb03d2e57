/* SPDX-License-Identifier: MIT */
/* Small meshes composed by tests: boxes, soups, sheets; as library meshes and in the oracle's form. */
#ifndef SUPPORT_MESHES_H
#define SUPPORT_MESHES_H

#include <stdbool.h>

#include "graze/mesh.h"
#include "support/oracle.h"
#include "support/random.h"

enum
{
    MOST_VERTICES = 256,
    MOST_TRIANGLES = 256
};

typedef struct test_mesh
{
    size_t vertex_count, triangle_count;
    double vertices[MOST_VERTICES][3];
    uint32_t triangles[MOST_TRIANGLES][3];
} test_mesh;

uint32_t mesh_add_vertex(test_mesh *mesh, double x, double y, double z);
void mesh_add_triangle(test_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);

/* A box of eight vertices and twelve triangles, facing outward, or inward as the wall of a cavity. */
void mesh_add_box(test_mesh *mesh, const double lower[3], const double upper[3], bool inward);

/* A cube given by its lowest corner and its side. */
void mesh_add_cube(test_mesh *mesh, double x, double y, double z, double side);

/* A bipyramid over a polygon of small integers: closed, oriented, with many slanted faces. */
void mesh_add_bipyramid(test_mesh *mesh, double x, double y, double z, double size);

/* Triangles over random vertices of a small grid: they touch, cross, repeat and degenerate. */
void mesh_add_soup(test_mesh *mesh, test_random *random, int vertex_count, int triangle_count, int grid);

/* Squares of two triangles each in the plane of one axis. */
void mesh_add_sheet(test_mesh *mesh, int axis, double level, int squares);

void mesh_scale(test_mesh *mesh, double factor);

/* Reverses every other triangle. */
void mesh_disorient(test_mesh *mesh);

/* The library's mesh; fails the test if it cannot be made. */
graze_mesh *mesh_create(const test_mesh *mesh);

/* The same times 2^power, in any floating-point environment. */
graze_mesh *mesh_create_scaled(const test_mesh *mesh, int power);

oracle_mesh mesh_for_oracle(const test_mesh *mesh, const graze_pose *pose);

#endif
