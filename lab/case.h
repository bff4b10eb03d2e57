/* SPDX-License-Identifier: MIT */
/*
 * What a workload is made of: two meshes and the sequence of poses they are asked about. And what makers of workloads
 * share: putting meshes together, turning things at random, flying along billiard paths.
 */
#ifndef LAB_CASE_H
#define LAB_CASE_H

#include <stdbool.h>

#include "base/random.h"
#include "graze/graze.h"
#include "peers/peer.h"

typedef struct lab_case
{
    graze_mesh *a, *b; /* the one that stands and the one that flies; never NULL when made */
    graze_pose *poses_a, *poses_b;
    size_t count; /* of poses */
} lab_case;

/* Room for `count` poses, all of which move nothing; false when out of memory. */
bool lab_case_poses(lab_case *c, size_t count);
void lab_case_clear(lab_case *c);

lab_soup lab_soup_of(const graze_mesh *mesh);

/* Puts meshes together. After a failure the others do nothing and finish gives NULL. */
typedef struct lab_builder
{
    double *vertices;
    uint32_t *triangles;
    size_t vertex_count, vertex_capacity, triangle_count, triangle_capacity;
    bool failed;
} lab_builder;

uint32_t lab_builder_vertex(lab_builder *builder, double x, double y, double z);
void lab_builder_triangle(lab_builder *builder, uint32_t a, uint32_t b, uint32_t c);

/* Adds a copy of `mesh`, scaled, then placed (rounded), and destroys the original. `status` is that of its making. */
void lab_builder_add(lab_builder *builder, graze_status status, graze_mesh *mesh, double scale, const graze_pose *pose);
graze_mesh *lab_builder_finish(lab_builder *builder);

/* A turn that is as likely as any other, at a place. */
graze_pose lab_random_pose(grz_random *random, const double position[3]);
void lab_random_direction(grz_random *random, double out[3]);

/* p q, rounded to unit length. */
void lab_multiply_quaternions(const double p[4], const double q[4], double out[4]);

/* A path like those of Klosowski et al., section 5.2.2: straight on and turning evenly, in small steps, reflected by
   the walls of a box. With `turns_at_hits`, it goes back where B meets A, and after a while in another direction. */
typedef struct lab_billiard
{
    double lower[3], upper[3]; /* where B's origin may be */
    double step;               /* length of one */
    double spin;               /* radians in one */
    bool turns_at_hits;
    uint64_t seed;
    size_t count; /* of steps */
} lab_billiard;

/* Fills the poses of c, whose meshes are there; false when out of memory or when no free place to start is found. */
bool lab_fly(lab_case *c, const lab_billiard *path);

#endif
