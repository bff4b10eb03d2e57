/* SPDX-License-Identifier: MIT */
/*
 * A case: two meshes and a sequence of poses. And tools of the workload generators: composing meshes, random rotations,
 * billiard paths.
 */
#ifndef LAB_CASE_H
#define LAB_CASE_H

#include <stdbool.h>

#include "base/random.h"
#include "graze/graze.h"
#include "peers/peer.h"

typedef struct lab_case
{
    graze_mesh *a, *b; /* the static and the moving one; never NULL once made */
    graze_pose *poses_a, *poses_b;
    size_t count; /* number of poses */
} lab_case;

/* Allocates `count` identity poses; false when out of memory. */
bool lab_case_poses(lab_case *c, size_t count);
void lab_case_clear(lab_case *c);

lab_soup lab_soup_of(const graze_mesh *mesh);

/* Composes meshes. After a failure further calls do nothing and finish returns NULL. */
typedef struct lab_builder
{
    double *vertices;
    uint32_t *triangles;
    size_t vertex_count, vertex_capacity, triangle_count, triangle_capacity;
    bool failed;
} lab_builder;

uint32_t lab_builder_vertex(lab_builder *builder, double x, double y, double z);
void lab_builder_triangle(lab_builder *builder, uint32_t a, uint32_t b, uint32_t c);

/* Adds a copy of `mesh`, scaled, then placed (rounded), and destroys the original. `status` is that of its creation. */
void lab_builder_add(lab_builder *builder, graze_status status, graze_mesh *mesh, double scale, const graze_pose *pose);
graze_mesh *lab_builder_finish(lab_builder *builder);

/* A uniformly random rotation, at a position. */
graze_pose lab_random_pose(grz_random *random, const double position[3]);
void lab_random_direction(grz_random *random, double out[3]);

/* The product p q, normalised. */
void lab_multiply_quaternions(const double p[4], const double q[4], double out[4]);

/* A path as in Klosowski et al., section 5.2.2: straight with constant rotation, in small steps, reflected by the walls
 * of a box. With `turns_at_hits`, it reverses where B hits A, and later takes another direction. */
typedef struct lab_billiard
{
    double lower[3], upper[3]; /* of B's origin */
    double step;               /* length of a step */
    double spin;               /* radians per step */
    bool turns_at_hits;
    uint64_t seed;
    size_t count; /* number of steps */
} lab_billiard;

/* Fills the poses of c, whose meshes exist; false when out of memory or when no free start position is found. */
bool lab_fly(lab_case *c, const lab_billiard *path);

#endif
