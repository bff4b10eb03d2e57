/* SPDX-License-Identifier: MIT */
/*
 * src/pair: what one may ask of two placed meshes. May use base, math, exact and mesh.
 *
 * Boxes around the placed triangles of a mesh, rounded outward: the real placed triangle surely lies in its box. And
 * the sweep that finds all pairs of boxes that overlap.
 */
#ifndef GRZ_PAIR_AABB_H
#define GRZ_PAIR_AABB_H

#include <stdbool.h>

#include "base/budget_monitor.h"
#include "graze/pair.h"
#include "math/interval.h"

typedef struct grz_placed_aabb
{
    interval axes[3];
    uint32_t triangle;
} grz_placed_aabb;

/* A placed point as intervals that surely contain it. */
void grz_place_point(const double point[3], const graze_pose *pose, interval out[3]);

/* The box of a placed triangle. A NULL pose moves nothing. */
grz_placed_aabb grz_aabb_of_triangle(const graze_mesh *mesh, uint32_t triangle, const graze_pose *pose);

/* The box around the placed corners of the mesh's box, for a mesh with triangles. Ends beyond the range are moved to
   its end, which keeps overlaps, as boxes are of doubles. */
graze_box grz_aabb_of_mesh(const graze_mesh *mesh, const graze_pose *pose);

/* Boxes of all triangles, in order; NULL when out of memory. A NULL pose moves nothing. */
grz_placed_aabb *grz_placed_aabbs_create(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose);

/* The same; NULL also when the monitor (may be NULL) stops it. */
grz_placed_aabb *grz_placed_aabbs_make(const graze_context *context, const graze_mesh *mesh, const graze_pose *pose,
                                       grz_monitor *monitor);

/* The box around all of them; inverted when there are none. */
grz_placed_aabb grz_placed_aabbs_union(const grz_placed_aabb *boxes, size_t count);

bool grz_placed_aabb_overlap(const grz_placed_aabb *a, const grz_placed_aabb *b);
int grz_placed_aabb_longest_axis(const grz_placed_aabb *box);

/* By lower end on an axis, then by triangle, so that the order does not depend on the sort. False when out of memory,
   or when the monitor (may be NULL) stops it; boxes are in no order then. */
bool grz_placed_aabbs_sort(const graze_context *context, grz_placed_aabb *boxes, size_t count, int axis,
                           grz_monitor *monitor);

/* Called for each pair of overlapping boxes; return false to stop. */
typedef bool (*grz_aabb_pair_function)(void *user, uint32_t triangle_a, uint32_t triangle_b);

/* The sweep: finds every pair of overlapping boxes once, in an order that depends on the boxes alone, and may pause. */
typedef struct grz_aabb_sweep
{
    grz_placed_aabb *a, *b; /* sorted along the axis */
    size_t a_count, b_count;
    int axis;
    size_t next_a, next_b; /* the first ones not done with */
    bool within;           /* whether the comparisons of the first of them were begun: then `other` is the next */
    size_t other;
    uint64_t box_tests;
} grz_aabb_sweep;

/* Makes the boxes and sorts them along the longest axis. False when out of memory, or when the monitor (may be NULL)
   stops it, with nothing to release. */
bool grz_aabb_sweep_start(grz_aabb_sweep *sweep, const graze_context *context, const graze_mesh *mesh_a,
                          const graze_pose *pose_a, const graze_mesh *mesh_b, const graze_pose *pose_b,
                          grz_monitor *monitor);

/* Goes on to the end, or until there were `box_limit` box tests in all. Returns false when stopped by `visit`. */
bool grz_aabb_sweep_advance(grz_aabb_sweep *sweep, uint64_t box_limit, grz_aabb_pair_function visit, void *user);

bool grz_aabb_sweep_is_done(const grz_aabb_sweep *sweep);
void grz_aabb_sweep_end(grz_aabb_sweep *sweep, const graze_context *context);

#endif
